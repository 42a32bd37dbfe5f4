# SPDX-License-Identifier: BSD-3-Clause
"""A number changed into another valid one: refused, or the job differs, or it has no effect."""

import os
import random
import re
import shutil
from pathlib import Path

import mutations
import oracle
import pytest
import worker

import finegrain as fg

EFFORT = int(os.environ.get("FINEGRAIN_EFFORT", "1"))
SEEN = 1e-6  # relative; a smaller change may be lost in rounding

# Sections of an AMBER topology with numbers that have no effect, and why.
PRMTOP = {
    "": "version and date",
    "JOIN_ARRAY": "unused by AMBER",
    "IROTAT": "unused by AMBER",
    "SOLTY": "unused by AMBER",
    "RADII": "implicit solvent",
    "SCREEN": "implicit solvent",
    "ATOMIC_NUMBER": "elements follow the masses or names",
    "RESIDUE_POINTER": "residues only name atoms",
    "POINTERS": "some counts serve polarisation and perturbation",
    "ANGLES_INC_HYDROGEN": "two types of angles have the same values",
    "ANGLES_WITHOUT_HYDROGEN": "two types of angles have the same values",
    "DIHEDRAL_PHASE": "a type without a barrier",
    "EXCLUDED_ATOMS_LIST": "pairs 1-4 are exceptions, listed here or not",
}
# The same in XML, by element and attribute.
XML = {
    ("State", "time"): "the clock starts at zero",
    ("State", "stepCount"): "the clock starts at zero",
    ("", "version"): "the version of the layout",
    ("System", "openmmVersion"): "who wrote the file",
    ("Force", "rfDielectric"): "not with PME",
    ("Force", "ewaldTolerance"): "the input gives its own",
    ("Force", "cutoff"): "the input gives its own",
    ("State", "openmmVersion"): "who wrote the file",
    ("Force", "usesPeriodic"): "terms of bonds never reach across the box",
    ("Force", "ljny"): "PME of dispersion is refused",
    **{("Force", name): "PME of dispersion is refused" for name in ("ljnx", "ljnz", "ljAlpha")},
    **{
        ("Force", name): "the number of a force group" for name in ("forceGroup", "recipForceGroup")
    },
    **{("Force", name): "the input gives the mesh" for name in ("alpha", "nx", "ny", "nz")},
    ("Force", "frequency"): "the input says whether the drift is taken out",
    ("Force", "version"): "the version of the layout",
}


def unused(path: Path, text: str, token: re.Match[str]) -> bool:
    """Return whether a number is known to have no effect."""
    before = text[: token.start()]
    if path.suffix == ".prmtop":
        flags = re.findall(r"%FLAG (\S+)", before)
        inside_head = before.rpartition("\n")[2].startswith("%")
        return inside_head or (flags[-1] if flags else "") in PRMTOP
    if path.suffix == ".xml":
        elements = re.findall(r"<(\w+)[^<>]*$", before)
        names = re.findall(r'(\w+)="[^"]*$', before)
        element, name = elements[-1] if elements else "", names[-1] if names else ""
        tag = text[before.rfind("<") : text.find(">", token.end())]
        no_force = ' eps="0"' in tag if name == "sig" else ' k="0"' in tag
        return no_force or (element, name) in XML
    if path.suffix == ".gro":
        row, column = before.count("\n"), len(before.rpartition("\n")[2])
        return row < 1 or column < 20  # title, and numbers of residues and atoms
    return False


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("amber", "in.toml"),
        ("amber", "a.prmtop"),
        ("amber", "a.rst7"),
        ("system", "system.xml"),
        ("system", "state.xml"),
        ("gromacs", "m.gro"),
    ],
)
def test_another_number_is_another_job(seeds: Path, tmp_path: Path, kind: str, name: str) -> None:
    chance = random.Random(f"{kind} {name}")
    text = (seeds / kind / name).read_text("utf-8")
    tokens = [
        token
        for token in mutations.number.finditer(text)
        if not unused(seeds / kind / name, text, token)
    ]
    accepted, lost = 0, []
    for number in range(20 * EFFORT):
        token = chance.choice(tokens)
        new = mutations.other_number(chance, token.group())
        if abs(float(new) - float(token.group())) <= SEEN * abs(float(token.group())):
            continue
        folder = tmp_path / str(number)
        shutil.copytree(seeds / kind, folder)
        changed = mutations.in_place(text, token.start(), token.end(), new)
        (folder / name).write_text(changed, "utf-8")
        job = worker.job_of(folder)
        if job is None:
            continue
        line = text.count("\n", 0, token.start()) + 1
        assert not isinstance(job, str), f"{name}:{line}: {token.group()} -> {new}: {job}"
        accepted += 1
        if not oracle.changed(worker.base(kind, seeds), job):
            lost.append(f"{name}:{line}: {token.group()} -> {new}")
    assert accepted > 3
    assert not lost, "\n".join(lost)


def test_a_broken_periodicity_is_refused_with_its_line(seeds: Path, tmp_path: Path) -> None:
    folder = tmp_path / "case"
    shutil.copytree(seeds / "amber", folder)
    lines = (folder / "a.prmtop").read_text("utf-8").split("\n")
    at = next(i for i, line in enumerate(lines) if "DIHEDRAL_PERIODICITY" in line) + 2
    lines[at] = lines[at].replace("2.00000000E+00", "2.10000000E+00", 1)
    (folder / "a.prmtop").write_text("\n".join(lines), "utf-8")
    with pytest.raises(fg.InputError) as raised:
        fg.check(folder / "in.toml")
    (problem,) = raised.value.problems
    assert problem.where == f"a.prmtop:{at + 1}"
    assert problem.what == "is not a whole number"
