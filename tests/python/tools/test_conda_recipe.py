# SPDX-License-Identifier: BSD-3-Clause
"""The recipe for conda says what the project needs: version, packages of Python, libraries."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "packaging/conda"
RECIPE = yaml.safe_load((FOLDER / "recipe.yaml").read_text())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
# What CMake looks for, and conda's package that has it.
PACKAGES = {
    "HDF5": "hdf5",
    "PkgConfig": "pkg-config",
    "Python": "python",
    "fmt": "fmt",
    "hwloc": "libhwloc",
    "libhwy": "libhwy",
    "libxc": "libxc-c",
    "mpich": "${{ mpi }}",
    "nanobind": "nanobind",
    "nlohmann_json": "nlohmann_json",
    "ompi-c": "${{ mpi }}",
    "openblas": "openblas",
}
OF_TESTS = {"GTest", "benchmark"}
OF_THE_SYSTEM = {"Threads"}


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[ <>=]", word)[0] if "{" not in word else word for word in requirements}


def looked_for() -> set[str]:
    """Return all that a build without tests and benchmarks looks for."""
    found: set[str] = set()
    texts = [*(ROOT / "engine").rglob("CMakeLists.txt"), ROOT / "bindings/CMakeLists.txt"]
    for path in [*texts, ROOT / "cmake/FinegrainTargets.cmake"]:
        text = path.read_text()
        found |= set(re.findall(r"find_package\((\w+)", text))
        for words in re.findall(r"pkg_check_modules\(\w+ ([^)]+)\)", text):
            found |= {word for word in words.split() if not word.isupper()}
    return found - OF_TESTS - OF_THE_SYSTEM


def test_the_version_is_that_of_the_project() -> None:
    assert RECIPE["context"]["version"] == PROJECT["project"]["version"]
    assert RECIPE["about"]["license"] == PROJECT["project"]["license"]
    assert (ROOT / RECIPE["about"]["license_file"]).is_file()


def test_it_runs_with_the_packages_of_the_project() -> None:
    wanted = [word.replace(">=", " >=") for word in PROJECT["project"]["dependencies"]]
    wanted = [word.replace("matplotlib ", "matplotlib-base ") for word in wanted]
    assert set(RECIPE["requirements"]["run"]) == {"python", *wanted}


def test_it_builds_with_what_cmake_looks_for() -> None:
    requirements = RECIPE["requirements"]
    there = names(requirements["build"]) | names(requirements["host"])
    assert looked_for() <= set(PACKAGES), "a library that conda's recipe does not know"
    assert {PACKAGES[name] for name in looked_for()} <= there
    backend = {re.split(">=", word)[0] for word in PROJECT["build-system"]["requires"]}
    assert backend <= there
    assert set(PACKAGES.values()) | backend | {"pip"} >= names(requirements["host"])


def test_there_is_a_package_for_each_mpi() -> None:
    variants = yaml.safe_load((FOLDER / "variants.yaml").read_text())
    assert variants == {"mpi": ["openmpi", "mpich"]}


def test_the_page_shows_how() -> None:
    page = (ROOT / "docs/how-to/install.md").read_text()
    assert "packaging/conda/recipe.yaml" in page
    assert "packaging/conda/variants.yaml" in page
