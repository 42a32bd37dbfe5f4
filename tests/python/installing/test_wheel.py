# SPDX-License-Identifier: BSD-3-Clause
"""The wheels of `make wheel`, which lie in dist/: what is in them, and a run from them alone."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import finegrain as fg

pytestmark = pytest.mark.nightly

ROOT = Path(__file__).resolve().parents[3]
WHEELS = sorted((ROOT / "dist").glob("*.whl"))
LIMITS = {"finegrain": 40e6, "finegrain_openmpi": 10e6, "finegrain_mpich": 10e6}  # bytes


def the_wheel(name: str) -> Path:
    found = [path for path in WHEELS if path.name.startswith(f"{name}-")]
    assert found, f"no wheel of {name} in dist: make wheel"
    return max(found, key=lambda path: path.stat().st_mtime)


NAMES = ("finegrain", "finegrain_openmpi", "finegrain_mpich")


@pytest.mark.parametrize("name", NAMES)
def test_each_library_that_came_along_has_its_licence(name: str) -> None:
    with zipfile.ZipFile(the_wheel(name)) as wheel:
        files = wheel.namelist()
        libraries = [file for file in files if ".libs/" in file]
        texts = [file for file in files if re.search(r"dist-info/licenses/libraries/.+\.txt", file)]
        words = "\n".join(wheel.read(file).decode() for file in texts)
    assert bool(libraries) == (name == "finegrain")  # the others use those of this one
    for file in libraries:
        # The stem of the library is in the name of its package: libxc-….so.9 is of libxc9.
        stem = re.split(r"[-.]", Path(file).name)[0].removesuffix("_serial")
        assert any(stem in Path(text).name for text in texts), (file, texts)
    assert {"libhdf5-dev.txt", "libhwy-dev.txt", "nanobind.txt"} <= {Path(t).name for t in texts}
    assert ("Mozilla Public" in words) == (name == "finegrain")  # libxc


def test_it_has_every_file_of_the_package() -> None:
    done = subprocess.run(
        ["git", "ls-files", "--", "finegrain"],
        cwd=ROOT / "python",
        capture_output=True,
        text=True,
        check=True,
    )
    with zipfile.ZipFile(the_wheel("finegrain")) as wheel:
        assert set(done.stdout.split()) <= set(wheel.namelist())


@pytest.mark.parametrize("name", NAMES)
def test_nothing_names_the_machine_that_built_it(name: str) -> None:
    with zipfile.ZipFile(the_wheel(name)) as wheel:
        for file in wheel.namelist():
            if ".libs/" not in file and "/licenses/" not in file:
                assert str(ROOT).encode() not in wheel.read(file), file


@pytest.mark.parametrize("name", NAMES)
def test_it_is_for_any_linux_with_this_c_library(name: str) -> None:
    path = the_wheel(name)
    assert re.search(r"-manylinux_2_\d+_x86_64\.whl$", path.name)
    assert path.stat().st_size < LIMITS[name]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment with the wheels and the packages of the tests."""
    place = tmp_path_factory.mktemp("installed") / "env"
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    python = place / "bin/python"
    wheels = [str(the_wheel(name)) for name in NAMES]
    command = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", *wheels]
    subprocess.run(command, check=True)
    [packages] = place.glob("lib/python*/site-packages")
    (packages / "packages_of_tests.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


INPUT = """\
[system]
kind = "classical"
topology = "openmmtools:WaterBox"

[forces]
cutoff = "9 Å"
electrostatics = "pme"

[dynamics]
ensemble = "nvt"
timestep = "2 fs"
steps = 20
temperature = "300 K"
friction = "1 1/ps"
"""


def finegrain(python: Path, folder: Path, *words: str) -> str:
    """Run the command of the wheel with nothing of the system but its C library."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    command = [str(python.with_name("finegrain")), *words]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_its_runs_have_the_bits_of_a_build(python: Path, tmp_path: Path) -> None:
    (tmp_path / "water.toml").write_text(INPUT)
    expected = fg.run(tmp_path / "water.toml", out=tmp_path / "built", pes=1).state_digest
    engine = json.loads(finegrain(python, tmp_path, "engine", "--json"))["path"]
    assert str(python.parents[1]) in engine
    for mpi in (None, "openmpi", "mpich"):
        words = ("--pes", "2") if mpi is None else ("--ranks", "2", "--mpi", mpi)
        finegrain(python, tmp_path, "run", "water.toml", "--out", f"by-{mpi}", *words)
        made = json.loads((tmp_path / f"by-{mpi}/result.json").read_text())
        assert made["state_digest"] == expected
