# SPDX-License-Identifier: BSD-3-Clause
"""The files for containers say what the project needs: all its parts, and targets that exist."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DOCKER = (ROOT / "packaging/Dockerfile").read_text()
APPTAINER = (ROOT / "packaging/apptainer.def").read_text()
# Parts of a checkout without which it builds.
LEFT_OUT = {"ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "mkdocs.yml", "packaging"}


def parts_of_the_project() -> set[str]:
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    names = {name.split("/")[0] for name in done.stdout.splitlines()}
    return {name for name in names if not name.startswith(".")} - LEFT_OUT


def test_both_copy_all_that_a_build_needs() -> None:
    docker = [line.split()[1:-1] for line in DOCKER.splitlines() if line.startswith("COPY")]
    assert {name for names in docker for name in names} == parts_of_the_project()
    apptainer = re.findall(r"^    (\S+) /opt/finegrain/$", APPTAINER, re.MULTILINE)
    assert set(apptainer) == parts_of_the_project()


def test_a_folder_is_copied_to_its_own_name() -> None:
    for line in DOCKER.splitlines():
        if line.startswith("COPY") and not line.endswith("./"):
            _, source, target = line.split()
            assert source == target


def test_they_build_as_the_readme_does() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for text in (DOCKER, APPTAINER):
        used = re.findall(r"^(?:RUN|   ) *make ([a-z-]+)", text, re.MULTILINE)
        assert used == ["build"]
        assert set(used) <= set(targets)
        assert "debian:12" in text
        assert "/opt/finegrain/.venv/bin" in text
    assert "Debian 12" in (ROOT / "docs/tutorial/first-run.md").read_text()


def test_the_page_names_these_files() -> None:
    page = (ROOT / "docs/how-to/containers.md").read_text()
    assert "packaging/Dockerfile" in page
    assert "packaging/apptainer.def" in page
