# SPDX-License-Identifier: BSD-3-Clause
"""Measure the source code: its size, its rooms and arrows, its circles, its copies.

Usage: measure_house.py [--commit A] [--commit B] [--json FILE]
                        [--build FOLDER] [--tests FILE ...] [CHECKOUT]

Without a commit it measures the checkout (default: this one) as it stands. Two commits stand side
by side. `--build` adds the core-minutes of a build, from the .ninja_log of its folder. `--tests`
adds the minutes of tests, from the JUnit files of pytest or ctest, or from ctest's
CTestCostData.txt.

A room is a folder; a module beside the folders of Python's package is a room of its own. Rooms that
the checkout's own tools/check_python_layers.py lists go before. Imports for typing and those inside
functions count. Lines of code exclude comments and docstrings. The median
and the largest file are of sources, in docs of pages. Copies have six lines and more.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from check_layers import INCLUDE
from check_python_layers import imports_of, modules_of
from circles import circles_of
from code_lines import Function, code_of, comments_of, functions_of, is_code
from copies import normalised, repeated_lines
from sources import our_files, read_lines
from table_maker import line

sys.path.append(str(Path(__file__).resolve().parents[1] / "bench"))

import stored

MANY_FILES = 30  # of a folder

AREAS = {
    "engine": ("engine", "bindings"),
    "Python": ("python",),
    "tests": ("tests",),
    "tools": ("tools", "cmake", ".ci"),
    "bench": ("bench",),
    "docs": ("docs", "examples"),
}
FIGURES = {
    "files": "files",
    "lines": "lines of sources and pages",
    "code": "of code",
    "comments": "of comments",
    "data": "lines of data",
    "median": "median file",
    "largest": "largest file",
    "full_folders": "folders above 30 files",
    "longest_function": "longest function",
    "copies": "copies of six lines and more",
    "copied_lines": "lines in them",
    "rooms": "rooms",
    "arrows": "arrows between rooms",
    "circle_of_rooms": "rooms in circles",
    "circle_of_modules": "modules in circles",
}

Arrows = dict[str, set[str]]


def circles_and_arrows(modules: Mapping[str, set[str]], rooms: Mapping[str, str]) -> dict[str, int]:
    """Return the figures of arrows between modules, which stand in rooms."""
    arrows: Arrows = {room: set() for room in rooms.values()}
    for module, targets in modules.items():
        arrows[rooms[module]] |= {rooms[one] for one in targets} - {rooms[module]}
    return {
        "rooms": len(arrows),
        "arrows": sum(map(len, arrows.values())),
        "circle_of_rooms": sum(map(len, circles_of(arrows))),
        "circle_of_modules": sum(map(len, circles_of(modules))),
    }


def python_arrows(root: Path) -> dict[str, int]:
    """Return the figures of the arrows in the Python package."""
    modules = modules_of(root)
    package = root / "python" / "finegrain"
    listed = listed_rooms(root)
    rooms = {}
    for name, path in modules.items():
        place = path.relative_to(package).with_suffix("")
        found = [one.as_posix() for one in (place, *place.parents) if one.as_posix() in listed]
        folder = place.parent.as_posix()
        rooms[name] = found[0] if found else path.stem if folder == "." else folder
    return circles_and_arrows({name: set(to) for name, to in imports_of(modules).items()}, rooms)


def listed_rooms(root: Path) -> tuple[str, ...]:
    """Return the rooms of Python that a checkout lists for its lint, none if it does not."""
    path = root / "tools" / "check_python_layers.py"
    for node in ast.parse(path.read_text(encoding="utf-8")).body if path.exists() else ():
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "LAYERS":
            return tuple(ast.literal_eval(node.value))
    return ()


def engine_arrows(root: Path) -> dict[str, int]:
    """Return the figures of the arrows in the engine; a header and its source are one module."""
    engine = root / "engine"
    paths = [path for path in our_files(root, ".hpp", ".cpp") if path.is_relative_to(engine)]
    names = {path: path.relative_to(engine).with_suffix("").as_posix() for path in paths}
    arrows: Arrows = {name: set() for name in names.values()}
    for path, name in names.items():
        included = (match[1] for text in read_lines(path) if (match := INCLUDE.match(text)))
        targets = {Path(one).with_suffix("").as_posix() for one in included}
        arrows[name] |= {one for one in targets if one in arrows and one != name}
    rooms = {name: Path(name).parent.as_posix() for name in arrows}
    return circles_and_arrows(arrows, rooms)


def area_of(path: Path) -> str | None:
    """Return the area of a file; pages beside the folders belong to docs."""
    if len(path.parts) == 1:
        return "docs" if path.suffix == ".md" else "tools"
    return next((area for area, folders in AREAS.items() if path.parts[0] in folders), None)


def figures_of(root: Path, paths: Sequence[Path], *, pages: bool) -> dict[str, Any]:
    """Return the figures of the files of one area."""
    lengths = {path: len(read_lines(path)) for path in paths}
    code = [path for path in paths if is_code(path)]
    texts = [path for path in paths if path.suffix == ".md"]
    chosen = texts if pages else code
    largest = max(chosen, key=lengths.__getitem__, default=root)
    functions = [(function, path) for path in code for function in functions_of(path)]
    longest, where = max(functions, default=(Function(0, "none", 0), root))
    folders = Counter(path.parent for path in paths)
    copies, copied = repeated_lines({path: normalised(path) for path in code})
    return {
        "files": len(paths),
        "lines": sum(lengths[path] for path in {*code, *texts}),
        "code": sum(len(code_of(path)) for path in code),
        "comments": sum(map(comments_of, code)),
        "data": sum(lengths[path] for path in paths if path.suffix in (".json", ".txt")),
        "median": int(statistics.median([lengths[path] for path in chosen] or [0])),
        "largest": lengths.get(largest, 0),
        "largest_name": str(largest.relative_to(root)),
        "full_folders": sum(count > MANY_FILES for count in folders.values()),
        "longest_function": longest.lines,
        "longest_function_name": f"{where.relative_to(root)}: {longest.name}",
        "copies": copies,
        "copied_lines": copied,
    }


def measure(root: Path) -> dict[str, dict[str, Any]]:
    """Return the figures of all areas of a checkout."""
    paths: dict[str, list[Path]] = defaultdict(list)
    for path in our_files(root):
        if (area := area_of(path.relative_to(root))) is not None:
            paths[area].append(path)
    found = {
        area: figures_of(root, paths[area], pages=area == "docs") for area in AREAS if paths[area]
    }
    found["engine"] |= engine_arrows(root)
    found["Python"] |= python_arrows(root)
    return found


@contextmanager
def checked_out(repository: Path, commit: str) -> Iterator[Path]:
    """Give a temporary folder with the files of a commit."""
    with tempfile.TemporaryDirectory() as folder:
        packed = Path(folder) / "files.tar"
        git("-C", str(repository), "archive", "-o", str(packed), commit)
        root = Path(folder) / "files"
        git("init", "-q", str(root))
        subprocess.run(["tar", "-xf", str(packed), "-C", str(root)], check=True)
        yield root


def git(*arguments: str) -> str:
    """Run git and return what it prints."""
    done = subprocess.run(["git", *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def build_time(folder: Path) -> dict[str, float]:
    """Return how many commands a build has run, and their minutes together."""
    commands = {}
    for text in read_lines(folder / ".ninja_log"):
        if not text.startswith("#"):
            begin, end, _, output, command = text.split("\t")
            commands[output] = (int(begin), int(end), command)
    each = set(commands.values())  # one command may have several outputs
    minutes = sum(end - begin for begin, end, _ in each) / 60_000
    return {"commands": len(each), "core_minutes": round(minutes, 1)}


def test_time(path: Path) -> dict[str, Any]:
    """Return how many tests a file of results has, and their minutes together."""
    if path.suffix == ".xml":
        cases = ElementTree.parse(path).getroot().iter("testcase")
        times = [float(case.get("time", 0)) for case in cases]
    else:
        lines = (re.fullmatch(r"\S+ \d+ ([\d.e+-]+)", text) for text in read_lines(path))
        times = [float(match[1]) for match in lines if match]
    return {"file": path.name, "tests": len(times), "minutes": round(sum(times) / 60, 1)}


def rows(report: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield a row for each figure, with the values of the commits in each area."""
    for figure, name in FIGURES.items():
        row = {"figure": name}
        for area in AREAS:
            values = [one["areas"].get(area, {}).get(figure) for one in report["commits"]]
            shown = ["" if value is None else f"{value:,}" for value in values]
            row[area] = " → ".join(shown) if any(shown) else ""
        yield row


def table(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield line(["", *AREAS])
    yield "|---|" + "---:|" * len(AREAS)
    for row in rows(report):
        yield line([row["figure"], *(row[area] for area in AREAS)])


def main() -> int:
    """Measure, print the table and write the report."""
    parser = argparse.ArgumentParser(description="Measure the source code.")
    parser.add_argument("--commit", action="append", default=[])
    parser.add_argument("--json", type=Path, help="where the report goes; - prints it")
    parser.add_argument("--build", type=Path)
    parser.add_argument("--tests", type=Path, nargs="+", default=[])
    parser.add_argument("checkout", nargs="?", type=Path, default=Path(__file__).parents[1])
    options = parser.parse_args()
    root = options.checkout.resolve()
    commits = []
    for commit in options.commit:
        with checked_out(root, commit) as folder:
            short, date = git("-C", str(root), "log", "-1", "--format=%h %cs", commit).split()
            commits.append({"commit": short, "date": date, "areas": measure(folder)})
    report: dict[str, Any] = {
        "commits": commits or [{"commit": "as it stands", "areas": measure(root)}]
    }
    if options.build:
        report["build"] = build_time(options.build)
    if options.tests:
        report["tests"] = [test_time(path) for path in options.tests]
    print("\n".join(table(report)))
    for name in ("build", "tests"):
        if name in report:
            print(f"{name}: {json.dumps(report[name])}")
    if options.json:
        stored.write(report, None if str(options.json) == "-" else options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
