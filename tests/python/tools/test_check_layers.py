# SPDX-License-Identifier: BSD-3-Clause
"""The order of modules is enforced."""

import pytest


def test_a_module_may_include_those_before_it_and_itself(checkout, source):
    checkout.write("engine/forces/pair.hpp", source("base/vec3.hpp", "forces/pair.hpp"))
    done = checkout.run("check_layers")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_include_of_a_later_module_fails_with_file_and_line(checkout, source):
    checkout.write("engine/base/error.cpp", source("base/error.hpp", "runtime/runtime.hpp"))
    said = checkout.refused("check_layers")
    assert "engine/base/error.cpp:3" in said
    assert "'base' may not include 'runtime'" in said


@pytest.mark.parametrize("name", ["pair.hpp", "lists/pair.hpp"])
def test_an_include_must_name_its_module(checkout, source, name):
    checkout.write("engine/forces/pair.cpp", source(name))
    assert f'"{name}" names no module' in checkout.refused("check_layers")


def test_a_folder_that_cmake_does_not_list_fails(checkout, source):
    checkout.write("engine/spare/thing.cpp", source())
    assert "'spare' is not a module" in checkout.refused("check_layers")


def test_tests_and_bindings_may_include_any_module(checkout, source):
    checkout.write("tests/unit/forces/pair_test.cpp", source("app/main.hpp", "base/vec3.hpp"))
    assert checkout.run("check_layers").returncode == 0


def test_highway_is_a_library(checkout, source):
    checkout.write("engine/forces/kernel.cpp", source("hwy/foreach_target.h"))
    assert checkout.run("check_layers").returncode == 0


def test_rooms_of_a_module_form_no_circle(checkout, source):
    checkout.write("engine/forces/pair/pair.hpp", source("forces/mesh/mesh.hpp"))
    checkout.write("engine/forces/mesh/mesh.cpp", source("forces/forces.hpp"))
    assert checkout.run("check_layers").returncode == 0
    checkout.write("engine/forces/forces.hpp", source("forces/pair/pair.hpp"))
    said = checkout.refused("check_layers")
    assert "a circle of 3 rooms: forces, forces/mesh, forces/pair" in said


def test_a_folder_has_at_most_forty_files(checkout, source):
    for number in range(41):
        checkout.write(f"engine/forces/pair/pair{number}.cpp", source())
    assert "engine/forces/pair: has 41 files, more than 40" in checkout.refused("check_layers")
