# SPDX-License-Identifier: BSD-3-Clause
"""The comparison with other programs reads their logs, and bench finds it."""

import importlib
import json
import os
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

from finegrain.classical.job import Job
from finegrain.errors import EXIT_RESOURCE
from finegrain.terminal import benchmark

PEERS = Path(__file__).resolve().parents[3] / "bench" / "peers"

LOG = """\
Changing nstlist from 10 to 50, rlist from 0.9 to 1.026
   nstlist                        = 10

	M E G A - F L O P S   A C C O U N T I N G

 NxN=N-by-N cluster Verlet kernels

 Computing:                               M-Number         M-Flops  % Flops
-----------------------------------------------------------------------------
 NxN QSTab Elec. + LJ [F]               111.438576        4568.982    42.7
 3D-FFT                                 197.590638        1580.725    14.8
-----------------------------------------------------------------------------
 Total                                                   10693.263   100.0
-----------------------------------------------------------------------------

     R E A L   C Y C L E   A N D   T I M E   A C C O U N T I N G

On 1 MPI rank, each using 2 OpenMP threads

 Computing:          Num   Num      Call    Wall time         Giga-Cycles
                     Ranks Threads  Count      (s)         total sum    %
-----------------------------------------------------------------------------
 Neighbor search        1    2         11       0.668          3.268   1.1
 Force                  1    2        501      21.703        106.152  36.7
 NB X/F buffer ops.     1    2        991       7.180         35.118  12.1
 Rest                                           0.140          0.684   0.2
-----------------------------------------------------------------------------
 Total                                         59.206        289.586 100.0
-----------------------------------------------------------------------------
 Breakdown of PME mesh computation
-----------------------------------------------------------------------------
 PME spread             1    2        501       6.000         29.586  10.0

               Core t (s)   Wall t (s)        (%)
       Time:      118.403       59.206      200.0
                 (ns/day)    (hour/ns)
Performance:       18.462       16.412
"""

TOPOLOGY = """\
[ moleculetype ]
protein 3
[ bonds ]
      1      2     1   0.10100 363171.200000
[ moleculetype ]
; Name            nrexcl
WAT          3

[ atoms ]
    1         OW      1    WAT      O      1 -0.83400000  15.999400

[ bonds ]
;    ai     aj funct         c0         c1
      3      1     1   0.09572 462750.400000
      2      1     1   0.09572 462750.400000
      2      3     1   0.15136 462750.400000

[ system ]
"""


@pytest.fixture
def gromacs(monkeypatch):
    """Import bench/peers/gromacs.py, which is a script that imports others."""
    monkeypatch.syspath_prepend(str(PEERS))
    for name in ("gromacs", "dhfr"):
        sys.modules.pop(name, None)
    return importlib.import_module("gromacs")


def test_the_figures_of_a_gromacs_log(gromacs):
    found = gromacs.parse_log(LOG)
    assert (found["ns_per_day"], found["nstlist"]) == (18.462, 50)
    assert [(row["name"], row["seconds"]) for row in found["phases"]] == [
        ("Neighbor search", 0.668),
        ("Force", 21.703),
        ("NB X/F buffer ops.", 7.18),
        ("Rest", 0.14),
        ("Total", 59.206),
        ("PME spread", 6.0),
    ]
    assert found["computed"] == [
        {"name": "NxN QSTab Elec. + LJ [F]", "millions": 111.438576},
        {"name": "3D-FFT", "millions": 197.590638},
    ]
    # 2 fs a step at 18.462 ns a day.
    assert found["seconds_per_step"] == pytest.approx(2e-6 * 86400 / 18.462, rel=1e-15)


def test_phases_of_both_programs_become_the_same_parts(gromacs, monkeypatch):
    """Each part is counted once, and the parts add up to the step."""
    phases = importlib.import_module("phases")
    counts = {"pair": 2e6, "atom": 1e4, "point": 1e5}
    theirs = [
        {"name": name, "seconds": 1.0, "percent": percent}
        for name, percent in (
            ("Domain decomp.", 1.0),
            ("Neighbor search", 4.0),
            ("Force", 70.0),
            ("PME mesh", 15.0),
            ("Update", 4.0),
            ("Constraints", 5.0),
            ("Rest", 1.0),
            ("Total", 100.0),
            ("PME spread", 4.0),
            ("PME gather", 3.0),
            ("PME 3D-FFT", 6.0),
            ("PME solve Elec", 2.0),
        )
    ]
    ours = [
        {"name": name, "seconds": 1.0, "share": share}
        for name, share in (
            ("pair forces", 0.6),
            ("bonded forces", 0.1),
            ("mesh: transforms", 0.12),
            ("mesh: spread and gather", 0.08),
            ("patches: move, constrain, publish", 0.07),
            ("idle", 0.03),
        )
    ]
    for rows, pairs, mesh, motion, rest in (
        (theirs, 75.0, 15.0, 9.0, 1.0),
        (ours, 70.0, 20.0, 7.0, 3.0),
    ):
        found = {part["part"]: part for part in phases.parts_of(rows, 0.01, 2, counts)}
        step = 1e3 * 0.01 * 2
        for name, percent in (
            ("lists, pair and bonded forces", pairs),
            ("mesh", mesh),
            ("motion and constraints", motion),
            ("all else", rest),
            ("a step", 100.0),
        ):
            assert found[name]["ms"] == pytest.approx(step * percent / 100)
        whole = sum(part["ms"] for part in found.values() if not part["within"])
        assert whole == pytest.approx(2 * step)  # the parts, and the step itself
        of_pairs = found["lists, pair and bonded forces"]
        assert of_pairs["ns_per"] == pytest.approx(1e6 * of_pairs["ms"] / 2e6)
        of_waves = found["transforms and convolution"]
        assert of_waves["ns_per"] == pytest.approx(1e6 * of_waves["ms"] / 1e5)


def test_pairs_within_the_cutoff_are_counted_over_the_faces(gromacs):
    phases = importlib.import_module("phases")
    rng = np.random.default_rng(3)
    edges = np.array([2.0, 3.0, 2.5])
    places = rng.uniform(-1, 4, (60, 3))
    apart = places[:, None] - places[None, :]
    apart -= edges * np.round(apart / edges)
    close = np.linalg.norm(apart, axis=2) < 0.9
    assert phases.pairs_within(places, edges, 0.9) == (close.sum() - 60) // 2


def test_water_gets_settle_and_protein_keeps_its_bonds(gromacs):
    text = gromacs.with_settles(TOPOLOGY)
    assert "[ settles ]\n1 1 0.09572 0.15136\n" in text
    assert text.count("[ bonds ]") == 1
    assert text.endswith("[ system ]\n")


def program_of(folder: Path, simd: str) -> Path:
    """Write a gmx that only knows its version."""
    folder.mkdir()
    gmx = folder / "gmx"
    gmx.write_text(
        "#!/bin/sh\n"
        'test "$1" = --version || exit 1\n'
        f'printf "GROMACS version:    2027\\nSIMD instructions:  {simd}\\n"\n'
    )
    gmx.chmod(0o755)
    return gmx


def test_builds_of_gromacs_are_named_with_their_simd_level(gromacs, monkeypatch, tmp_path):
    installed = program_of(tmp_path / "installed", "SSE4.1")
    other = program_of(tmp_path / "other", "AVX_512")
    monkeypatch.setenv("PATH", f"{installed.parent}:{os.environ['PATH']}")
    found = gromacs.programs([other])
    assert found == {"gromacs": str(installed), "gromacs-1": str(other)}
    levels = [gromacs.version(path)["simd"] for path in found.values()]
    assert levels == ["SSE4.1", "AVX_512"]


def test_a_build_that_is_no_program_is_refused(gromacs, tmp_path):
    with pytest.raises(SystemExit, match=r"--gmx .*nothing"):
        gromacs.programs([tmp_path / "nothing"])


def test_bench_and_peers_agree_on_the_physics(gromacs):
    import dhfr

    text = benchmark.SETTINGS
    assert f'cutoff = "{10 * dhfr.CUTOFF_NM:g} Å"' in text
    assert benchmark.DHFR["forces.mesh"] == 3 * [dhfr.MESH]
    assert f"spline_order = {dhfr.SPLINE_ORDER}" in text
    assert f'ewald_coefficient = "{dhfr.EWALD_COEFFICIENT_PER_NM / 10:g} 1/Å"' in text
    assert f'timestep = "{dhfr.TIMESTEP_FS:g} fs"' in text
    assert f'temperature = "{dhfr.TEMPERATURE_K:g} K"' in text


def test_an_unknown_benchmark_is_bad_input(refused):
    assert "dhfr" in refused("bench", "stmv")


def test_bench_prints_what_the_design_promises(engine, job, accepted, monkeypatch):
    monkeypatch.setattr(benchmark, "dhfr_job", lambda folder: Job(job))
    done = accepted("bench", "dhfr", "--steps", "60", "--warm-up", "40", "--pes", "2", "--json")
    answer = json.loads(done.stdout)
    assert (answer["steps"], answer["warm_up_steps"], answer["pes"]) == (60, 40, 2)
    for key in ("seconds_per_step", "ns_per_day", "ranks", "state_digest", "energy_drift_unit"):
        assert key in answer
    assert answer["machine"]["engine"]["compiler"] == "g++ 12.2.0"
    assert {"cpu", "cores", "simd_flags"} <= set(answer["machine"])


@pytest.mark.parametrize("stop_at", [20, 70])
def test_a_benchmark_that_was_stopped_has_no_figure(engine, job, command, monkeypatch, stop_at):
    """Both in the warm-up and in the timed part."""
    monkeypatch.setattr(benchmark, "dhfr_job", lambda folder: Job(job))

    def interrupt(step: int) -> None:
        if step == stop_at:
            os.kill(os.getpid(), signal.SIGINT)

    engine.before_step = interrupt
    engine.wait_for_stop_at = stop_at + 10
    done = command("bench", "dhfr", "--steps", "60", "--warm-up", "40")
    assert done.exit_code == EXIT_RESOURCE
    assert "stopped before its end" in done.stderr
    assert "ns/day" not in done.stdout


@pytest.mark.parametrize(
    "words", [("--warm-up", "-5"), ("--repeats", "0"), ("--steps", "0"), ("--pes", "0")]
)
def test_counts_of_a_benchmark_are_checked_first(engine, refused, words):
    assert words[0] in refused("bench", "dhfr", *words)
    assert not engine.calls


def test_where_a_benchmark_is_to_be_written_is_checked_first(engine, refused, tmp_path):
    assert "nowhere" in refused("bench", "dhfr", "--out", tmp_path / "nowhere" / "figures.json")
    assert not engine.calls


def test_a_comparison_names_the_simd_level_of_each_program():
    figures = {"ns_per_day_median": 2.0, "ns_per_day_min": 1.0, "ns_per_day_max": 3.0}
    peer = {"program": "gromacs-sd", "version": "2022.5", "simd": "SSE4.1", "threads": 2, **figures}
    text = benchmark.report_text({"programs": [peer, {**peer, "program": "openmm", "simd": ""}]})
    assert "gromacs-sd 2022.5 SSE4.1 " in text
    assert "openmm 2022.5  " in text
