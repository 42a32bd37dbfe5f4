# SPDX-License-Identifier: BSD-3-Clause
"""Timing of fixed systems, with everything that is needed to judge the figure."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from finegrain import api
from finegrain.classical.job import Job
from finegrain.classical.run import Run
from finegrain.engine import machine
from finegrain.engine.engine import load_engine, usable_cores
from finegrain.errors import InputError, ResourceError
from finegrain.files.whole import replace_file
from finegrain.runs.folder.directory import plain
from finegrain.runs.options import How
from finegrain.toml_input.more_keys import with_more_keys
from finegrain.toml_input.source import read_toml
from finegrain.words.report import phase_table, table_text

SYSTEMS = ("dhfr",)

Keys = Mapping[str, Any]  # of an input, such as {"dynamics.friction": "1 1/ps"}

# What all systems have in common; bench/peers has the same for the other programs.
SETTINGS = """\
[system]
kind = "classical"

[forces]
cutoff = "9 Å"
switch = "off"
electrostatics = "pme"
spline_order = 4
ewald_coefficient = "0.347 1/Å"
dispersion_correction = true
constraints = "h-bonds"
rigid_water = true
precision = "mixed"

[dynamics]
ensemble = "nvt"
timestep = "2 fs"
steps = 1000
temperature = "300 K"
seed = 1

[output]
trajectory_interval = 0
energy_interval = 100
"""
# The joint AMBER-CHARMM benchmark: dihydrofolate reductase in TIP3P water, 23,558 atoms.
DHFR: Keys = {
    "system.title": "DHFR in water (joint AMBER-CHARMM benchmark)",
    "system.topology": "openmmtools:DHFRExplicit",
    "forces.mesh": [64, 64, 64],
}
LANGEVIN: Keys = {"dynamics.friction": "1 1/ps"}
# One factor for all velocities, as GROMACS's v-rescale has.
VELOCITY_RESCALING: Keys = {
    "dynamics.thermostat": "velocity-rescaling",
    "dynamics.thermostat_time": "1 ps",
}


def write_input(path: Path, system: Keys, more: Keys = LANGEVIN) -> None:
    """Write an input with the settings of all systems, a thermostat, and more keys."""
    path.write_text(SETTINGS)
    path.write_text(with_more_keys(read_toml(path), {**system, **more}))


def dhfr_job(folder: Path) -> Job:
    """Make the fixed job in `folder`."""
    source = folder / "dhfr.toml"
    write_input(source, DHFR)
    return Job(api.load(source, folder / "dhfr.job.h5"))


def time_job(
    job: Job,
    folder: Path,
    *,
    steps: int,
    warm_up: int,
    **how: Unpack[How],
) -> dict[str, Any]:
    """Time `steps` steps after `warm_up` steps; `how` are options of `finegrain.run`.

    The run stops at a checkpoint after the warm-up and continues with the clock running. The
    trajectory, and so the digest, is the same as without the stop.

    Returns
    -------
    dict
        The result of the timed part (see `Run.result`), with ``warm_up_steps``. ``steps`` counts
        the timed steps. They may be slightly fewer than asked for, because the warm-up ends at a
        rebuild.

    Raises
    ------
    ResourceError
        If Ctrl-C ended it early; a partial benchmark gives no figure.
    InputError
        If there are too few steps for one interval of the pair list.
    """
    out = folder / "run"
    if warm_up:
        how["stop_after"] = warm_up
    done = api.run(job, out, steps=warm_up + steps, overwrite=True, **how)
    how.pop("stop_after", None)
    assert isinstance(done, Run)  # of a job
    warmed_up = 0
    if warm_up:
        warmed_up = int(done.result["steps"])
        if warmed_up < warm_up:
            raise _stopped(warmed_up, warm_up + steps)
        if done.finished:
            raise InputError(
                "too few steps to time",
                where="--steps",
                value=str(steps),
                limit=f"more than an interval of the list, {job.settings['rebuild_interval']}",
                hint="a thousand steps take half a minute",
            )
        done = api.resume(out, **how)
    if not done.finished:
        raise _stopped(int(done.result["steps"]), warm_up + steps)
    timed = warm_up + steps - warmed_up
    return {**done.result, "steps": timed, "warm_up_steps": warmed_up}


def _stopped(step: int, steps: int) -> ResourceError:
    return ResourceError(
        "the benchmark was stopped before its end",
        value=f"step {step:,}",
        limit=f"{steps:,} steps",
        hint="nothing was timed; let it run to its end",
    )


def time_dhfr(*, steps: int = 1000, warm_up: int = 200, **how: Unpack[How]) -> dict[str, Any]:
    """Time DHFR: 23,558 atoms, 0.9 nm, 64³ mesh of order 4, 2 fs, Langevin at 300 K.

    Parameters
    ----------
    steps, warm_up : int
        Timed steps, and steps before them.
    how
        Options of `finegrain.run`, such as `pes`.

    Returns
    -------
    dict
        ``benchmark, program, version, atoms, steps, warm_up_steps, seconds_per_step, ns_per_day,
        pes, ranks, state_digest, energy_drift, energy_drift_unit, phases, settings, machine``.
    """
    if steps < 1:
        raise InputError("too few steps", where="--steps", value=str(steps), limit="at least 1")
    with tempfile.TemporaryDirectory(prefix="finegrain-bench-") as name:
        folder = Path(name)
        job = dhfr_job(folder)
        result = time_job(job, folder, steps=steps, warm_up=warm_up, **how)
    return {
        "benchmark": "dhfr",
        "program": "finegrain",
        "version": machine.version(),
        "settings": {**job.settings, **job.dynamics},
        **result,
        "machine": machine.fingerprint(load_engine().doctor()),
    }


def compare_with_peers(
    *, pes: int | None = None, steps: int = 500, repeats: int = 5
) -> dict[str, Any]:
    """Run the comparison in bench/peers: all programs in turns, median and range.

    Parameters
    ----------
    pes : int, optional
        Threads of every program; by default runs with one and with all cores that this process may
        use.
    steps : int
        Timed steps of each run; fewer for OpenMM.
    repeats : int
        Rounds; each runs every program once.

    Raises
    ------
    InputError
        If finegrain was installed without its source, which contains the comparison.
    ResourceError
        If the comparison fails.
    """
    script = Path(__file__).parents[3] / "bench" / "peers" / "compare.py"
    if not script.exists():
        raise InputError(
            "the comparison with other programs needs the source folder, which is missing",
            where="--peers",
            value=str(script),
            hint="clone the repository, then: make build && .venv/bin/finegrain bench dhfr --peers",
        )
    with tempfile.TemporaryDirectory(prefix="finegrain-bench-") as name:
        answer = Path(name) / "report.json"
        threads = [pes] if pes else sorted({1, usable_cores()})
        command = [sys.executable, str(script), "--steps", str(steps), "--repeats", str(repeats)]
        command += ["--threads", *(str(count) for count in threads), "--out", str(answer)]
        done = subprocess.run(command, check=False, stdout=sys.stderr)
        if done.returncode != 0 or not answer.exists():
            raise ResourceError(
                "the comparison failed",
                where=str(script),
                value=f"status {done.returncode}",
                hint="its last lines above say why",
            )
        report: dict[str, Any] = json.loads(answer.read_text())
    return report


def write_report(report: Mapping[str, Any], path: Path) -> None:
    """Store a report as JSON."""
    text = json.dumps(plain(dict(report)), indent=2, ensure_ascii=False) + "\n"
    replace_file(path, text.encode())


def _of_each(report: Mapping[str, Any]) -> str:
    ranks = int(report.get("ranks") or 1)
    return f" of each of {ranks} processes" if ranks > 1 else ""


def report_text(report: Mapping[str, Any]) -> str:
    """Return a report as text."""
    if "programs" in report:
        rows = [["program", "threads", "ns/day", "from", "to", "finegrain is"]]
        for entry in report["programs"]:
            ratio = entry.get("finegrain_ratio")
            rows.append(
                [
                    f"{entry['program']} {entry.get('version', '')} "
                    f"{entry.get('simd') or entry.get('simd_target') or ''}".rstrip(),
                    str(entry["threads"]),
                    f"{entry['ns_per_day_median']:.2f}",
                    f"{entry['ns_per_day_min']:.2f}",
                    f"{entry['ns_per_day_max']:.2f}",
                    "" if ratio is None else f"{ratio:.2f} times as fast",
                ]
            )
        return table_text(rows, numbers=(1, 2, 3, 4))
    lines = [
        f"{report['benchmark']}: {report['atoms']:,} atoms, {report['steps']:,} steps "
        f"on {report['pes']} threads{_of_each(report)}",
        f"{report['ns_per_day']:.3g} ns/day, {1000 * report['seconds_per_step']:.3f} ms/step",
        f"state digest {report['state_digest']}",
    ]
    if report.get("phases"):
        lines += ["", phase_table(report).rstrip("\n")]
    return "\n".join(lines) + "\n"
