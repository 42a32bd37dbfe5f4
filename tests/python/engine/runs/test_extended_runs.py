# SPDX-License-Identifier: BSD-3-Clause
"""A complete run that is extended: the bits of a longer one, if its end was a rebuild of lists."""

from pathlib import Path

import pytest

import finegrain as fg

INPUT = """\
[system]
kind = "classical"
topology = "openmmtools:AlanineDipeptideVacuum"

[forces]
rebuild_interval = 20

[dynamics]
ensemble = "nvt"
timestep = "1 fs"
steps = {steps}
temperature = "300 K"
friction = "1 1/ps"
"""


def run_of(folder: Path, name: str, steps: int) -> fg.Run:
    source = folder / f"{name}.toml"
    source.write_text(INPUT.format(steps=steps))
    return fg.run(source, out=folder / name, pes=1)


def test_from_a_rebuild_on_the_bits_are_those_of_a_longer_run(tmp_path: Path) -> None:
    run_of(tmp_path, "short", 20)
    extended = fg.resume(tmp_path / "short", steps=40, pes=1)
    assert extended.state_digest == run_of(tmp_path, "long", 40).state_digest


def test_from_another_step_on_only_the_last_bits_may_differ(tmp_path: Path) -> None:
    run_of(tmp_path, "short", 13)
    extended = fg.resume(tmp_path / "short", steps=40, pes=1).result
    # Forces are sums in single precision, 6e-8 of each term; in 27 steps nothing grows much.
    expected = run_of(tmp_path, "long", 40).result
    assert extended["potential"] == pytest.approx(expected["potential"], rel=1e-5)
    assert extended["kinetic"] == pytest.approx(expected["kinetic"], rel=1e-5)
