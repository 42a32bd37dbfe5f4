# SPDX-License-Identifier: BSD-3-Clause
"""The README's table says what the stored results say."""

import json
import subprocess
import sys

import pytest

README = """# A project

<!-- speed: made by tools/readme_table.py from bench/results; do not edit -->
<!-- end of speed -->

The rest.
"""


@pytest.fixture
def table(tmp_path, tools):
    """Run the script on a README and these results."""

    def run(*options, results=()):
        (tmp_path / "bench/results").mkdir(parents=True, exist_ok=True)
        for number, result in enumerate(results):
            (tmp_path / f"bench/results/{number}.json").write_text(json.dumps(result))
        command = [sys.executable, str(tools / "readme_table.py"), *options, str(tmp_path)]
        return subprocess.run(command, check=False, capture_output=True, text=True)

    (tmp_path / "README.md").write_text(README)
    return run


def entry(program, median, ratio=None):
    return {
        "program": program,
        "version": "1",
        "threads": 2,
        "ns_per_day_median": median,
        "ns_per_day_min": median - 1,
        "ns_per_day_max": median + 1,
        "finegrain_ratio": ratio,
    }


def test_a_comparison_becomes_a_table_and_nothing_else_changes(table, tmp_path):
    report = {
        "benchmark": "dhfr",
        "atoms": 23558,
        "repeats": 5,
        "machine": {"cpu": "Some CPU"},
        "programs": [entry("finegrain", 30.0), entry("gromacs", 20.0, 1.5)],
    }
    assert table(results=[report, {"benchmark": "micro"}]).returncode == 0
    text = (tmp_path / "README.md").read_text()
    assert "DHFR, 23,558 atoms, on Some CPU, median (range) of 5 interleaved runs:" in text
    assert "| gromacs 1 | 2 | 20.0 (19.0 to 21.0) | 1.50 times as fast |" in text
    assert text.startswith("# A project\n")
    assert text.endswith("\nThe rest.\n")
    assert table("--check").returncode == 0


def test_check_fails_when_the_results_have_moved_on(table):
    table()
    done = table("--check", results=[{"programs": [entry("finegrain", 30.0)]}])
    assert done.returncode == 1
    assert "not what bench/results says" in done.stderr


def test_a_readme_without_a_place_for_it_is_refused(table, tmp_path):
    (tmp_path / "README.md").write_text("# A project\n")
    assert table().returncode != 0
