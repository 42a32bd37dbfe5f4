# SPDX-License-Identifier: BSD-3-Clause
"""The order of the rooms of the Python package is enforced."""

import pytest

SPDX = "# SPDX-License-Identifier: BSD-3-Clause\n"
PACKAGE = "python/finegrain"


@pytest.fixture
def write(checkout):
    """Return a function that writes a module of the package with some lines."""

    def module(name, *lines):
        checkout.write(f"{PACKAGE}/{name}.py", SPDX + "".join(f"{line}\n" for line in lines))

    return module


@pytest.fixture
def check(checkout):
    """Return a function that runs the check."""
    return lambda: checkout.run("check_python_layers")


@pytest.fixture
def refused(checkout):
    """Return a function that runs the check, which fails, and returns what it says."""
    return lambda: checkout.refused("check_python_layers")


def test_a_room_may_import_those_before_it_and_itself(write, check):
    write("base/cells")
    write("runs/trajectory", "from finegrain.base import cells")
    write("runs/steps", "from finegrain.runs.trajectory import Trajectory")
    write("errors", "from finegrain.base.visible import visible")
    write("base/visible")
    write("base/arguments", "from finegrain.errors import InputError")
    done = check()
    assert (done.returncode, done.stderr) == (0, "")


UPWARD = {
    "at the head": ["from finegrain.kinds.registry import open_job"],
    "of a module": ["from finegrain.kinds import registry"],
    "by its whole name": ["import finegrain.kinds.registry"],
    "for typing": [
        "from typing import TYPE_CHECKING",
        "if TYPE_CHECKING:",
        "    from finegrain.kinds.registry import open_job",
    ],
    "in a function": ["def opened(path):", "    from finegrain.kinds.registry import open_job"],
}


@pytest.mark.parametrize("lines", UPWARD.values(), ids=UPWARD)
def test_an_import_of_a_later_room_fails_with_file_and_line(write, refused, lines):
    write("kinds/registry")
    write("runs/results", *lines)
    place = f"{PACKAGE}/runs/results.py:{len(lines) + 1}"
    assert f"{place}: 'runs' may not import 'kinds'" in refused()


def test_a_module_may_have_a_place_of_its_own(write, check):
    write("classical/job")
    write("classical/kind", "from finegrain.classical.input.load import load_input")
    write("classical/input/load", "from finegrain.classical.job import Job")
    assert check().returncode == 0
    write("classical/job", "from finegrain.classical.kind import Classical")
    done = check()
    assert "'classical/job' may not import 'classical', which comes after it" in done.stderr


def test_kinds_know_nothing_of_each_other(write, refused):
    write("classical/job")
    write("ab_initio/job", "from finegrain.classical.job import Job")
    assert "'ab_initio/job' may not import 'classical/job', another kind of run" in refused()


def test_a_circle_fails_also_within_a_room_and_with_lazy_imports(write, refused):
    write("files/plain", "from finegrain.files.whole import replace_file")
    write("files/whole", "from finegrain.files.seal import seal")
    write("files/seal", "def late():", "    from finegrain.files.plain import plain_bytes")
    write("files/readable", "from finegrain.files.plain import plain_bytes")
    names = "finegrain.files.plain, finegrain.files.seal, finegrain.files.whole"
    assert f"a circle of 3 modules: {names}\n" in refused()


def test_a_module_outside_all_rooms_fails(write, refused):
    write("spare")
    assert f"{PACKAGE}/spare.py: is in no room" in refused()


def test_a_folder_with_too_many_files_fails(write, check, refused):
    for number in range(40):
        write(f"files/module_{number}")
    assert check().returncode == 0
    write("files/module_40")
    assert f"{PACKAGE}/files: has 41 files, more than 40" in refused()
