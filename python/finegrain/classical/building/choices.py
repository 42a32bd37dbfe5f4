# SPDX-License-Identifier: BSD-3-Clause
"""What a user chooses for the preparation: force field, water, box, salt, pH; all are checked.

Units: nm, mol/l, K.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from finegrain import units
from finegrain.classical.building.ligands.wishes import LigandWish, ligand_wishes
from finegrain.errors import Problem, nearest


@dataclass(frozen=True)
class Water:
    """A model of water: OpenMM's file, and the box of equilibrated water that fits it."""

    file: str
    shape: str


@dataclass(frozen=True)
class ForceField:
    """A force field of OpenMM with the waters and the cutoff it is used with; the first is usual.

    Attributes
    ----------
    cutoff : float
        Nanometres.
    """

    title: str
    files: tuple[str, ...]
    waters: dict[str, Water]
    cutoff: float


_three, _four, _five = "tip3p", "tip4pew", "tip5p"
SITES = (_four, _five)  # waters with sites that are no atoms
_amber_waters = {
    "tip3p": _three,
    "tip3pfb": _three,
    "spce": "spce",
    "opc3": _three,
    "opc": _four,
    "tip4pew": _four,
    "tip4pfb": _four,
}
_charmm_waters = {
    "tip3p": ("water", _three),  # with Lennard-Jones on its hydrogens, as CHARMM has it
    "tip3p-pme-b": ("tip3p-pme-b", _three),
    "tip3p-pme-f": ("tip3p-pme-f", _three),
    "spce": ("spce", "spce"),
    "tip4pew": ("tip4pew", _four),
    "tip4p2005": ("tip4p2005", _four),
    "tip5p": ("tip5p", _five),
    "tip5pew": ("tip5pew", _five),
}


def _amber(folder: str, usual: str) -> dict[str, Water]:
    names = sorted(_amber_waters, key=lambda name: name != usual)
    return {name: Water(f"{folder}/{name}.xml", _amber_waters[name]) for name in names}


FORCE_FIELDS = {
    "amber14": ForceField(
        "ff14SB, OL15, OL3", ("amber14-all.xml",), _amber("amber14", "tip3p"), 0.9
    ),
    "amber19": ForceField("ff19SB, OL21, OL3", ("amber19-all.xml",), _amber("amber19", "opc"), 0.9),
    "charmm36": ForceField(
        "CHARMM36",
        ("charmm36.xml",),
        {name: Water(f"charmm36/{file}.xml", box) for name, (file, box) in _charmm_waters.items()},
        1.2,
    ),
}
MEMBRANES = ("POPC", "POPE", "DLPC", "DLPE", "DMPC", "DOPC", "DPPC")
SHAPES = ("dodecahedron", "cube", "octahedron")
GAPS = ("build", "cut")
CRYSTAL_WATERS = ("keep", "drop")
STATES = {  # of which residue each is, and what it is called
    "ASP": ("ASP", "charged"),
    "ASH": ("ASP", "neutral"),
    "GLU": ("GLU", "charged"),
    "GLH": ("GLU", "neutral"),
    "HID": ("HIS", "hydrogen at ND1"),
    "HIE": ("HIS", "hydrogen at NE2"),
    "HIP": ("HIS", "charged"),
    "LYS": ("LYS", "charged"),
    "LYN": ("LYS", "neutral"),
    "CYS": ("CYS", "neutral"),
    "CYM": ("CYS", "charged"),
}
_state = re.compile(r"([^:=\s]*):(-?\d+[A-Za-z]?)=([A-Za-z]{3})")
_salt = re.compile(r"\s*(\d+\.?\d*|\.\d+)\s*(.*?)\s*", re.ASCII)
_molar = {"M": 1.0, "mol/l": 1.0, "mol/L": 1.0, "mM": 1e-3, "mmol/l": 1e-3, "mmol/L": 1e-3}
_most_salt = 6.0  # mol/l; sodium chloride dissolves to 6.1
_usual_of_water = (273.0, 373.0)  # K
_usual_padding = "10 Å"
_most_seed = 2**31 - 2  # a library takes one more


class Wishes(TypedDict, total=False):
    """The choices as a user gives them; what is not given has the usual value."""

    forcefield: str
    water: str | None
    box: str | None
    membrane: str | None
    padding: str | None
    salt: str
    ph: float | str
    temperature: str
    neutral: bool
    crystal_waters: str
    leave_out: Sequence[str]
    ligand: Sequence[str]
    ligand_charge: Sequence[str]
    state: Sequence[str]
    gaps: str
    model: int
    seed: int


@dataclass(frozen=True)
class Choices:
    """What was chosen, in nm, mol/l and K; see `finegrain.prepare`.

    Attributes
    ----------
    padding : float
        The usual one if `padding_is_usual`: it may then grow to what the cutoff needs.
    membrane : str, optional
        The lipid.
    states : dict
        Protonation of a residue by its chain and number.
    """

    force_field: ForceField
    water: Water
    forcefield: str
    water_name: str
    box: str
    membrane: str | None
    padding: float
    padding_is_usual: bool
    salt: float
    ph: float
    temperature: float
    neutral: bool
    crystal_waters: bool
    leave_out: tuple[str, ...]
    ligands: tuple[LigandWish, ...]
    states: dict[tuple[str, str], str]
    build_gaps: bool
    model: int
    seed: int


def checked_choices(wishes: Wishes, problems: list[Problem]) -> Choices:
    """Return the choices; add what is wrong with them to `problems`, with usual values instead."""
    name = _word(wishes.get("forcefield", "amber14"), FORCE_FIELDS, "--forcefield", problems)
    force_field = FORCE_FIELDS[name]
    water = _water(wishes.get("water"), name, problems)
    asked = wishes.get("padding")
    padding = _length(asked or _usual_padding, problems)
    least = force_field.cutoff / 2
    if padding is not None and padding < least:
        problems.append(
            Problem(
                "too little: the solute could be nearer to its own image than the cutoff",
                "--padding",
                str(asked),
                f"at least {10 * least:g} Å, half the cutoff of {name}",
                "10 Å is usual",
            )
        )
    crystal = _word(
        wishes.get("crystal_waters", "keep"), CRYSTAL_WATERS, "--crystal-waters", problems
    )
    return Choices(
        force_field=force_field,
        water=force_field.waters[water],
        forcefield=name,
        water_name=water,
        box=_word(wishes.get("box") or SHAPES[0], SHAPES, "--box", problems),
        membrane=_membrane(wishes, force_field.waters[water], name, problems),
        padding=max(padding or 1.0, least),
        padding_is_usual=asked is None,
        salt=_molarity(wishes.get("salt", "0.15 mol/l"), problems),
        ph=_ph(wishes.get("ph", 7.0), problems),
        temperature=_temperature(wishes.get("temperature", "300 K"), problems),
        neutral=bool(wishes.get("neutral", True)),
        crystal_waters=crystal == "keep",
        leave_out=tuple(_split(wishes.get("leave_out") or ())),
        ligands=_ligands(wishes, name, problems),
        states=_states(wishes.get("state") or (), problems),
        build_gaps=_word(wishes.get("gaps", "build"), GAPS, "--gaps", problems) == "build",
        model=_whole(wishes.get("model", 1), "--model", 1, problems),
        seed=_whole(wishes.get("seed", 1), "--seed", 0, problems),
    )


def _membrane(
    wishes: Wishes, water: Water, force_field: str, problems: list[Problem]
) -> str | None:
    lipid = wishes.get("membrane")
    if lipid is None:
        return None
    if water.shape in SITES:
        fitting = [
            name for name, one in FORCE_FIELDS[force_field].waters.items() if one.shape not in SITES
        ]
        what = "takes a water of three sites: OpenMM's lipids come with such water"
        hint = f"take --water {fitting[0]}"
        problems.append(Problem(what, "--membrane", lipid, ", ".join(fitting), hint))
    if wishes.get("box"):
        what, hint = "has no use with --membrane: its box is rectangular", "leave this option out"
        problems.append(Problem(what, "--box", str(wishes.get("box")), hint=hint))
    return _word(str(lipid).upper(), MEMBRANES, "--membrane", problems)


def _ligands(wishes: Wishes, force_field: str, problems: list[Problem]) -> tuple[LigandWish, ...]:
    ligands = ligand_wishes(wishes.get("ligand") or (), wishes.get("ligand_charge") or (), problems)
    if ligands and force_field == "charmm36":
        what = "gets parameters of GAFF2, which belong with the force fields of AMBER"
        hint = "take --forcefield amber14; for CHARMM take the files of CHARMM-GUI"
        names = ", ".join(ligand.name for ligand in ligands)
        problems.append(Problem(what, "--ligand", names, hint=hint))
    return ligands


def _word(value: object, words: Iterable[str], where: str, problems: list[Problem]) -> str:
    """Return one of the words; for another the first, with a problem."""
    known = list(words)
    if value in known:
        return str(value)
    close = nearest(str(value), known)
    hint = f"did you mean {close}?" if close else f"usual is {known[0]}"
    problems.append(Problem("is not known", where, str(value), ", ".join(known), hint))
    return close or known[0]


def _water(value: object, force_field: str, problems: list[Problem]) -> str:
    """Return the water; one of another force field gets a problem that names those that fit."""
    waters = FORCE_FIELDS[force_field].waters
    usual = next(iter(waters))
    if value is None or value in waters:
        return usual if value is None else str(value)
    others = [name for name, field in FORCE_FIELDS.items() if value in field.waters]
    if others:
        hint = f"take one of these, or --forcefield {others[0]}"
        what = f"is not a water of {force_field}"
        problems.append(Problem(what, "--water", str(value), ", ".join(waters), hint))
        return usual
    return _word(value, waters, "--water", problems)


def _length(value: object, problems: list[Problem]) -> float | None:
    try:
        return units.parse_quantity(value, units.length).value * units.bohr_in_nm
    except units.UnitError as error:
        problems.append(Problem(error.what, "--padding", str(value), hint=error.hint))
        return None


def _temperature(value: object, problems: list[Problem]) -> float:
    low, high = _usual_of_water
    try:
        kelvin = units.parse_quantity(value, units.temperature).value * units.hartree_in_kelvin
    except units.UnitError as error:
        problems.append(Problem(error.what, "--temperature", str(value), hint=error.hint))
        return 300.0
    if not low <= kelvin <= high:
        limit = f"{low:g} to {high:g} K, where water is liquid"
        hint = "write the input for another temperature by hand"
        problems.append(Problem("out of range", "--temperature", str(value), limit, hint))
    return round(kelvin, 6)


def _molarity(value: object, problems: list[Problem]) -> float:
    match = _salt.fullmatch(str(value))
    size = _molar.get(match[2]) if match else None
    hint = 'write a concentration with its unit, such as "0.15 mol/l" or "150 mM"; "0 M" for none'
    if match is None or size is None:
        what = "has no unit" if match and not match[2] else "is not a concentration"
        problems.append(Problem(what, "--salt", str(value), hint=hint))
        return 0.15
    molar = float(match[1]) * size
    if molar > _most_salt:
        limit = f"at most {_most_salt:g} mol/l"
        problems.append(Problem("more than dissolves", "--salt", str(value), limit, hint))
    return molar


def _ph(value: object, problems: list[Problem]) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(str(value))
    except ValueError:
        number = math.nan
    if not 0 <= number <= 14:
        what = "is not a pH"
        problems.append(
            Problem(what, "--ph", str(value), "0 to 14", "7 is usual, such as --ph 7.4")
        )
        return 7.0
    return number


def _whole(value: Any, where: str, least: int, problems: list[Problem]) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= _most_seed:
        return value
    limit = f"a whole number from {least} to {_most_seed:,}"
    hint = f"leave it out for {'the first' if where == '--model' else 'the usual seed'}"
    problems.append(Problem("is not such a number", where, str(value), limit, hint))
    return 1


def _split(words: Sequence[str]) -> list[str]:
    words = [words] if isinstance(words, str) else list(words)
    return [name.upper() for word in words for name in str(word).replace(",", " ").split()]


def _states(words: Sequence[str], problems: list[Problem]) -> dict[tuple[str, str], str]:
    found = {}
    for word in [words] if isinstance(words, str) else words:
        match = _state.fullmatch(str(word))
        hint = "write chain, number and state, such as --state A:57=HIE"
        if match is None:
            problems.append(Problem("cannot be read", "--state", str(word), hint=hint))
        elif (name := match[3].upper()) not in STATES:
            close = nearest(match[3], [state.lower() for state in STATES])
            hint = f"did you mean {close.upper()}?" if close else hint
            limit = ", ".join(STATES)
            problems.append(Problem("there is no such state", "--state", str(word), limit, hint))
        else:
            found[(match[1], match[2])] = name
    return found
