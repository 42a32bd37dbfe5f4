# SPDX-License-Identifier: BSD-3-Clause
"""Pages that show one task each, executed in small: the same commands on a small box of water."""

import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from how_to_pages import INPUT, blocks, shell
from shown_commands import execute, with_commands

import finegrain as fg

pytestmark = [pytest.mark.nightly, pytest.mark.pictures]


def stop_when_it_runs(folder: Path, words: list[str]) -> None:
    """Start a command, stop it by Ctrl-C as soon as it writes energies, and see how it ends."""
    energies = folder / "runs/input/energies.csv"
    before = energies.stat().st_size if energies.exists() else 0
    with subprocess.Popen(words, cwd=folder, env=with_commands()) as running:
        for _ in range(1200):
            time.sleep(0.1)
            if energies.exists() and energies.stat().st_size not in (0, before):
                break
            assert running.poll() is None, words
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=60) == 75, words


def test_a_run_is_stopped_and_resumed(tmp_path: Path) -> None:
    (tmp_path / "input.toml").write_text(INPUT.format(steps=10_000_000))
    commands = [
        shlex.split(line, comments=True)
        for code in blocks("restart.md", "")
        for line in code.replace("--ranks 4", "--ranks 2").splitlines()
    ]
    assert len(commands) == 5
    for words in commands:
        again = ["--overwrite"] if "run" in words and (tmp_path / "runs/input").exists() else []
        stop_when_it_runs(tmp_path, words + again)
        assert not fg.open_run(tmp_path / "runs/input").finished


def test_a_run_is_traced(tmp_path: Path) -> None:
    (tmp_path / "input.toml").write_text(INPUT.format(steps=200))
    (commands,) = blocks("trace.md", "")
    assert "waits" in shell(tmp_path, commands) or (tmp_path / "trace.png").stat().st_size > 5000
    code = "import finegrain as fg\n" + "\n".join(blocks("trace.md", "python"))
    again = code.replace("trace=True", 'trace=True, out="runs/again"')
    assert float(execute(tmp_path, sys.executable, "-c", again).split()[-2]) > 0


def test_a_system_goes_through_stages(tmp_path: Path) -> None:
    """The input of the page, with the water's own files and fewer steps."""
    from openmm import XmlSerializer, app, unit
    from openmmtools import testsystems

    water = testsystems.WaterBox(box_edge=2.5 * unit.nanometer)
    (tmp_path / "system.xml").write_text(XmlSerializer.serialize(water.system))
    with (tmp_path / "system.pdb").open("w") as file:
        app.PDBFile.writeFile(water.topology, water.positions, file)
    text = blocks("stages.md", "toml")[0]
    text = text.replace("system.prmtop", "system.xml").replace("system.inpcrd", "system.pdb")
    text = text.replace("5000000", "40").replace("50000", "40")
    text = text.replace('"solute heavy atoms"', '"name O"').replace('"CA"', '"name O"')
    (tmp_path / "system.toml").write_text(text)
    (commands,) = (code for code in blocks("stages.md", "") if "finegrain run system.toml" in code)
    # Nothing is left to resume: here no stage was stopped.
    kept = [line for line in commands.splitlines() if not line.startswith("finegrain resume")]
    assert len(kept) == 3
    shell(tmp_path, "\n".join(kept))
    for stage in ("1-minimise", "2-heat", "3-release", "4-produce"):
        assert fg.open_run(tmp_path / "runs/system" / stage).finished


def test_the_fastest_division_is_found(tmp_path: Path) -> None:
    (tmp_path / "dhfr.toml").write_text(INPUT.format(steps=100))
    command = blocks("tune.md", "console")[0].splitlines()[0].removeprefix("$ ")
    assert "ms a step" in shell(tmp_path, command)
    if (tmp_path / "fast.toml").exists():  # otherwise nothing was faster
        fg.check(tmp_path / "fast.toml")
