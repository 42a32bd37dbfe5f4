# SPDX-License-Identifier: BSD-3-Clause
"""Scripts of bench/ store medians, ranges and counts, in one style of JSON."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
import stored

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "bench/results"


@pytest.fixture
def script(monkeypatch):
    """Import a script of bench/, which imports others of its folder."""

    def found(name):
        folder, _, module = name.rpartition("/")
        monkeypatch.syspath_prepend(str(ROOT / "bench" / folder))
        sys.modules.pop(module, None)
        return importlib.import_module(module)

    return found


def test_repeated_figures_become_a_median_and_a_range():
    assert stored.spread([3.0, 1.0, 2.0]) == {"median": 2.0, "range": [1.0, 3.0]}
    assert stored.spread([1 / 3]) == {"median": 0.3333333}
    runs = [{"seconds": 2, "energy": -1.0}, {"seconds": 4, "energy": -1.0, "more": 1}]
    found = stored.spreads(runs, "seconds", "more", "other")
    assert found == {"seconds": {"median": 3, "range": [2, 4]}}


def test_what_a_program_printed_loses_its_runs():
    printed = [
        {"ns": {"median": 2, "range": [1, 3], "runs": [1, 2, 3]}, "threads": 4},
        {"mpi": 430, "mpi_range": [428, 433], "ratio": 1.2},
    ]
    kept = [
        {"ns": {"median": 2, "range": [1, 3]}, "threads": 4},
        {"mpi": {"median": 430, "range": [428, 433]}, "ratio": 1.2},
    ]
    found = stored.compact({"repeats": 3, "entries": printed})
    assert found == {"repeats": 3, "entries": kept}


def test_json_has_a_line_for_what_fits_on_it():
    report = {
        "date": "today",
        "numbers": list(range(60)),
        "rows": [{"name": "å", "n": 1}, {"shares": {f"share {i}": i / 7 for i in range(9)}}],
        "none": [],
    }
    text = stored.text(report)
    assert json.loads(text) == report
    lines = text.splitlines()
    assert max(map(len, lines)) < stored.WIDTH
    assert lines[:3] == ["{", ' "date": "today",', ' "numbers": [']
    assert '  {"name": "å", "n": 1},' in lines
    assert ' "none": []' in lines
    assert any(line.startswith('  {"shares": {') for line in lines)  # a row begins on its line
    assert len(lines) == 16


def test_results_are_read_as_they_were_written(tmp_path, capsys):
    stored.write({"a": [1.5, None]}, tmp_path / "new/x.json")
    assert stored.read(tmp_path / "new/x.json") == {"a": [1.5, None]}
    stored.write({"a": 1}, None)
    assert capsys.readouterr().out == '{"a": 1}\n'


def test_all_results_have_this_style_and_no_runs():
    lines = 0
    for path in RESULTS.rglob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert stored.text(json.loads(text)) == text, path
        assert '"runs": [' not in text, path
        lines += text.count("\n")
    assert lines < 10_000


def test_a_program_of_a_comparison_keeps_quartiles_and_the_parts_of_its_middle_run(script):
    runs = [
        {
            "ns_per_day": rate,
            "seconds_per_step": 0.1728 / rate,
            "state_digest": "ab12",
            "phases": [{"name": "pair forces", "share": rate / 100, "seconds": 1, "calls": 2}],
            "energy_drift": 0.01,
        }
        for rate in (30.0, 20.0, 40.0)
    ]
    counts = {"pair": 1000, "atom": 100, "point": 10}
    about = {"version": "0.1.0", "simd_target": "AVX3"}
    found = script("peers/compare").summary("finegrain", about, runs, 2, counts)
    parts = {part["part"]: part for part in found.pop("parts")}
    rate = {"ns_per_day_median": 30.0, "ns_per_day_min": 20.0, "ns_per_day_max": 40.0}
    rate |= {"ns_per_day_quartiles": [20.0, 40.0], "state_digest": "ab12"}
    assert found == {"program": "finegrain", **about, "threads": 2, **rate}
    assert parts["a step"]["ms"] == pytest.approx(2 * 5.76)
    assert parts["pair forces and their lists"]["ms"] == pytest.approx(0.3 * 2 * 5.76)
    one = {"ns_per_day": 9, "nstlist": 80}
    theirs = script("peers/compare").summary("gromacs-sd", {}, [one], 1, {})
    assert (theirs["nstlist"], theirs["parts"], theirs["ns_per_day_quartiles"]) == (80, [], [9, 9])


def test_ground_states_keep_times_memory_and_what_the_last_run_tells(script):
    runs = [
        {
            "seconds": seconds,
            "core_seconds": 2 * seconds,
            "peak_memory": memory,
            "shares": {"idle": share},
            "energy": -137.5465429457897,
            "iterations": 17,
        }
        for seconds, memory, share in ((3.0, 100, 0.3), (1.0, 300, 0.1), (2.0, 200, 0.2))
    ]
    summary = script("peers/ground_states").summary
    assert summary(runs) == {
        "runs": 3,
        "seconds": {"median": 2.0, "range": [1.0, 3.0]},
        "core_seconds": {"median": 4.0, "range": [2.0, 6.0]},
        "peak_memory": {"median": 200, "range": [100, 300]},
        "shares": {"idle": 0.2},
        "energy": -137.5465429457897,
        "iterations": 17,
    }
    steps = summary([{"seconds_of_a_step": 0.15, "seconds": 4.1, "total_energy": -137.5}])
    assert steps["seconds_of_a_step"] == {"median": 0.15}
    assert (steps["runs"], steps["total_energy"]) == (1, -137.5)


def test_layouts_of_a_ground_state_keep_the_times_of_the_engine(script):
    runs = [
        {
            "seconds": seconds + 1,
            "core_seconds": 2 * seconds,
            "peak_of_a_process": 100,
            "engine_seconds": seconds,
            "seconds_of_an_iteration": seconds / 10,
            "iterations": 17,
            "messages": 40,
            "overhead_share": 0.01,
            "idle_share": 0.02,
            "energy": -550.2,
            "state_digest": "ab",
        }
        for seconds in (10.0, 12.0, 11.0)
    ]
    found = script("peers/ground_state_processes").summary(runs)
    assert found["seconds"] == {"median": 11.0, "range": [10.0, 12.0]}
    assert found["seconds_of_the_command"] == {"median": 12.0, "range": [11.0, 13.0]}
    assert (found["iterations"], found["messages"], found["peak_of_a_process"]) == (17, 40, 100)


def test_steps_on_cores_need_one_digest(script):
    runs = [{"seconds_of_a_step": t, "idle_share": 0.1, "state_digest": "ab"} for t in (1.0, 3.0)]
    summary = script("peers/dynamics_on_cores").summary
    assert summary(runs) == {
        "seconds_of_a_step": {"median": 2.0, "range": [1.0, 3.0]},
        "idle_share": {"median": 0.1, "range": [0.1, 0.1]},
        "state_digest": "ab",
    }
    with pytest.raises(SystemExit, match="2 digests of the same job"):
        summary([runs[0], {**runs[1], "state_digest": "cd"}])


def test_sizes_of_patches_are_held_against_the_first_job_round_by_round(script):
    rows = [
        {"side": 2, "pes": 1, "ms": [10.0, 20.0]},
        {"side": 2, "pes": 2, "ms": [6.0, 6.0]},
        {"side": 4, "pes": 1, "ms": [11.0, 24.0]},
        {"side": 4, "pes": 2, "ms": [9.0, 12.0]},
    ]
    found = script("accuracy/patch_sizes").summary(rows)
    ranges = [row["ratio"]["range"] for row in found]
    assert ranges == [[1.0, 1.0], [1.0, 1.0], [1.1, 1.2], [1.5, 2.0]]
    assert found[3]["ms"] == {"median": 10.5, "range": [9.0, 12.0]}


def test_transforms_of_both_languages_keep_a_spread(script):
    transforms = script("peers/transforms")
    entry = {"ranks": 2, "n": 32, "program": "FFTW", "runs": [3.0, 1.0]}
    assert transforms.with_spread(entry, entry["runs"]) == {
        **{key: entry[key] for key in ("ranks", "n", "program")},
        "us": {"median": 2.0, "range": [1.0, 3.0]},
    }
    given = {"grid": [64] * 3, "program": "dtFFT", "microseconds": {"runs": [5.0, 6.0]}}
    (found,) = transforms.entries_of({"entries": [given]}, ranks=2)
    us = {"median": 5.5, "range": [5.0, 6.0]}
    assert found == {"ranks": 2, "n": 64, "program": "dtFFT", "us": us}


def test_figures_in_turns_have_ratios_in_pairs(script):
    first, second = iter([2.0, 3.0, 4.0]), iter([1.0, 1.0, 4.0])
    found = script("peers/processes").in_turns(3, lambda: next(first), lambda: next(second))
    assert found == {
        "first": {"median": 3.0, "range": [2.0, 4.0]},
        "second": {"median": 1.0, "range": [1.0, 4.0]},
        "ratio_of_medians": 3.0,
        "ratio_in_pairs": {"median": 2.0, "range": [1.0, 3.0]},
    }


def test_parts_keep_no_runs_of_their_program(script, tmp_path, monkeypatch):
    parts = script("peers/parts")
    program = tmp_path / "queue_peers"
    printed = {
        "benchmark": "queue",
        "hand_over_ns": {"median": 5.0, "range": [4.0, 6.0], "runs": [4.0, 5.0, 6.0]},
        "entries": [{"peer": "a", "rate": {"median": 2, "range": [1, 3], "runs": [1, 2, 3]}}],
    }
    program.write_text(f"#!/bin/sh\necho '{json.dumps(printed)}'\n")
    program.chmod(0o755)
    found = parts.measure("queue", tmp_path)
    assert found["hand_over_ns"] == {"median": 5.0, "range": [4.0, 6.0]}
    assert found["entries"] == [{"peer": "a", "rate": {"median": 2, "range": [1, 3]}}]
    assert {"date", "machine", "cores_busy_with_others"} <= set(found)


def test_micro_benchmarks_keep_medians_and_their_variation(script):
    about = {"run_name": "multicast/1", "run_type": "aggregate", "repetitions": 7, "threads": 1}
    about |= {"iterations": 7, "time_unit": "ns", "family_index": 0}
    rows = [
        {**about, "aggregate_name": name, "real_time": time, "cpu_time": 1.0, "each": 3}
        for name, time in (("mean", 9.0), ("median", 8.0), ("stddev", 1.0), ("cv", 0.125))
    ]
    context = {"date": "2026-11-21T05:57:58+00:00", "host_name": "a"}
    found = script("micro/measure").summary({"context": context, "benchmarks": rows})
    row = {"name": "multicast/1", "repetitions": 7, "unit": "ns", "each": 3}
    row |= {"real_time": 8.0, "cpu_time": 1.0, "variation": 0.125}
    assert found == {"date": "2026-11-21", "benchmarks": [row]}


SCRIPTS = [path for path in (ROOT / "bench").rglob("*.py") if "import stored\n" in path.read_text()]


@pytest.mark.nightly
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_that_store_results_start_by_themselves(path):
    pytest.importorskip("openmmtools")
    command = [sys.executable, str(path), "--help"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, done.stderr
    assert "--out" in done.stdout


def test_figures_of_tests_are_added_to_their_file(script, monkeypatch, tmp_path):
    monkeypatch.setenv("FINEGRAIN_FIGURES", str(tmp_path / "x.json"))
    keep = importlib.import_module("figures").keep
    keep("drift", "none", drift=1.5e-6)
    keep("drift", "Langevin", drift=2.5e-6)
    report = stored.read(tmp_path / "x.json")
    assert report["drift"] == {"none": {"drift": 1.5e-6}, "Langevin": {"drift": 2.5e-6}}
    assert "cpu" in report["machine"]
