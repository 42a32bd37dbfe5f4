# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures for tests of ab initio runs."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ab_initio_systems import INPUT, write_files
from ase import Atoms
from ase.io import read
from ase_springs import Springs

from finegrain.ab_initio.preparation import kept_job
from finegrain.ab_initio.preparation.prepare import Prepared, prepare
from finegrain.ase import Finegrain
from finegrain.errors import InputError, Problem
from finegrain.pseudopotentials import finder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a water, a silicon crystal and pseudopotentials; no others are found."""
    write_files(tmp_path)
    monkeypatch.setattr(finder, "INSTALLED", ())
    monkeypatch.setattr(finder.importlib.util, "find_spec", lambda _name: None)
    monkeypatch.delenv(finder.VARIABLE, raising=False)
    return tmp_path


@pytest.fixture
def prepared(folder: Path) -> Callable[..., Prepared]:
    """Write an input and prepare its run."""

    def of(text: str = INPUT) -> Prepared:
        (folder / "water.toml").write_text(text)
        return prepare(folder / "water.toml")

    return of


@pytest.fixture
def problems(folder: Path) -> Callable[..., list[Problem]]:
    """Write an input; return the problems that reading it gives."""

    def of(text: str = INPUT) -> list[Problem]:
        (folder / "water.toml").write_text(text)
        with pytest.raises(InputError) as caught:
            prepare(folder / "water.toml")
        assert caught.value.exit_status == 1
        assert caught.value.source == "water.toml"
        return caught.value.problems

    return of


@pytest.fixture
def springs(monkeypatch: pytest.MonkeyPatch) -> Springs:
    """Calculators for ASE have springs instead of the engine."""
    stand_in = Springs()
    monkeypatch.setattr(kept_job, "load_engine", lambda: stand_in)
    monkeypatch.setattr("finegrain.engine.engine.load_engine", lambda: stand_in)
    return stand_in


@pytest.fixture
def water(folder: Path) -> Atoms:
    """A water with a calculator."""
    atoms = read(folder / "water.xyz")
    atoms.calc = Finegrain(
        cutoff="20 Ry",
        functional="PBE",
        pseudopotentials=dict.fromkeys("OH", str(folder / "GTH_POTENTIALS")),
        electrons={"allow_low_cutoff": True},
        ground_state={"seed": 3},
        pes=1,
    )
    return atoms
