# SPDX-License-Identifier: BSD-3-Clause
"""The finegrain engine; use the package ``finegrain``, which checks input and adds units."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

class EngineError(RuntimeError):
    """An error of the engine.

    Attributes
    ----------
    kind : str
        "input", "resource", "numerics" or "internal".
    what, where, value, limit, hint : str
        The parts of the message; all but `what` may be empty.
    exit_status : int
        1, 2, 3 or 4, in the order of `kind`.
    """

    kind: str
    what: str
    where: str
    value: str
    limit: str
    hint: str
    exit_status: int

def run(
    job: str,
    out: str,
    *,
    on_progress: Callable[[dict[str, Any]], bool | None] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Run a job file and write the results into a folder.

    Parameters
    ----------
    job, out : str
        Path of the HDF5 job, and the folder of the results.
    **options
        The options of `run_options`; others are a TypeError. Neither threads nor placement change a
        bit.
    on_progress : callable, optional
        Called about five times a second, in the calling thread, with a dict of
        ``figures()["progress"]``; None for what was not measured. When it returns False the run
        stops at its next rebuild step, resumable. When it raises, the run stops likewise and the
        exception is raised.

    Returns
    -------
    dict
        The values of ``figures()["result"]``, in which ``phases`` is a list of dicts; None for what
        was not measured.

    Raises
    ------
    EngineError
        The message names what, where, value, limit and remedy; the last good checkpoint stays.
    """

def run_options() -> list[tuple[str, str, Any, str]]:
    """Return the options of `run`.

    Returns
    -------
    list of tuple
        Name, word on the engine's command line, default, and meaning. A flag of the command line
        gives the opposite of its default.
    """

def energy(
    job: str,
    *,
    pes: int = 1,
    map: str = "block",  # noqa: A002 - the command line's own word
    out: str = "",
    pairs_only: bool = False,
) -> dict[str, Any]:
    """Evaluate the forces on the positions of a job file.

    An ab initio job that keeps its orbitals writes them into the folder `out`, if there is one.

    With `pairs_only` the mesh and bonded terms are left out, to measure the effect of single
    precision on the pair forces alone. `pes` and `map` change no bit.

    Returns
    -------
    dict
        ``energies``  dict of float by term, kJ/mol, the total last
        ``forces``    float64, shape (atoms, 3), kJ/mol/nm, in the input's atom order
        ``virial``    float64, shape (6,), kJ/mol: xx, yy, zz, xy, xz, yz
        ``iterations``  int, of the orbitals, only of an ab initio job

    Raises
    ------
    EngineError
        If the job cannot be read, or the energy is not finite.
    """

class Evaluator:
    """The objects of an ab initio job, kept for one geometry after the other.

    Parameters
    ----------
    job : str
        Path of the HDF5 job; it is not read again after the first evaluation.
    pes : int
    map : str
        Neither changes a bit.
    companion_seconds : float
        Longest wait for one answer of the program that finds the dispersion.

    Raises
    ------
    EngineError
        If the job cannot be used.
    """

    def __init__(
        self,
        job: str,
        *,
        pes: int = 1,
        map: str = "block",  # noqa: A002
        companion_seconds: float = 600.0,
    ) -> None: ...
    def energy(self, positions: NDArray[np.float64]) -> dict[str, Any]:
        """Evaluate at other positions, beginning with the orbitals of the evaluations before.

        Parameters
        ----------
        positions : float64, shape (atoms, 3)
            Bohr, in the job's order.

        Returns
        -------
        dict
            As `energy`, with ``iterations``.

        Raises
        ------
        EngineError
            Then the object is of no further use.
        """

    def save(self, path: str) -> None:
        """Write the orbitals of the last evaluation into a file.

        Raises
        ------
        EngineError
            If the file cannot be written.
        """

def check_job(name: str, file: bytes) -> None:
    """Refuse what `run` would refuse before its first step.

    Parameters
    ----------
    name : str
        What messages call the job.
    file : bytes
        The contents of a job file.

    Raises
    ------
    EngineError
        As `run` raises it.
    """

def estimate_steps(
    name: str,
    file: bytes,
    pes: int,
    divisions: list[tuple[tuple[int, int, int], int, tuple[int, int], float]] = [],
) -> list[dict[str, Any] | None]:
    """Estimate how long a step of a classical job takes with each of several divisions.

    Parameters
    ----------
    name : str
        What messages call the job.
    file : bytes
        The contents of a job file.
    pes : int
        On which objects are placed by their estimated work.
    divisions : list of tuple
        Patches, pair computes of each, pencils, radius of the inner list in bohr; if there are
        none, those of the job.

    Returns
    -------
    list of dict
        ``parts``  dict of float: seconds of all PEs together, by part of the work
        ``core_seconds``, ``seconds``  the sum of parts, and the work of the fullest PE
        ``most_atoms``  in one patch
        ``objects``, ``messages``  of a step
        None for a division that the engine refuses.

    Raises
    ------
    EngineError
        As `check_job` raises it, and for a job of another kind.
    """

def fit_of_estimates() -> str:
    """Return which machine the times of `estimate_steps` were fitted to, in words."""

def figures() -> dict[str, list[tuple[str, str, str]]]:
    """Return name, unit and meaning of every figure that the engine reports.

    Returns
    -------
    dict of list of tuple
        "progress", "result", each of the "phases" of a result, and "energy".
    """

def kinds() -> list[str]:
    """Return the kinds of runs, as jobs name them."""

def functional_terms() -> list[str]:
    """Return libxc's names, in capitals, of the LDAs and GGAs that a functional may consist of."""

def bonded_terms() -> list[tuple[str, int, list[tuple[str, bool, float, float]]]]:
    """Return the kinds of bonded terms that a job may hold.

    Returns
    -------
    list of tuple
        The table's name, the atoms of a term, and its columns: name, whether whole numbers, the
        least and the largest value in engine units.
    """

def job_keys() -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Return the keys of a job: for each kind of run, and for each object that has them.

    Returns
    -------
    dict of dict of list of dict
        Of each key ``name``, ``type``, ``unit`` (of the engine), ``least`` and ``most`` (the
        largest numbers if there is no limit), ``words`` that it may be, ``given`` ("always",
        "optional" or "where used"), ``with`` (another key without which it is not read),
        ``default`` (as text, of an optional one), ``in_digest`` and ``meaning``.
    """

def doctor() -> dict[str, Any]:
    """Describe this build and what it finds on this machine.

    Returns
    -------
    dict
        ``version``, ``compiler``, ``build_type``, ``simd_target``, ``portable_target`` (of runs
        with portable bits), ``simd_targets``, ``libraries`` (dict of versions), ``cores``,
        ``hardware_threads``, ``numa_nodes``, ``memory_bytes``.
    """
