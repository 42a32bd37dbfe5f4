# SPDX-License-Identifier: BSD-3-Clause
"""Steps of a job on a machine that SimGrid simulates.

The engine computes all of them, in as many processes as the job has ranks, which SimGrid runs in
turns. Objects charge the simulated nodes for their counted work (``engine/forces/costs`` and
``engine/ab_initio/division/costs.hpp``), and messages take what the machine says.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finegrain.errors import KINDS, InputError, ResourceError
from finegrain.kinds.registry import kind_of_job
from finegrain.machines.description import MachineDescription
from finegrain.machines.simgrid import cluster_of, host_list, smpi_options
from finegrain.planning.routes import refuse_too_large, routed_platform

PROGRAM = "finegrain-engine-smpi"
SPEED_VARIABLE = "FINEGRAIN_SIMULATED_SPEED"
WAITS = "idle"  # the phase
# Lengths of two runs by their kind. Iterations of a search are alike from the second one on.
USUAL_STEPS = {"classical": (12, 52), "ab-initio": (1, 3)}


@dataclass(frozen=True)
class SimulatedStep:
    """A step on a simulated machine.

    Attributes
    ----------
    seconds : float
        Simulated time.
    phases : dict of str to float
        Seconds of a node, as the mean of all, by phase; "idle" are its waits.
    messages : float
        Between objects, of all nodes.
    state_digest : str
        The digest at the end of the longer run.
    """

    seconds: float
    phases: dict[str, float]
    messages: float
    state_digest: str


def simulated_step(
    job: Path,
    machine: MachineDescription,
    *,
    steps: tuple[int, int] | None = None,
    engine: Path | None = None,
    seconds: float = 900,
) -> SimulatedStep:
    """Run a job twice on a simulated machine; the difference is that of so many steps.

    Parameters
    ----------
    job : Path
        The job.
    machine : MachineDescription
        Any machine, with a node for each rank. Its processor says how fast nodes are with work and
        with messages.
    steps : tuple of int
        The lengths of the two runs; by default those of `USUAL_STEPS`. Start and end of a
        classical run take a millisecond more or less, so a step is known to a fortieth of that.
        Rebuilds of lists between them count for their messages alone. For a ground state they are
        iterations. A dynamics of electrons first searches its ground state, on the simulated
        machine too.
    engine : Path, optional
        The engine for SimGrid; by default the one on the path.
    seconds : float
        How long one of the two runs may take on this machine.

    Raises
    ------
    InputError
        If the machine is too large to simulate, or the engine refuses it or the job.
    ResourceError
        If SimGrid or the engine for it is missing, or a run takes too long.
    """
    refuse_too_large(machine)
    steps = steps or USUAL_STEPS[kind_of_job(job).name]
    if not 0 <= steps[0] < steps[1]:
        raise InputError(
            "two lengths of runs are needed, the shorter one first",
            where="steps",
            value=f"{steps[0]}, {steps[1]}",
        )
    node_of_rank = machine.allocation.node_of_rank
    program = engine or _found(PROGRAM, "build it with `make build-simulated`")
    _found("smpirun", "install SimGrid: `tools/setup.sh --bench`")
    cluster = cluster_of(machine)
    platform_text = cluster.platform() if cluster else routed_platform(machine)
    with tempfile.TemporaryDirectory(prefix="finegrain-simulated-") as name:
        folder = Path(name)
        platform, hosts = folder / "platform.xml", folder / "hosts"
        platform.write_text(platform_text, "utf-8")
        hosts.write_text(host_list(node_of_rank), "utf-8")
        options = smpi_options(machine.processor, ranks=len(node_of_rank))
        environment = smpi_environment(folder, speed=machine.processor.core_speed)
        results = []
        for count in steps:
            words = ["--steps", str(count)]
            command = smpi_command(program, job, folder / "out", platform, hosts, options, words)
            results.append(_result(command, environment, seconds))
    return step_between(*results, ranks=len(node_of_rank))


def smpi_command(
    engine: Path,
    job: Path,
    out: Path,
    platform: Path,
    hosts: Path,
    options: Sequence[str],
    words: Sequence[str],
) -> list[str]:
    """Return the command that runs a job on the hosts of a list, and reports in JSON."""
    ranks = len(hosts.read_text("utf-8").split())
    return [
        *("smpirun", "-np", str(ranks), "-platform", str(platform), "-hostfile", str(hosts)),
        *options,
        *(str(engine), str(job), "--out", str(out), "--json", "--quiet", "--overwrite"),
        *words,
    ]


def smpi_environment(folder: Path, *, speed: float | None = None) -> dict[str, str]:
    """Return what the environment of such a command has to have.

    SimGrid keeps a copy of the program for every process in the folder for temporary files.
    """
    found = {"TMPDIR": str(folder), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return found if speed is None else found | {SPEED_VARIABLE: repr(speed)}


def step_between(short: Mapping[str, Any], long: Mapping[str, Any], *, ranks: int) -> SimulatedStep:
    """Return what a step between the ends of two runs takes; arguments are their results."""
    steps = long["steps"] - short["steps"]
    if steps < 1:
        raise InputError(
            "the run ends before its usual steps are simulated",
            value=f"{long['steps']} steps or iterations",
            hint="a smaller tolerance gives a longer search",
        )
    walls = [one["seconds_per_step"] * one["steps"] for one in (short, long)]
    before = {row["name"]: row["seconds"] for row in short["phases"]}
    phases = {
        row["name"]: (row["seconds"] - before.get(row["name"], 0.0)) / (steps * ranks)
        for row in long["phases"]
    }
    return SimulatedStep(
        seconds=(walls[1] - walls[0]) / steps,
        phases=dict(sorted(phases.items(), key=lambda phase: -phase[1])),
        messages=(long["messages"] - short["messages"]) / steps,
        state_digest=str(long["state_digest"]),
    )


def _found(program: str, hint: str) -> Path:
    path = shutil.which(program)
    if path is None:
        raise ResourceError(f"{program} was not found", where="PATH", hint=hint)
    return Path(path)


def _result(
    command: Sequence[str], environment: Mapping[str, str], seconds: float
) -> dict[str, Any]:
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ResourceError(
            "the simulation of a run takes too long",
            value=f"{seconds:g} s",
            hint="simulate fewer nodes, or give it more time",
        ) from error
    for line in done.stdout.splitlines():
        said = json.loads(line) if line.startswith("{") else {}
        if "result" in said:
            found: dict[str, Any] = said["result"]
            return found
        if "error" in said:
            content = said["error"]
            parts = {name: str(content[name]) for name in ("where", "value", "limit", "hint")}
            raise KINDS[content["kind"]](str(content["what"]), **parts)
    raise ResourceError(
        "the simulated run ended without a result",
        where=" ".join(command[:2]),
        value=done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "",
    )
