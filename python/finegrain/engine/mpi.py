# SPDX-License-Identifier: BSD-3-Clause
"""MPIs that can start the engine in processes: their ``mpiexec``, and the engine built for them."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finegrain.base.arguments import one_of
from finegrain.engine.engine import engine_program, is_from_wheel
from finegrain.engine.left_by_mpi import FOLDERS, sweep_left
from finegrain.errors import ResourceError

NAMES = ("openmpi", "mpich")  # in the order in which they are tried
VARIABLE = "FINEGRAIN_MPI"
_SESSIONS = "OMPI_MCA_orte_tmpdir_base"  # where Open MPI keeps the folders of a run

_TITLES = {"openmpi": "Open MPI", "mpich": "MPICH"}
_PACKAGES = {"openmpi": "openmpi-bin libopenmpi-dev", "mpich": "mpich libmpich-dev"}
_LAUNCHING_PACKAGES = {"openmpi": "openmpi-bin", "mpich": "mpich"}
_OWN_LAUNCHERS = {
    "openmpi": ("mpiexec.openmpi", "mpirun.openmpi"),
    "mpich": ("mpiexec.mpich", "mpiexec.hydra"),
}
# Words in the answer to --version that identify the MPI.
_COMMON_LAUNCHERS = ("mpiexec", "mpirun")
_SIGNS = {"openmpi": ("open mpi", "openrte", "open-mpi"), "mpich": ("hydra", "mpich")}


@dataclass(frozen=True)
class Mpi:
    """One MPI on this machine; it is usable if both of its parts exist.

    Attributes
    ----------
    name : str
        "openmpi" or "mpich".
    launcher : str or None
        Path of its ``mpiexec``.
    executable : Path or None
        The engine that was built with it.
    """

    name: str
    launcher: str | None
    executable: Path | None

    @property
    def title(self) -> str:
        """Its name as usually written."""
        return _TITLES[self.name]

    @property
    def usable(self) -> bool:
        """Whether processes can be started with it."""
        return self.launcher is not None and self.executable is not None

    @property
    def missing(self) -> str:
        """The missing parts, in words."""
        if self.usable:
            return ""
        lacks = [] if self.launcher else ["mpiexec"]
        lacks += [] if self.executable else [f"finegrain-engine-{self.name}"]
        return f"{self.title} lacks {' and '.join(lacks)}"

    @property
    def remedy(self) -> str:
        """The commands that install the missing parts."""
        if is_from_wheel():
            launcher = (
                [] if self.launcher else [f"apt-get install {_LAUNCHING_PACKAGES[self.name]}"]
            )
            wheel = f"pip install finegrain_{self.name}-*.whl, which was made with the wheel in use"
            engine = [] if self.executable else [wheel]
            return "; ".join(launcher + engine)
        return f"apt-get install {_PACKAGES[self.name]}; make build"

    def command(self, ranks: int) -> list[str]:
        """Return the command that starts the executable in this number of processes."""
        return self.start(ranks, [str(self.executable)])

    def start(self, ranks: int, words: list[str]) -> list[str]:
        """Return the command that starts any program in this number of processes."""
        if self.launcher is None or self.executable is None:
            raise _unusable([self], "")
        # The engine binds its threads itself; more processes than cores are slow, but allowed.
        options = ["--oversubscribe", "--bind-to", "none"] if self.name == "openmpi" else []
        return [self.launcher, *options, "-n", str(ranks), *words]

    @contextlib.contextmanager
    def environment(self) -> Iterator[dict[str, str]]:
        """Give the environment for the command, until its processes have ended."""
        variables = _without_singleton(dict(os.environ))
        if self.name == "openmpi" and os.geteuid() == 0:  # as in a container
            variables["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
            variables["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
        if self.name != "openmpi" or _SESSIONS in variables:
            yield variables
            return
        # A run that ends removes the common folder, in which another one may just begin.
        sweep_left()
        with tempfile.TemporaryDirectory(
            prefix=f"{FOLDERS}{os.getpid()}-", ignore_cleanup_errors=True
        ) as own:
            yield variables | {_SESSIONS: own}


def _without_singleton(variables: dict[str, str]) -> dict[str, str]:
    """Return the variables without those of a program that was started without ``mpiexec``.

    When such a program initialises Open MPI, it leaves variables to all that it starts. A Python
    that imports ``mpi4py.MPI`` does so. With these variables ``mpiexec`` fails without a word.
    """
    if variables.get("OMPI_MCA_ess") != "singleton":
        return variables
    own = ("PMIX_", "ORTE_", "OMPI_MCA_ess", "OMPI_MCA_orte_", "OMPI_MCA_pmix", "OMPI_APP_CTX_")
    return {name: value for name, value in variables.items() if not name.startswith(own)}


def find_mpi(name: str) -> Mpi:
    """Look for the parts of an MPI."""
    return Mpi(name, _launcher(name), engine_program(f"finegrain-engine-{name}"))


def checked_mpi(name: str, where: str = "--mpi") -> str:
    """Return the name of an MPI, or "auto"; the MPI need not be installed.

    Raises
    ------
    InputError
        If there is no MPI of that name.
    """
    hint = "auto takes the installed one"
    return one_of(name, ("auto", *NAMES), where, "there is no such MPI", hint)


def choose_mpi(wanted: str = "auto") -> Mpi:
    """Return the MPI that starts processes.

    Parameters
    ----------
    wanted : str
        "openmpi", "mpich", or "auto": the one in the environment variable FINEGRAIN_MPI, otherwise
        the first one with both parts.

    Raises
    ------
    InputError
        If there is no MPI of that name.
    ResourceError
        If none, or not the wanted one, is complete.
    """
    where = "--mpi"
    if wanted == "auto" and os.environ.get(VARIABLE):
        wanted, where = os.environ[VARIABLE], VARIABLE
    checked_mpi(wanted, where)
    found = [find_mpi(name) for name in (NAMES if wanted == "auto" else (wanted,))]
    for mpi in found:
        if mpi.usable:
            return mpi
    raise _unusable(found, where if wanted != "auto" else "--ranks")


def _unusable(found: list[Mpi], where: str) -> ResourceError:
    remedies = "\n".join(mpi.remedy for mpi in found)
    return ResourceError(
        "no MPI to start processes with",
        where=where,
        value="; ".join(mpi.missing for mpi in found),
        hint=f"{remedies}\nor use the cores of this machine in one process: --pes N",
    )


def _launcher(name: str) -> str | None:
    for word in _OWN_LAUNCHERS[name]:
        path = shutil.which(word)
        if path is not None:
            return path
    for word in _COMMON_LAUNCHERS:
        path = shutil.which(word)
        if path is not None and any(sign in _version_of(path) for sign in _SIGNS[name]):
            return path
    return None


@cache
def _version_of(launcher: str) -> str:
    try:
        done = subprocess.run(
            [launcher, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout + done.stderr).lower()
