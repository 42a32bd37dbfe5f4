# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial on a protein: its own commands, with fewer steps."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from test_tutorials import ROOT, blocks, execute

import finegrain as fg

STAGES = ["1-minimise", "2-heat", "3-press", "4-release", "5-produce"]


def shortened(text: str) -> str:
    """Return an input with few steps, and rows to look at."""
    text, found = re.subn(r"^steps = \d{3,}", "steps = 40", text, flags=re.MULTILINE)
    assert found == 3
    text = text.replace("[stages.minimise]\n", "[stages.minimise]\nsteps = 60\n")
    return text.replace("[forces]", "[output]\nenergy_interval = 4\n\n[forces]", 1)


@pytest.mark.nightly
@pytest.mark.pictures
@pytest.mark.parametrize("name", ["villin", "charmm"])
def test_the_tutorial_on_a_protein_runs_to_its_last_stage(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "examples/protein"
    shutil.copytree(ROOT / "examples/protein", folder)
    source = folder / f"{name}.toml"
    place, executed = tmp_path, []
    for language, code in blocks("tutorial/protein.md"):
        for line in code.splitlines() if language == "sh" else ():
            if line == "cd examples/protein":
                place = folder
            elif name in line or line.endswith("get_files.py"):
                execute(place, "bash", "-euc", line)
                executed.append(line.split()[1])
                if executed[-1] == "prepare" and executed.count("prepare") == 1:
                    text = shortened(source.read_text(encoding="utf-8"))
                    source.write_text(text, encoding="utf-8")
    prepared = executed.count("prepare")
    assert executed[: prepared + 3] == [
        "examples/protein/get_files.py",
        *["prepare"] * prepared,
        "check",
        "run",
    ]
    done = folder / "runs" / name
    assert sorted(path.name for path in done.iterdir() if path.is_dir()) == STAGES
    runs = {stage: fg.Run(done / stage) for stage in STAGES}
    assert all(run.finished for run in runs.values())
    # The box changes in the stages with a barostat, and only there.
    for stage, run in runs.items():
        volume = run.energies()["volume (nm3)"]
        assert (np.ptp(volume) > 0) == (stage in STAGES[2:]), stage
        assert (run.path / "energies.png").stat().st_size > 1000
    # The protein has 289 heavy atoms, of which 35 are alpha carbons.
    assert [run.job.restraints for run in runs.values()] == [289, 289, 289, 35, 0]
    if name == "villin":
        assert (done / "5-produce/trajectory.xtc").exists()
