# SPDX-License-Identifier: BSD-3-Clause
"""The sources that `make test` gives to clang-tidy."""

import subprocess

import pytest


@pytest.fixture
def tidy(tools, monkeypatch):
    """Return the script as a module."""
    monkeypatch.syspath_prepend(str(tools))
    import run_tidy

    return run_tidy


@pytest.mark.parametrize(
    ("changed", "is_checked"),
    [
        ("engine/motion/constraints/settle.cpp", True),
        ("engine/motion/constraints/settle.hpp", True),
        ("engine/motion/constraints/settle-inl.hpp", True),
        ("engine/motion/constraints/shake.cpp", False),
        ("tests/unit/motion/settle.cpp", False),
    ],
)
def test_a_source_is_checked_when_it_or_its_header_has_changed(tidy, changed, is_checked):
    assert tidy.is_changed("engine/motion/constraints/settle.cpp", {changed}) is is_checked


def test_the_latest_work_differs_from_the_branch_or_the_last_commits(tidy, tmp_path, monkeypatch):
    def git(*words):
        identity = ("-c", "user.name=a", "-c", "user.email=a@b")
        command = ["git", *identity, *words]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)

    def commit(name):
        (tmp_path / name).write_text("")
        git("add", name)
        git("commit", "-m", name)

    monkeypatch.setattr(tidy, "ROOT", tmp_path)
    assert tidy.changed_files() is None, "without git all is checked"
    git("init", "-b", "main")
    commit("first.cpp")
    assert tidy.changed_files() is None, "with fewer commits than that all is checked"
    for number in range(tidy.RECENT):
        commit(f"{number}.cpp")
    expected = {f"{number}.cpp" for number in range(tidy.RECENT)}
    assert tidy.changed_files() == expected
    git("checkout", "-b", "work", "--track", "main")
    assert tidy.changed_files() == expected
    commit("mine.cpp")
    (tmp_path / "new.cpp").write_text("")
    assert tidy.changed_files() == {"mine.cpp", "new.cpp"}
