# SPDX-License-Identifier: BSD-3-Clause
"""Cube files of densities and orbitals beside those of Quantum ESPRESSO's pp.x.

The figures are in tests/python/electrons/pp_figures.json (made by measure_pp.py), for the same
systems and grids as those of pw.x.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from ase.io.cube import read_cube
from engine_runs import engine_ground_state
from reference_systems import FOR_PW, SPINS

import finegrain as fg

PP = json.loads((Path(__file__).parents[2] / "electrons" / "pp_figures.json").read_text())
STEP = PP["step"]


@pytest.fixture(scope="module", params=["H2O GTH PBE triclinic", "O2 GTH LDA spin"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple:
    """The name of a system, and the folder of its run."""
    folder = tmp_path_factory.mktemp("run")
    system = (FOR_PW | SPINS)[request.param]()
    engine_ground_state(system, folder, "[output]", "density = true")
    return request.param, folder / "run", system


def test_pp_x_writes_the_same_fields(run: tuple, tmp_path: Path) -> None:
    name, folder, system = run
    assert set(PP[name]) <= {"density", "spin density", "orbital 1", "orbital 3", "orbital 4"}
    for field, values in PP[name].items():
        what = {"density": "cube", "spin density": "spin-cube"}.get(field, "cube")
        orbital = int(field.split()[1]) if field.startswith("orbital") else None
        path = fg.convert(folder, what, tmp_path / f"{field}.cube", orbital=orbital)
        with path.open() as file:
            cube = read_cube(file)
        mine, theirs = cube["data"], np.array(values)
        assert mine.shape == tuple(system.grid)
        np.testing.assert_allclose(
            cube["atoms"].positions / 0.529177210903, system.positions, atol=1e-5
        )
        if orbital is not None:  # pp.x: the square
            mine = mine**2
        mine = mine[::STEP, ::STEP, ::STEP]
        # Files have six digits; what differs is the convergence of both programs.
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=2e-5, err_msg=field)
