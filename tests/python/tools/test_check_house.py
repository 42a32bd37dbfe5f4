# SPDX-License-Identifier: BSD-3-Clause
"""Folders say what they are for; sources carry no marks, names, machine paths or odd words."""

import pytest


@pytest.fixture
def tidy_checkout(checkout, source):
    """A checkout that breaks no rule."""
    checkout.write("README.md", "A project.\n")
    checkout.write("engine/README.md", "The library.\n")
    checkout.write("engine/base/README.md", "What all stands on.\n")
    checkout.write("engine/base/error.hpp", source())
    return checkout


def test_a_tidy_checkout_passes(tidy_checkout):
    done = tidy_checkout.run("check_house")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("content", [None, "\n"])
def test_each_folder_says_what_it_is_for(tidy_checkout, content):
    readme = tidy_checkout.root / "engine/base/README.md"
    readme.unlink() if content is None else readme.write_text(content)
    assert "engine/base/ has no README.md" in tidy_checkout.refused("check_house")


def test_a_source_begins_with_its_licence(tidy_checkout):
    tidy_checkout.write("engine/base/error.cpp", "int x;\n")
    assert "engine/base/error.cpp: the first line is not" in tidy_checkout.refused("check_house")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("// TO" + "DO: later", "unfinished mark"),
        ("int x;  // FIX" + "ME", "unfinished mark"),
        ("// \\auth" + "or Ada", "name of an author"),
        ("// Auth" + "or: Ada", "name of an author"),
        ("// Main" + "tainer: Ada", "name of an author"),
        ('const char* data = "/ho' + 'me/ada/data";', "path of one machine"),
        ("int __count = 0;", "__count is a name for the compiler alone"),
        ("struct _Atom {};", "_Atom is a name for the compiler alone"),
        ("int _count = 0;", "_count is a name for the compiler alone"),
        ("int number__of = 0;", "number__of is a name for the compiler alone"),
        ("// It goes " + "on from 3.", "'goes " + "on from' is not plain; write 'continues from'"),
        ("// When" + "ce it came.", "'When" + "ce' is not plain; write 'from where'"),
        ("// Every so-mani" + "eth patch.", "'mani" + "eth' is not plain; write 'every n-th'"),
    ],
)
def test_a_forbidden_line_fails_with_its_number(tidy_checkout, source, line, said):
    tidy_checkout.write("engine/base/error.hpp", source() + line + "\n")
    assert "engine/base/error.hpp:2: " + said in tidy_checkout.refused("check_house")


def test_an_odd_word_fails_in_a_document_too(tidy_checkout):
    tidy_checkout.write("README.md", "A project.\n\nLists are made a" + "new.\n")
    said = "README.md:3: 'a" + "new' is not plain; write 'again'"
    assert said in tidy_checkout.refused("check_house")


def test_words_that_only_look_alike_pass(tidy_checkout, source):
    text = source() + "// authority, todos and engine/wo" + "rk/lists are words, a newer one\n"
    text += '#ifdef __GLIBC__\nint atom_, the_atom; // "_text", "x"_suffix\n#endif\n'
    tidy_checkout.write("engine/base/error.hpp", text)
    assert tidy_checkout.run("check_house").returncode == 0


def test_measured_results_may_name_their_machine(tidy_checkout):
    tidy_checkout.write("bench/README.md", "Speed.\n")
    tidy_checkout.write("bench/results/README.md", "Measured.\n")
    tidy_checkout.write("bench/results/run.json", '{"path": "/ho' + 'me/ada"}\n')
    assert tidy_checkout.run("check_house").returncode == 0


def test_two_modules_of_tests_do_not_share_a_name(tidy_checkout, source):
    text = source().replace("//", "#")
    for folder in ("tests", "tests/bonds", "tests/angles"):
        tidy_checkout.write(f"{folder}/README.md", "Tests.\n")
        tidy_checkout.write(f"{folder}/conftest.py", text)
    tidy_checkout.write("tests/angles/test_energies.py", text)
    assert tidy_checkout.run("check_house").returncode == 0
    tidy_checkout.write("tests/bonds/test_energies.py", text)
    said = "tests/bonds/test_energies.py: tests/angles/test_energies.py has this name"
    assert said in tidy_checkout.refused("check_house")
