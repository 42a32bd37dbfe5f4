# SPDX-License-Identifier: BSD-3-Clause
"""The names in the manual exist."""

import pytest

PAGE = "docs/explanation/page.md"


@pytest.fixture
def code(checkout, source):
    """Return a checkout with one class."""
    checkout.write("engine/app/patch.hpp", source() + "class Patch { void pair_forces(); };\n")
    return checkout


def complaints(checkout):
    done = checkout.run("check_names")
    assert done.returncode == (1 if done.stderr else 0)
    return done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "`Patch` and `Patch::pair_forces`, in `app/patch.hpp` or `patch.hpp`; `pair_forces()`",
        "`std::vector`, `--option`, `co_await x`, `/dev/shm`, `runs/dhfr/`, `engine/app`",
        "```cpp\nco_await when<&Patch::pair_forces>(step);\n```",
        "```\nOther::thing\n```",
    ],
)
def test_what_is_there_may_be_named(code, text):
    code.write(PAGE, text)
    assert complaints(code) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("See `app/patches.hpp`.", ":1: there is no app/patches.hpp"),
        ("\nIn `engine/transport`.", ":2: there is no engine/transport"),
        ("`Patch::accept_forces` does it", "no file that declares Patch has accept_forces"),
        ("`Conductor` does it", "no source has Conductor"),
        ("`accept_forces(step)` does it", "no source has accept_forces"),
        ("`accept_forces` does it", "no source has accept_forces"),
        ("```cpp\nwhen<&Patch::accept>(1);\n```", ":2: no file that declares Patch has accept"),
    ],
)
def test_a_name_that_does_not_exist_is_found(code, text, said):
    code.write(PAGE, text)
    assert said in complaints(code)


def test_the_readme_of_a_folder_of_the_engine_names_what_is_there(code):
    code.write("engine/app/README.md", "`Patch`, in `patch.hpp`, asks the `Conductor`.")
    assert complaints(code) == "check_names: engine/app/README.md:1: no source has Conductor\n"


def test_pages_for_users_may_name_other_code(code):
    text = "`MDAnalysis`, `my_script()`, `run.py`, not `engine/gone.cpp`"
    code.write("docs/how-to/page.md", text)
    assert complaints(code) == "check_names: docs/how-to/page.md:1: there is no engine/gone.cpp\n"


def test_a_docstring_names_what_is_there(code):
    code.write("docs/reference/page.md", "")
    code.write("python/some.py", '''"""See docs/reference/page.md, docs/ and engine/app."""\n''')
    assert complaints(code) == ""
    code.write(
        "python/some.py",
        'def some():\n    """Do it.\n\n    See docs/reference/gone.md.\n    """\n',
    )
    said = "check_names: python/some.py:4: there is no docs/reference/gone.md\n"
    assert complaints(code) == said
