# SPDX-License-Identifier: BSD-3-Clause
"""A gas whose lists need no buffer is not told that its atoms move too far."""

from pathlib import Path

import numpy as np
import pytest

from finegrain import _engine, api

OUTRUN = "atoms move more than the pair lists allow for"


def write_gas(folder: Path, thermostat: str, interval: int) -> Path:
    """Write 20 argon atoms in a box of 10 nm."""
    rng = np.random.default_rng(5)
    cells = rng.permutation(64)[:20]
    places = 2.5 * np.stack([cells // 16, cells // 4 % 4, cells % 4], axis=1) + 1.0
    rows = [
        f"{i + 1:5d}AR      AR{i + 1:5d}" + "".join(f"{x:8.3f}" for x in place)
        for i, place in enumerate(places)
    ]
    (folder / "x.gro").write_text("\n".join(["gas", "20", *rows, "10 10 10"]) + "\n")
    (folder / "x.top").write_text(
        "[ defaults ]\n1 2 no\n[ atomtypes ]\nAR 18 39.948 0 A 0.34 0.996\n"
        "[ moleculetype ]\nAR 1\n[ atoms ]\n1 AR 1 AR AR 1 0 39.948\n"
        "[ system ]\ngas\n[ molecules ]\nAR 20\n"
    )
    toml = folder / "in.toml"
    toml.write_text(
        '[system]\nkind = "classical"\ntopology = "x.top"\ncoordinates = "x.gro"\n'
        f'[forces]\ncutoff = "10 Å"\nrebuild_interval = {interval}\n'
        f'[dynamics]\n{thermostat}timestep = "2 fs"\ntemperature = "300 K"\nsteps = 240\n'
    )
    return toml


@pytest.mark.parametrize("ensemble", ["nvt", "nve"])
@pytest.mark.parametrize("interval", [4, 60])
def test_a_gas_is_not_warned(tmp_path: Path, ensemble: str, interval: int) -> None:
    toml = write_gas(tmp_path, f'ensemble = "{ensemble}"\n', interval)
    job = api.load(toml, tmp_path / "job.h5")
    result = _engine.run(str(job.path), str(tmp_path / "out"), pes=1)
    assert not [warning for warning in result["warnings"] if OUTRUN in warning]
