# SPDX-License-Identifier: BSD-3-Clause
"""Fail when a Python room imports a later one, for a circle of imports, or for a folder too full.

Imports for typing and those inside functions count like any other. A room is a folder of
python/finegrain, or a module that has a place of its own in `LAYERS`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from circles import full_folders, one_circle
from sources import exit_with, our_files

PACKAGE = "finegrain"

# The rooms, lowest first; a room imports those before it. The longest name that fits counts.
LAYERS = (
    "base",
    "errors",
    "units",
    "base/arguments",
    "files",
    "words",
    "page",
    "engine",
    "cite",
    "pseudopotentials",
    "toml_input",
    "fft",
    "transform_bench",
    "runs/folder",
    "tracing",
    "machines",
    "runs",
    "formats",
    "observables",
    "classical/system",
    "classical/openmm",
    "classical/division",
    "classical/job",
    "classical/input",
    "classical/input/readers",
    "classical/input/readers/amber",
    "classical/input/readers/charmm",
    "classical/input/readers/gromacs",
    "classical/preparation",
    "classical/building/ligands",
    "classical/building",
    "classical",
    "ab_initio/division",
    "ab_initio/input",
    "ab_initio/input/aside",
    "ab_initio/ions",
    "ab_initio/states",
    "ab_initio/dispersion",
    "ab_initio/job",
    "ab_initio/preparation",
    "ab_initio/building",
    "ab_initio/wannier",
    "ab_initio/results",
    "ab_initio",
    "kinds",
    "planning",
    "api",
    "ase",
    "geometry",
    "tuning",
    "terminal",
    "terminal/commands",
    "terminal/cli",
    "__init__",
    "__main__",
)
APART = ("classical", "ab_initio")  # kinds, which know nothing of each other

Modules = dict[str, Path]
Imports = dict[str, dict[str, int]]  # module to what it imports, with the first line that does


def modules_of(root: Path) -> Modules:
    """Return the modules of the package by their names."""
    found = {}
    for path in files_of_package(root):
        if path.suffix == ".py":
            parts = path.relative_to(root / "python").with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def files_of_package(root: Path) -> list[Path]:
    """Return all files of the package."""
    return [path for path in our_files(root) if path.is_relative_to(root / "python" / PACKAGE)]


def imports_of(modules: Modules) -> Imports:
    """Return all imports between the modules, also those for typing and in functions."""
    found: Imports = {name: {} for name in modules}
    for name, path in modules.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            targets = []
            if isinstance(node, ast.Import):
                targets = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                inner = [f"{node.module}.{alias.name}" for alias in node.names]
                targets = [one if one in modules else node.module for one in inner]
            for target in targets:
                if target in modules and target != name and isinstance(node, ast.stmt):
                    found[name].setdefault(target, node.lineno)
    return found


def room_of(module: str) -> str | None:
    """Return the room of a module; None if it has none."""
    parts = module.split(".")[1:] or ["__init__"]
    while parts:
        if "/".join(parts) in LAYERS:
            return "/".join(parts)
        parts.pop()
    return None


def layer_of(room: str) -> int:
    """Return the place of a room in the order."""
    return LAYERS.index(room)


def violations(root: Path) -> Iterator[str]:
    """Yield one line for each import upward, each circle and each folder with too many files."""
    modules = modules_of(root)
    imports = imports_of(modules)
    for module, path in modules.items():
        place, here = path.relative_to(root), room_of(module)
        if here is None:
            yield f"{place}: is in no room of LAYERS in tools/check_python_layers.py"
            continue
        for target, line in imports[module].items():
            there = room_of(target)
            if there is None:
                continue
            if layer_of(there) > layer_of(here):
                yield f"{place}:{line}: '{here}' may not import '{there}', which comes after it"
            elif {here.split("/")[0], there.split("/")[0]} == set(APART):
                yield f"{place}:{line}: '{here}' may not import '{there}', another kind of run"
    if circle := one_circle(imports):
        yield f"a circle of {len(circle)} modules: {', '.join(circle)}"
    yield from full_folders(root, files_of_package(root))


if __name__ == "__main__":
    exit_with("python-layers", violations)
