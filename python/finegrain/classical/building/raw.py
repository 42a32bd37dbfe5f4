# SPDX-License-Identifier: BSD-3-Clause
"""The text of a raw PDB or mmCIF file: one model of it, and one location of each atom.

OpenMM's readers take the text that is left. Lines are looked at here, so that a problem has its
line, and so that all atoms of a residue are taken from the same alternate location.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from finegrain.errors import Problem, nearest

_blank = ("", ".", "?")
_words_of_cif = re.compile(r"'(?:[^']|'(?=\S))*'(?=\s|$)|\"(?:[^\"]|\"(?=\S))*\"(?=\s|$)|\S+")
_most_lines = 5  # with bad numbers that are named
_suffixes = (".pdb", ".ent", ".cif", ".mmcif", ".pdbx")
_coarse = {"CA", "P"}
_dropped = ("MODEL ", "ENDMDL", "ANISOU", "SIGATM", "SIGUIJ")
# Names of AMBER and CHARMM that OpenMM reads as those of the plain residues.
_states = {name: name for name in ("ASH", "GLH", "HID", "HIE", "HIP", "LYN", "CYM")}
_states |= {"HSD": "HID", "HSE": "HIE", "HSP": "HIP"}
_remedy = "take a .pdb or .cif file as the Protein Data Bank has it"

Residue = tuple[str, str]  # its chain, and its number with the insertion code


@dataclass(frozen=True)
class Row:
    """What a line says of an atom; texts that are not given are empty."""

    line: int
    residue: Residue
    name: str
    atom: str
    place: str
    occupancy: float
    model: str


@dataclass
class Raw:
    """The text that is read, and what of the file is not in it.

    Attributes
    ----------
    kind : str
        "pdb" or "cif".
    places : list of str
        Residues with alternate locations, and the location that was taken.
    states : dict
        Residues whose name says how they are protonated, such as HIP or ASH.
    """

    kind: str
    text: str
    models: int
    places: list[str] = field(default_factory=list)
    states: dict[Residue, str] = field(default_factory=dict)


def read_raw(path: Path, model: int, problems: list[Problem]) -> Raw | None:
    """Return one model of a file; None after adding to `problems` why it cannot be read."""
    text = _text(path, problems)
    if text is None:
        return None
    lines = text.splitlines()
    kind = "cif" if any(line.startswith("data_") for line in lines[:50]) else "pdb"
    count = len(problems)
    rows = (_rows_of_cif if kind == "cif" else _rows_of_pdb)(path, lines, problems)
    if len(problems) > count:
        return None
    if not rows:
        what = "holds no atoms: there is no line of ATOM or HETATM"
        problems.append(Problem(what, str(path), hint=_remedy))
        return None
    models = list(dict.fromkeys(row.model for row in rows))
    if model > len(models):
        what = "there is no such model"
        limit = f"1 to {len(models)}"
        problems.append(Problem(what, "--model", str(model), limit, "leave it out for the first"))
        return None
    first = [row for row in rows if row.model == models[model - 1]]
    _refuse_coarse(path, first, problems)
    taken, places = _places(first)
    keep = {row.line for row in first if row.place in _blank or taken[row.residue] == row.place}
    atoms = {row.line for row in rows}
    left = []
    for number, line in enumerate(lines):
        if number in atoms and number not in keep:
            continue
        if kind == "pdb" and line.startswith(_dropped):
            continue
        if kind == "pdb" and number in atoms:
            line = f"{line[:16]} {line[17:]}"
        left.append(line)
    if kind == "pdb" and len(models) > 1:
        left = _one_end_each(left)
    states = {
        row.residue: _states[row.name] for row in first if row.line in keep and row.name in _states
    }
    return Raw(kind, "\n".join(left) + "\n", len(models), places, states)


def _one_end_each(lines: list[str]) -> list[str]:
    """Drop the ends of chains of models that were left out: those that end no chain."""
    found: list[str] = []
    for line in lines:
        if line.startswith("TER") and not (found and found[-1].startswith(("ATOM  ", "HETATM"))):
            continue
        found.append(line)
    return found


def _text(path: Path, problems: list[Problem]) -> str | None:
    where = str(path)
    if path.is_dir():
        problems.append(Problem("is a folder, not a file", where, hint="name a file in it"))
    elif not path.exists():
        problems.append(Problem("no such file", where, hint=_beside(path) or "check the path"))
    elif not path.is_file():
        problems.append(Problem("is no plain file", where, hint="check the path"))
    else:
        contents = path.read_bytes()
        if contents[:2] in (b"\x1f\x8b", b"PK", b"BZ"):
            problems.append(Problem("is compressed", where, hint=f"first: gunzip {path.name}"))
        elif not contents.strip():
            problems.append(Problem("is empty", where, hint="copy or download it again"))
        elif b"\0" in contents:
            problems.append(Problem("is not a text file", where, hint=_remedy))
        elif contents.lstrip()[:1] in (b"<", b"{"):
            what = "is a web page or a file of XML or JSON, not a structure"
            problems.append(Problem(what, where, hint=_remedy))
        else:
            return contents.decode("utf-8", "replace").removeprefix("\ufeff")
    return None


def _beside(path: Path) -> str:
    """Return a hint at a file with nearly this name."""
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    names = {
        entry.name.lower(): entry.name
        for entry in path.parent.iterdir()
        if entry.suffix.lower() in _suffixes and entry.is_file()
    }
    close = nearest(path.name, names)
    return f"did you mean {names[close]}?" if close else ""


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _rows_of_pdb(path: Path, lines: list[str], problems: list[Problem]) -> list[Row]:
    rows, bad, model = [], [], "1"
    for number, line in enumerate(lines):
        if line.startswith("MODEL "):
            model = line[6:].strip() or model
        if not line.startswith(("ATOM  ", "HETATM")):
            continue
        if not all(math.isfinite(_number(line[at : at + 8])) for at in (30, 38, 46)):
            bad.append((number, line[30:54].strip() or line.rstrip()))
            continue
        shown = _number(line[54:60])
        rows.append(
            Row(
                number,
                (line[21].strip(), line[22:27].strip()),
                line[17:21].strip(),
                line[12:16].strip(),
                line[16].strip(),
                shown if math.isfinite(shown) else 1.0,
                model,
            )
        )
    _refuse_numbers(path, bad, problems)
    return rows


def _rows_of_cif(path: Path, lines: list[str], problems: list[Problem]) -> list[Row]:
    rows, bad = [], []
    columns: dict[str, int] = {}
    for number, line in enumerate(lines):
        if line.startswith("loop_"):
            columns = {}
        elif line.startswith("_atom_site."):
            columns[line.split()[0].removeprefix("_atom_site.")] = len(columns)
        elif line.startswith(("ATOM", "HETATM")) and "Cartn_x" in columns:
            words = [word.strip("'\"") for word in _words_of_cif.findall(line)]
            if len(words) != len(columns):
                bad.append((number, line.rstrip()))
                continue
            row = {name: words[at] for name, at in columns.items()}
            if not all(math.isfinite(_number(row.get(f"Cartn_{axis}", ""))) for axis in "xyz"):
                bad.append((number, line.rstrip()))
                continue
            shown = _number(row.get("occupancy", "1"))
            code = row.get("pdbx_PDB_ins_code", "")
            rows.append(
                Row(
                    number,
                    (
                        row.get("auth_asym_id", row.get("label_asym_id", "")),
                        row.get("auth_seq_id", row.get("label_seq_id", ""))
                        + ("" if code in _blank else code),
                    ),
                    row.get("auth_comp_id", row.get("label_comp_id", "")),
                    row.get("auth_atom_id", row.get("label_atom_id", "")),
                    row.get("label_alt_id", ""),
                    shown if math.isfinite(shown) else 1.0,
                    row.get("pdbx_PDB_model_num", "1"),
                )
            )
    _refuse_numbers(path, bad, problems)
    return rows


def _refuse_numbers(path: Path, bad: list[tuple[int, str]], problems: list[Problem]) -> None:
    more = len(bad) - _most_lines
    for count, (number, text) in enumerate(bad[:_most_lines], start=1):
        what = "holds no position"
        if count == _most_lines and more > 0:
            what += f", as {more:,} more lines"
        hint = "is the file cut short, or edited by hand? copy it again"
        problems.append(Problem(what, f"{path}:{number + 1}", text, "three numbers", hint))


def _refuse_coarse(path: Path, rows: list[Row], problems: list[Problem]) -> None:
    """Complain about a model of only alpha carbons, or of phosphorus alone."""
    atoms: dict[Residue, set[str]] = defaultdict(set)
    for row in rows:
        atoms[row.residue].add(row.atom)
    coarse = sum(names <= _coarse for names in atoms.values())
    if 2 * coarse > len(atoms) and any(
        names == {"CA"} or names == {"P"} for names in atoms.values()
    ):
        what = "holds one atom for a residue (CA or P) in place of all"
        limit = f"{coarse:,} of {len(atoms):,} residues"
        hint = "rebuild backbone and side chains first, or take a structure with all heavy atoms"
        problems.append(Problem(what, str(path), limit=limit, hint=hint))


def _places(rows: list[Row]) -> tuple[dict[Residue, str], list[str]]:
    """Return the location that is taken of each residue, by the sum of occupancies; and notes."""
    shares: dict[Residue, dict[str, list[float]]] = defaultdict(dict)
    names: dict[Residue, str] = {}
    for row in rows:
        if row.place not in _blank:
            shares[row.residue].setdefault(row.place, []).append(row.occupancy)
            names.setdefault(row.residue, row.name)
    taken, notes = {}, []
    for residue, places in shares.items():
        means = {place: sum(parts) / len(parts) for place, parts in places.items()}
        best = max(means, key=lambda place: (means[place], -ord(place[0])))
        taken[residue] = best
        others = ", ".join(f"{place} ({means[place]:g})" for place in places if place != best)
        text = f"{names[residue]} {' '.join(residue).strip()}: {best} ({means[best]:g})"
        notes.append(f"{text}, not {others}" if others else text)
    return taken, notes
