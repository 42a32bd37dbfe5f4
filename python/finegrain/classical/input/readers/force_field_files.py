# SPDX-License-Identifier: BSD-3-Clause
"""Force field files of OpenMM: the file that a name means, and checks before it is trusted.

A force field may contain Python code, which OpenMM executes: in `<Script>`, in
`<InitializationScript>`, and in one attribute. Code in the user's files is executed only if the
user allows it. Files that come with OpenMM, and with packages installed beside it, are trusted like
the packages.
"""

from __future__ import annotations

import io
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.cmap_tables import other_size
from finegrain.classical.input.readers.findings import Findings
from finegrain.classical.input.readers.plain_numbers import is_whole
from finegrain.classical.input.readers.xml_text import look_through
from finegrain.classical.input.source import brought_force_field
from finegrain.classical.system.cmap_maps import least_size, most_size, sizes_allowed

_key = "system.forcefield"
_scripts = ("Script", "InitializationScript")
_plain_parts = ("AtomTypes", "Residues", "Patches", "Include", "Info")
_evaluated = "useDispersionCorrection"  # OpenMM passes its text to Python's eval
_coefficients = ["c0", "c1", "c2", "c3", "c4", "c5"]
_terms = {
    ("HarmonicBondForce", "Bond"): ["length", "k"],
    ("HarmonicAngleForce", "Angle"): ["angle", "k"],
    ("RBTorsionForce", "Proper"): _coefficients,
    ("RBTorsionForce", "Improper"): _coefficients,
    ("CMAPTorsionForce", "Torsion"): ["map"],
}
_numbers = {
    "Atom": ["charge", "sigma", "epsilon"],
    "Type": ["mass"],
    "NonbondedForce": ["coulomb14scale", "lj14scale"],
    "GlobalParameter": ["defaultValue"],
}
# Weights and offsets of virtual sites by their type; those of a frame are numbered.
_sites = {
    "average2": ["weight1", "weight2"],
    "average3": ["weight1", "weight2", "weight3"],
    "outOfPlane": ["weight12", "weight13", "weightCross"],
    "localCoords": ["p1", "p2", "p3"],
}
_of_frame = re.compile(r"w[oxy][1-9][0-9]?")
_names_of_site = re.compile(r"type|index|siteName|excludeWith|atom(Name)?[1-9][0-9]?")
_types = re.compile(r"(type|class)[1-5]?")
_periodic = re.compile(r"(periodicity|phase|k)[1-9][0-9]?")


def resolve(given: Input) -> list[str | io.StringIO]:
    """Return what OpenMM's ForceField loads: paths of trusted files, texts of the user's files.

    The name of a file in OpenMM or in a package means that file. If the input's folder has a file
    of the same name, a note says so.
    """
    sources: list[str | io.StringIO] = []
    seen: set[Path] = set()
    for name in given.model.system.forcefield:
        own, brought = given.path_of(name), brought_force_field(name)
        if brought is not None and own.is_file():
            given.notes.append(
                f"forcefield {name} is the file that comes with OpenMM, not the one beside the "
                f"input; for that write ./{name}"
            )
        if brought is not None:
            sources.append(str(brought))
        elif own.is_file():
            sources += _own(given, own, seen)
        else:
            found = Findings()
            hint = (
                'OpenMM has "amber14-all.xml", "amber14/tip3p.xml", "amber99sbildn.xml" and '
                "others; a file of your own is looked for beside the input"
            )
            found.problems.append(
                given.source.problem(_key, "cannot be loaded: no such file", limit=name, hint=hint)
            )
            found.raise_them(given)
    return sources


def _own(given: Input, path: Path, seen: set[Path]) -> Iterator[str | io.StringIO]:
    """Yield the text of a user's file, then the files that it includes."""
    if path.resolve() in seen:
        return
    seen.add(path.resolve())
    includes = _check(given, path)
    tree = ET.fromstring(path.read_bytes())
    for child in list(tree):
        if child.tag == "Include":
            tree.remove(child)
    yield io.StringIO(ET.tostring(tree, encoding="unicode"))
    for line, name in includes:
        beside, brought = path.parent / name, brought_force_field(name)
        if beside.is_file():
            yield from _own(given, beside, seen)
        elif brought is not None:
            yield str(brought)
        else:
            found = Findings()
            hint = "it is looked for beside this file, then among those of OpenMM"
            found.add(path.name, line, "includes a file that is not there", name, hint=hint)
            found.raise_them(given)


def _check(given: Input, path: Path) -> list[tuple[int, str]]:
    """Raise the problems of a user's file; return the names it includes, with their lines."""
    from openmm.app import forcefield

    known = [*_plain_parts, *_scripts, *forcefield.parsers]
    found = Findings()
    includes: list[tuple[int, str]] = []

    def element(tags: list[str], attributes: dict[str, str], line: int) -> None:
        depth, tag = len(tags), tags[-1]
        if depth == 1 and tag != "ForceField":
            what = f"is not a force field of OpenMM: its root is <{tag}>"
            found.add(path.name, line, what, hint="a force field starts with <ForceField>")
        if depth == 2 and tag not in known:
            found.unknown(path.name, line, "is no part of a force field", tag, sorted(known))
        if depth == 2 and tag == "Include":
            includes.append((line, attributes.get("file", "")))
        if tag in _scripts and not given.allow_scripts:
            _refuse_code(found, path.name, line, f"<{tag}>")
        if attributes.get(_evaluated, "True").strip() not in ("True", "False", "0", "1"):
            _refuse_code(found, path.name, line, f'{_evaluated}="{attributes[_evaluated]}"')
        if depth >= 2:
            _check_numbers(found, path.name, line, tags, attributes)

    def text(tags: list[str], words: str, line: int) -> None:
        if tags[1:] == ["CMAPTorsionForce", "Map"]:
            _check_map(found, path.name, line, words.split())

    look_through(given, _key, path, found, element, "force field of OpenMM", text)
    _check_numbers_of_maps(found, path)
    found.raise_them(given)
    return includes


def _check_map(found: Findings, file: str, line: int, words: list[str]) -> None:
    """Check the energies of a CMAP table, and its size."""
    for word in words:
        found.number(file, line, word, "Map")
    size = math.isqrt(len(words))
    # OpenMM refuses another number than a square.
    if size**2 == len(words) and not least_size <= size <= most_size:
        what, value = "is a CMAP table of a size that cannot be used", f"<Map> of {size} by {size}"
        found.add(file, line, what, value, sizes_allowed, other_size)


def _check_numbers_of_maps(found: Findings, path: Path) -> None:
    """Find CMAP terms of a user's file that name none of its tables."""
    for force in ET.fromstring(path.read_bytes()).findall("CMAPTorsionForce"):
        maps = len(force.findall("Map"))
        for term in force.findall("Torsion"):
            number = term.get("map", "")
            if is_whole(number) and not 0 <= int(number) < maps:
                limit = f"0 to {maps - 1}" if maps else "it has none"
                hint = "tables count from 0, in each CMAPTorsionForce"
                value = f"Torsion map = {number}"
                found.add(path.name, 0, "is no table of the force", value, limit, hint)


def _refuse_code(found: Findings, file: str, line: int, value: str) -> None:
    hint = (
        "read what it does; if you trust it, add --allow-scripts (in Python allow_scripts=True)"
        if value.startswith("<")
        else "write True or False"
    )
    found.add(file, line, "would run Python code of this file", value, hint=hint)


def _check_numbers(
    found: Findings, file: str, line: int, tags: list[str], attributes: dict[str, str]
) -> None:
    tag, parent = tags[-1], tags[-2]
    if tag in ("Proper", "Improper") and parent == "PeriodicTorsionForce":
        for name, text in attributes.items():
            if _periodic.fullmatch(name):
                whole = name.startswith("periodicity")
                found.number(file, line, text, f"{tag} {name} =", whole=whole)
            elif not _types.fullmatch(name):
                known = ["periodicity1", "phase1", "k1", "class1", "type1"]
                found.unknown(file, line, f"is no attribute of {tag}", name, known)
        return
    if tag == "VirtualSite":
        _check_site(found, file, line, attributes)
        return
    if tag in ("Proper", "Improper") and parent == "CustomTorsionForce":
        for name, text in attributes.items():  # the names of parameters are free
            if not _types.fullmatch(name):
                found.number(file, line, text, f"{tag} {name} =")
        return
    own = _terms.get((parent, tag), [])
    for name in own or _numbers.get(tag, []):
        if name in attributes:
            found.number(file, line, attributes[name], f"{tag} {name} =", whole=name == "map")
    for name in attributes if own else ():
        if name not in own and not _types.fullmatch(name):
            known = [*own, "class1", "type1"]
            found.unknown(file, line, f"is no attribute of {tag}", name, known)


def _check_site(found: Findings, file: str, line: int, attributes: dict[str, str]) -> None:
    kind = attributes.get("type", "")
    if kind not in _sites:
        found.unknown(file, line, "is no type of virtual site", kind, list(_sites))
        return
    numbers = _sites[kind]
    for name, text in attributes.items():
        if name in numbers or (kind == "localCoords" and _of_frame.fullmatch(name)):
            found.number(file, line, text, f"VirtualSite {name} =")
        elif not _names_of_site.fullmatch(name):
            known = [*numbers, "siteName", "atomName1"]
            found.unknown(file, line, "is no attribute of VirtualSite", name, known)
    for name in numbers:
        if name not in attributes:
            hint = f"{kind} takes {', '.join(numbers)}"
            found.add(file, line, "lacks an attribute", f"VirtualSite {name}", hint=hint)
