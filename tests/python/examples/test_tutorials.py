# SPDX-License-Identifier: BSD-3-Clause
"""The pages for beginners, executed without changes, in the order in which they are read."""

import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from openmm import app
from shown_commands import execute

import finegrain as fg

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"

pytestmark = [pytest.mark.nightly, pytest.mark.pictures]


def blocks(page: str) -> list[tuple[str, str]]:
    """Return the blocks of a page in a language: "sh", "toml" or "python"."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def code_of(page: str) -> str:
    found = blocks(page)
    assert found
    assert {language for language, _ in found} == {"python"}
    return "\n".join(code for _, code in found)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that contains only the examples."""
    made = tmp_path_factory.mktemp("tutorial")
    shutil.copytree(ROOT / "examples" / "water", made / "examples" / "water")
    return made


@pytest.fixture(scope="module")
def tutorial(folder: Path) -> Path:
    """Follow the first tutorial."""
    executed = 0
    for language, code in blocks("tutorial/first-run.md"):
        if language == "toml":
            (folder / "steady.toml").write_text(code, encoding="utf-8")
        else:
            assert language == "sh"
            execute(folder, "bash", "-euc", code)
            executed += 1
    assert executed >= 6
    return folder


def test_the_molecule_vibrates_as_the_lesson_says(tmp_path: Path) -> None:
    inputs = iter(("water.toml", "moving.toml"))
    printed = ""
    for language, code in blocks("tutorial/molecule.md"):
        if language == "toml":
            (tmp_path / next(inputs)).write_text(code, encoding="utf-8")
        elif language == "sh":
            printed += execute(tmp_path, "bash", "-euc", code)
    shown = dict(blocks("tutorial/molecule.md"))["text"]
    for line in shown.splitlines()[8:]:  # the three vibrations
        wave = float(line.split()[1])
        found = [
            float(one) for one in re.findall(r"^ +\d +([\d.]+) +[\d.]+$", printed, re.MULTILINE)
        ]
        assert any(one == pytest.approx(wave, abs=5) for one in found), (wave, found)
    assert "1.85" in printed  # debye
    for name in ("water-relaxed/relaxed.xyz", "water-vibrations/spectrum.png", "water/density.png"):
        assert (tmp_path / "runs" / name).exists()
    assert fg.open_run(tmp_path / "runs/moving").finished
    assert (tmp_path / "runs/moving/trajectory.xyz").exists()


def test_the_protein_runs_on_a_cluster_of_one_node(tmp_path: Path) -> None:
    """Here `sbatch` runs the script at once, and the job is as large as this machine."""
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "sbatch").write_text('#!/bin/sh\nexec bash "$1"\n')
    (commands / "sbatch").chmod(0o755)
    printed = ""
    for language, code in blocks("tutorial/cluster.md"):
        if language == "sh":
            small = code.replace("--nodes 4 --ranks-per-node 2 --pes 16", "--pes 2")
            printed += execute(tmp_path, "bash", "-euc", f'PATH="{commands}:$PATH"\n{small}')
    # Four nodes, as the lesson says; the times are those of the estimate.
    assert "4 nodes are worth using" in printed
    assert re.search(r"^ +4 +128 .* 4 x 4 x 8 +0\.\d+$", printed, re.MULTILINE)
    run = fg.open_run(tmp_path / "runs/dhfr")
    assert run.finished
    assert run.state_digest in printed
    assert (tmp_path / "trace.png").exists()
    assert (tmp_path / "places/rankfile.openmpi").exists()


def test_the_first_tutorial_ends_at_the_temperature_that_it_asks_for(tutorial: Path) -> None:
    for name in ("water", "steady"):
        run = fg.Run(tutorial / "runs" / name)
        assert run.finished
        temperature = run.energies()["temperature (K)"]
        # 500 rigid waters: a single value fluctuates by 300 K sqrt(2 / 2997) = 7.7 K.
        assert np.mean(temperature[-25:]) == pytest.approx(300, abs=20)
    assert abs(fg.Run(tutorial / "runs/steady").result["energy_drift"]) < 1


def test_the_digests_of_the_first_tutorial_are_the_same(tutorial: Path) -> None:
    one, other = (fg.Run(tutorial / "runs" / name) for name in ("water", "again"))
    assert one.state_digest == other.state_digest


def test_the_python_page_runs_after_the_tutorial(tutorial: Path) -> None:
    # What the page calls a protein and a complex, from packages.
    protein = Path(app.__file__).parent / "data/test.pdb"
    shutil.copy(protein, tutorial / "protein.pdb")
    from openmmtools import testsystems

    dipeptide = testsystems.get_data_filename(
        "data/alanine-dipeptide-explicit/alanine-dipeptide.prmtop"
    )
    shutil.copy(dipeptide, tutorial / "complex.prmtop")
    shutil.copy(Path(dipeptide).with_suffix(".crd"), tutorial / "complex.rst7")
    few = code_of("how-to/python.md").replace('"steps": 1000', '"steps": 20')
    printed = execute(tutorial, sys.executable, "-c", few)
    assert "(1503, 3)" in printed
    assert "kJ/mol" in printed
    assert (tutorial / "runs/python/trajectory.xyz").exists()


def test_the_page_on_analysis_finds_the_first_shell_of_water(tutorial: Path) -> None:
    printed = execute(tutorial, sys.executable, "-W", "ignore", "-c", code_of("how-to/analyse.md"))
    assert "1503 atoms, 51 frames" in printed
    peak = re.search(r"first peak: g = (\S+) at (\S+) Å", printed)
    assert peak, printed
    # TIP3P at 298 K: 2.77 Å and 2.7 (Mark and Nilsson, J. Phys. Chem. A 105, 9954 (2001)).
    assert float(peak[2]) == pytest.approx(2.77, abs=0.08)
    assert float(peak[1]) == pytest.approx(2.7, abs=0.3)
    assert (tutorial / "rdf.png").stat().st_size > 1000
    # finegrain finds the same peak, to the width of its bins (0.06 Å) and those of MDAnalysis.
    mine = re.search(r"peak of finegrain: (\S+) Å", printed)
    assert mine, printed
    assert float(mine[1]) == pytest.approx(float(peak[2]), abs=0.12)
    assert (tutorial / "observables.png").stat().st_size > 1000
    moved = re.search(r"(\S+) nm in 1.0 ps", printed)
    assert moved
    assert 0.03 < float(moved[1]) < 0.3
