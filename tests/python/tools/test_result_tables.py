# SPDX-License-Identifier: BSD-3-Clause
"""The tables of the pages agree with the stored results."""

import json
import subprocess
import sys

import pytest
import stored


def page(*names):
    blocks = "\n\n".join(
        f"<!-- figures: {name}; made by tools/result_tables.py from bench/results, "
        "do not edit -->\n<!-- end of figures -->"
        for name in names
    )
    return f"# A project\n\n{blocks}\n\nThe rest.\n"


@pytest.fixture
def make(tmp_path, tools):
    """Run the script on a README, pages of docs/ and these results."""

    def run(*options, results=()):
        (tmp_path / "bench/results").mkdir(parents=True, exist_ok=True)
        for name, result in dict(results).items():
            (tmp_path / f"bench/results/{name}.json").write_text(json.dumps(result))
        command = [sys.executable, str(tools / "result_tables.py"), *options, str(tmp_path)]
        return subprocess.run(command, check=False, capture_output=True, text=True)

    (tmp_path / "README.md").write_text(page("speed"))
    return run


def program(name, median, ratio=None):
    rate = {"ns_per_day_median": median, "ns_per_day_min": median - 1, "ns_per_day_max": median + 1}
    return {"program": name, "version": "1", "threads": 2, **rate, "finegrain_ratio": ratio}


def figure(median):
    return {"median": median, "range": [median - 1, median + 1]}


A_CPU = {"cpu": "a CPU", "cpu_family": "25", "cpu_model": "17"}
COMPARISON = {
    "benchmark": "dhfr",
    "atoms": 23558,
    "repeats": 5,
    "machine": {"cpu": "Some CPU"},
    "programs": [program("finegrain", 30.0), program("gromacs", 20.0, 1.5)],
}
QUEUE = {
    "entries": [
        {"peer": "ours", "pair_ns": figure(15.5)},
        {"peer": "theirs", "pair_ns": figure(24)},
        {"peer": "ours", "producers": 8, "flow": "window", "rate": figure(28.2)},
        {"peer": "theirs", "producers": 8, "flow": "window", "rate": figure(19.6)},
    ]
}


def test_a_comparison_names_its_settings_and_the_ratio_of_coarse_objects(make, tmp_path):
    programs = [*COMPARISON["programs"], program("finegrain-coarse", 32.0)]
    settings = {"pair_list_tolerance_kj_per_mol_ps": 0.005}
    machine = {"cpu": "Some CPU", "cpu_family": 25, "cpu_model": 17}
    report = COMPARISON | {"programs": programs, "settings": settings, "machine": machine}
    assert make(results={"0": report}).returncode == 0
    text = (tmp_path / "README.md").read_text()
    assert "on Some CPU (family 25, model 17), median (range) of 5 interleaved runs, both" in text
    assert "both with a pair list tolerance of 0.005 kJ/mol/ps:" in text
    assert "| 20.0 (19.0 to 21.0) | 1.50 times as fast (coarse: 1.60) |" in text


def test_a_comparison_becomes_a_table_and_nothing_else_changes(make, tmp_path):
    assert make(results={"0": COMPARISON, "1": {"benchmark": "micro"}}).returncode == 0
    text = (tmp_path / "README.md").read_text()
    assert "DHFR, 23,558 atoms, on Some CPU, median (range) of 5 interleaved runs:" in text
    assert "| gromacs 1 | 2 | 20.0 (19.0 to 21.0) | 1.50 times as fast |" in text
    assert text.startswith("# A project\n")
    assert text.endswith("\nThe rest.\n")
    assert make("--check").returncode == 0


def test_pages_of_docs_get_their_tables(make, tmp_path):
    (tmp_path / "docs/reference").mkdir(parents=True)
    (tmp_path / "docs/reference/parts.md").write_text(page("queue", "speed"))
    assert make(results={"0": COMPARISON, "queue_peers": QUEUE}).returncode == 0
    text = (tmp_path / "docs/reference/parts.md").read_text()
    assert "| 8 | window | 28 (27 to 29) | 20 (19 to 21) |" in text
    assert text.index("| 8 | window") < text.index("| gromacs 1")


def test_check_fails_when_the_results_have_moved_on(make):
    make()
    done = make("--check", results={"0": COMPARISON})
    assert done.returncode == 1
    assert "not what bench/results says" in done.stderr


def test_check_fails_when_a_row_was_written_by_hand(make, tmp_path):
    (tmp_path / "README.md").write_text(page("queue"))
    make(results={"queue_peers": QUEUE})
    text = (tmp_path / "README.md").read_text()
    (tmp_path / "README.md").write_text(text.replace("28 (27 to 29)", "218 (210 to 285)"))
    assert make("--check").returncode == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (page("velocity"), "no table is called 'velocity'"),
        (page("speed").replace("<!-- end of figures -->", ""), "has no end"),
        (page("speed").replace("made by", "made with"), "misspelt"),
        (page("queue"), "queue_peers.json"),
        (page("speed") + "| 8 | 28 (23 to 35) |\n", "a measured row between no marks"),
    ],
    ids=["unknown", "endless", "misspelt", "without-results", "by-hand"],
)
def test_a_page_that_cannot_be_made_is_refused(make, tmp_path, text, said):
    (tmp_path / "README.md").write_text(text)
    done = make()
    assert done.returncode == 1
    assert said in done.stderr
    assert (tmp_path / "README.md").read_text() == text


def test_each_program_has_the_simd_level_that_it_was_measured_with(make, tmp_path):
    peer = {**program("gromacs-sd", 12, ratio=1.2), "simd": "SSE4.1"}
    ours = {**program("finegrain", 14), "simd_target": "AVX2"}
    done = make(results={"dhfr_peers": {"programs": [ours, peer, program("openmm", 3)]}})
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "README.md").read_text()
    assert "| finegrain 1, AVX2 |" in text
    assert "| gromacs-sd 1, SSE4.1 |" in text
    assert "| openmm 1 |" in text


def runs(ranks, program, language, *values, kind="complex", n=64):
    what = {"ranks": ranks, "n": n, "program": program, "kind": kind, "language": language}
    return {**what, "us": stored.spread(values)}


def test_transforms_have_their_ratios_to_peers(make, tmp_path):
    entries = [
        runs(2, "finegrain", "C++", 90, 100, 120),
        runs(2, "FFTW", "C++", 140, 150, 170),
        runs(2, "finegrain", "C++", 50, 55, 60, kind="real"),
        runs(2, "FFTW", "C++", 66, 66, 66, kind="real"),
        runs(2, "finegrain", "Python", 110, 120, 130),
        runs(2, "dtFFT", "Python", 180, 200, 220),
        runs(2, "finegrain, batch of 32", "C++", 40, 50, 60),
        runs(2, "finegrain, 32 singles", "C++", 90, 90, 90),
    ]
    fixed = {"n": 64, "precision": "double"}
    times = (("complex", "finegrain", 100), ("complex", "FFTW", 80), ("real", "finegrain", 60))
    alone = [
        {**fixed, "program": name, "kind": kind, "us": stored.spread([us, us])}
        for kind, name, us in times
    ]
    report = {
        "date": "2026-11-23",
        "machine": A_CPU | {"cores": 2, "simd_flags": ["avx2", "avx512f"]},
        "versions": {"FFTW": "3.3.10", "mpi4py-fft": "2.0.6", "dtFFT": "3.2.0"},
        "entries": entries,
        "one_process": alone,
    }
    names = [f"{name} over processes" for name in ("transforms", "real transforms", "batches")]
    (tmp_path / "README.md").write_text(page(*names, "transforms in one process"))
    assert make().returncode == 0
    assert (tmp_path / "README.md").read_text().count("Not measured yet.") == 4
    done = make(results={"transform_peers": report})
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "README.md").read_text()
    machine = "2 cores of a virtual a CPU (family 25, model 17)"
    assert f"{machine}, ours with AVX-512; FFTW 3.3.10" in text
    assert "| complex | double | 64³ | 100 (100 to 100) | 1.25 | | | | |" in text
    assert "| real | double | 64³ | 60 (60 to 60) | | | | | 0.60 |" in text
    row = "| 2 | 64³ | 100 (90 to 120) | 150 (140 to 170) | 1.50 | 120 (110 to 130) | |"
    assert f"{row} 200 (180 to 220) |" in text
    assert "| 2 | 64³ | 55 (50 to 60) | 0.55 | 66 (66 to 66) | 1.20 |" in text
    assert "| 2 | 50 (40 to 60) | 90 (90 to 90) | 1.80 |" in text


def waters(program, energy, *seconds, variant=""):
    size = {"waters": 8, "atoms": 24, "orbitals": 32, "program": program, "variant": variant}
    found = {"energy": energy, "iterations": 12, "largest_difference_of_forces": 2e-8}
    return size | found | {"seconds": stored.spread(seconds)}


def test_ground_states_are_held_against_the_better_time_of_the_peer(make, tmp_path):
    report = {
        "date": "2026-11-23",
        "pes": 2,
        "repeats": 3,
        "machine": A_CPU,
        "versions": {"pw.x": "6.7MaX"},
        "entries": [
            waters("pw.x", -137.5, 30, 33, 31, variant="as it is"),
            waters("pw.x", -137.5, 20, 22, 21, variant="OPENBLAS_CORETYPE=SkylakeX"),
            waters("finegrain", -137.5 + 2.4e-7, 10, 12, 10.5),
        ],
    }
    (tmp_path / "README.md").write_text(page("ground states of water"))
    assert make().returncode == 0
    assert "Not measured yet." in (tmp_path / "README.md").read_text()
    done = make(results={"ground_states": report})
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "README.md").read_text()
    assert "finegrain on 2 threads, pw.x 6.7MaX on 2 ranks" in text
    row = "| 8 waters, 32 orbitals | 21.0 (20.0 to 22.0), 12 iterations |"
    row += " 10.5 (10.0 to 12.0), 12 iterations | 2.00 times as fast | 1e-08 | 2e-08 |"
    assert row in text


PARTS = {
    **COMPARISON,
    "counts": {"pair": 2_000_000, "atom": 23558, "point": 262_144},
    "programs": [
        program("finegrain", 30.0)
        | {
            "parts": [
                {"part": "forces", "ms": 6.0, "within": False, "per": "pair", "ns_per": 3.0},
                {"part": "bonded", "ms": 1.0, "within": True},
                {"part": "all else", "ms": 0.5, "within": False},
                {"part": "a step", "ms": 6.5, "within": False, "per": "atom", "ns_per": 275.9},
            ]
        },
        program("gromacs", 20.0, 1.5)
        | {
            "simd": "AVX_512",
            "parts": [
                {"part": "forces", "ms": 9.0, "within": False, "per": "pair", "ns_per": 4.5},
                {"part": "lists", "ms": 2.0, "within": True, "per": "pair", "ns_per": 1.0},
                {"part": "a step", "ms": 9.5, "within": False, "per": "atom", "ns_per": 403.3},
            ],
        },
    ],
}


def test_a_step_by_its_parts_has_both_programs_in_one_row(make, tmp_path):
    (tmp_path / "README.md").write_text(page("a step by its parts"))
    assert make(results={"0": COMPARISON}).returncode == 0
    assert "Not measured yet." in (tmp_path / "README.md").read_text()
    assert make(results={"0": PARTS}).returncode == 0
    text = (tmp_path / "README.md").read_text()
    assert "2,000,000 pairs within the cutoff, 262,144 mesh points; 2 threads on Some CPU" in text
    assert "finegrain | | gromacs, AVX_512 |" in text
    rows = [line for line in text.splitlines() if line.startswith("| ") and ".00" in line]
    assert rows[0] == "| forces | ns a pair | 6.000 | 3.00 | 9.000 | 4.50 |"
    assert "| · bonded | | 1.000 | | | |" in text
    assert text.index("· lists") < text.index("| all else") < text.index("| a step")
