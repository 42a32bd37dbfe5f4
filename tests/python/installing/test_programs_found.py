# SPDX-License-Identifier: BSD-3-Clause
"""Where the engine's programs are found: beside the module, or in a package for an MPI."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from finegrain.engine import engine as engines
from finegrain.engine.mpi import find_mpi


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder as wheels fill it: the package, its libraries, no engine for an MPI."""
    package = tmp_path / "finegrain"
    (package / "bin").mkdir(parents=True)
    (tmp_path / "finegrain.libs").mkdir()
    module = SimpleNamespace(__file__=str(package / "_engine.so"))
    monkeypatch.setattr(engines, "load_engine", lambda: module)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def program(path: Path, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def package_for_mpi(installed: Path, name: str) -> Path:
    package = installed / f"finegrain_{name}"
    package.mkdir()
    (package / "__init__.py").touch()
    return program(package / "bin" / f"finegrain-engine-{name}")


def test_a_program_is_beside_the_module(installed: Path) -> None:
    expected = program(installed / "finegrain/bin/finegrain-engine")
    assert engines.engine_program("finegrain-engine") == expected


def test_one_that_may_not_be_executed_is_none(installed: Path) -> None:
    program(installed / "finegrain/bin/finegrain-engine", mode=0o644)
    assert engines.engine_program("finegrain-engine") is None


@pytest.mark.parametrize("name", ["openmpi", "mpich"])
def test_one_for_an_mpi_may_have_a_package(installed: Path, name: str) -> None:
    assert engines.engine_program(f"finegrain-engine-{name}") is None
    expected = package_for_mpi(installed, name)
    assert engines.engine_program(f"finegrain-engine-{name}") == expected
    assert find_mpi(name).executable == expected


def test_the_one_that_was_built_comes_first(installed: Path) -> None:
    package_for_mpi(installed, "mpich")
    expected = program(installed / "finegrain/bin/finegrain-engine-mpich")
    assert engines.engine_program("finegrain-engine-mpich") == expected


def test_a_wheel_is_completed_by_another_wheel(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(installed / "bin"))
    install = "pip install finegrain_openmpi-*.whl, which was made with the wheel in use"
    assert find_mpi("openmpi").remedy == f"apt-get install openmpi-bin; {install}"
    program(installed / "bin/mpiexec.openmpi")
    assert find_mpi("openmpi").remedy == install


def test_a_build_is_completed_by_a_build(installed: Path) -> None:
    (installed / "finegrain.libs").rmdir()
    assert find_mpi("mpich").remedy == "apt-get install mpich libmpich-dev; make build"
