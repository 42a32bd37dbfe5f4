# SPDX-License-Identifier: BSD-3-Clause
"""The measures of the code: lines, functions, copies, rooms, circles, builds and tests."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[3] / "tools"))

from circles import circles_of
from code_lines import code_of, comments_of, functions_of
from copies import copies_in, normalised, repeated_lines
from measure_house import build_time, measure, rows, test_time as time_of_tests

PYTHON = '''# SPDX-License-Identifier: BSD-3-Clause
"""A module.

It has two paragraphs.
"""

TEXT = """
# no comment
"""


def one():
    """Return one."""
    return 1  # a comment


async def three(
    one,
):
    # Why.
    return one
'''
CPP = """// SPDX-License-Identifier: BSD-3-Clause
#include "base/one.hpp"

namespace fg {

struct Box {
  double edge = 0;  // in bohr
  double volume() const { return edge * edge * edge; }
};

/* Two
   lines. */
template <class Real>
Patch<Real>::Patch(Options options = {})
    : edge_{1}, text_("a { brace") {
  if (edge_ > 1'000) {
    run([] { return '}'; });
  }
}

const std::vector<int> numbers = {
    1,
};

TEST(Boxes, HaveAVolume) {
  EXPECT_EQ(1, 1);

}

}  // namespace fg
"""


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a file and returns its path."""

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_docstrings_are_comments_and_texts_are_code(written):
    path = written("a.py", PYTHON)
    assert [at for at, _ in code_of(path)] == [7, 8, 9, 12, 14, 17, 18, 19, 21]
    assert comments_of(path) == 6


def test_comments_of_cpp_may_be_anywhere(written):
    path = written("a.cpp", CPP)
    shown = [line.rstrip() for _, line in code_of(path)]
    assert shown[3] == "  double edge = 0;"
    assert comments_of(path) == 3
    assert '    : edge_{1}, text_("a { brace") {' in shown


def test_lines_of_functions_are_counted_from_head_to_end(written):
    found = [(one.name, one.lines, one.line) for one in functions_of(written("a.py", PYTHON))]
    assert found == [("one", 3, 12), ("three", 5, 17)]
    found = [(one.name, one.lines, one.line) for one in functions_of(written("a.cpp", CPP))]
    long = [("Patch<Real>::Patch", 7, 13), ("TEST(Boxes, HaveAVolume)", 4, 25)]
    assert found == [("volume", 1, 8), *long]


def lines(*letters):
    return "".join(f"call({letter})\n" for letter in letters)


def test_copies_are_found_under_other_indents_and_comments(written):
    first = written("a.py", "import os\n" + lines(*"abcdefgh") + lines(*"xyz"))
    inner = "\n".join(f"    {line}  # why" for line in lines(*"bcdefgh").splitlines())
    second = written("b.py", f"def two():\n{inner}\n")
    files = {path: normalised(path) for path in (first, second)}
    (copy,) = copies_in(files)
    assert copy.lines == 7
    assert copy.places == ((first, 3), (second, 2))
    assert repeated_lines(files) == (1, copy.lines)


def test_five_lines_are_no_copy_nor_is_a_list_of_equal_lines(written):
    short = written("a.py", lines(*"abcde") + lines(*"x") + lines(*"abcde"))
    equal = written("b.py", lines(*"tttttttt"))
    files = {path: normalised(path) for path in (short, equal)}
    assert repeated_lines(files) == (0, 0)


def test_circles_are_members_that_all_lead_to_each_other():
    arrows = {"a": ["b"], "b": ["c"], "c": ["b", "d"], "d": [], "e": ["f"], "f": ["g"], "g": ["e"]}
    assert circles_of(arrows) == [["e", "f", "g"], ["b", "c"]]


def test_rooms_arrows_and_circles_of_a_checkout(checkout):
    checkout.write("engine/base/a.hpp", '#include "base/b.hpp"\n')
    checkout.write("engine/base/a.cpp", '#include "base/a.hpp"\n')
    checkout.write("engine/base/b.hpp", "int b();\n")
    checkout.write("engine/base/b.cpp", '#include "base/a.hpp"\nint b() {\n  return 1;\n}\n')
    checkout.write("engine/runtime/c.hpp", '#include "base/b.hpp"\n')
    checkout.write("python/finegrain/job.py", "from finegrain.files import plain\n")
    late = "def late():\n    from finegrain.job import Job\n"
    checkout.write("python/finegrain/files/plain.py", late)
    found = measure(checkout.root)
    engine = {"rooms": 2, "arrows": 1, "circle_of_modules": 2, "longest_function": 3}
    assert found["engine"] == found["engine"] | engine
    python = {"rooms": 2, "arrows": 2, "circle_of_modules": 2, "circle_of_rooms": 2}
    assert found["Python"] == found["Python"] | python
    # A checkout may list its rooms.
    checkout.write("tools/check_python_layers.py", 'LAYERS = ("files/plain",)\n')
    checkout.write("python/finegrain/files/whole.py", "")
    assert measure(checkout.root)["Python"]["rooms"] == 3


def test_two_commits_stand_side_by_side(checkout, tools):
    before = {"areas": {"engine": {"files": 1000}}}
    after = {"areas": {"engine": {"files": 900}, "docs": {"files": 3}}}
    files = next(rows({"commits": [before, after]}))
    assert (files["figure"], files["engine"], files["tests"]) == ("files", "1,000 → 900", "")
    git = ["git", "-C", str(checkout.root), "-c", "user.name=a", "-c", "user.email=b"]
    commit = [*git, "commit", "-q", "-m", "a"]
    checkout.write("engine/base/a.cpp", "int a() {\n  return 1;\n}\n")
    checkout.write("python/finegrain/a.py", "def a():\n    return 1\n")
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run(commit, check=True)
    checkout.write("engine/base/a.cpp", "int a() {\n  return\n      1;\n}\n")
    subprocess.run([*commit, "-a"], check=True)
    stored = checkout.root / "out.json"
    command = [sys.executable, str(tools / "measure_house.py"), str(checkout.root)]
    command += ["--commit", "HEAD~1", "--commit", "HEAD", "--json", str(stored)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "| longest function | 3 → 4 | 2 → 2 |" in done.stdout
    commits = json.loads(stored.read_text())["commits"]
    assert [one["areas"]["engine"]["code"] for one in commits] == [4, 5]


def test_minutes_of_a_build_count_a_command_once(written):
    log = "# ninja log v5\n0\t60000\t1\ta.o\tf1\n0\t60000\t1\ta.d\tf1\n30000\t60000\t1\tb.o\tf2\n"
    folder = written(".ninja_log", log).parent
    assert build_time(folder) == {"commands": 2, "core_minutes": 1.5}


def test_minutes_of_tests_come_from_junit_and_from_ctest(written):
    junit = '<testsuites><testsuite><testcase time="90"/><testcase time="30.0"/></testsuite>'
    path = written("pytest.xml", junit + "</testsuites>")
    assert time_of_tests(path) == {"file": "pytest.xml", "tests": 2, "minutes": 2.0}
    path = written("CTestCostData.txt", "a_test 1 30.5\nb_test 2 29.5\n---\nc_test\n")
    assert time_of_tests(path) == {"file": "CTestCostData.txt", "tests": 2, "minutes": 1.0}
