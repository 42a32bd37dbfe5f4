# SPDX-License-Identifier: BSD-3-Clause
"""An independent and strict reading of the seeds' formats: the numbers of an accepted input.

It reads only values that the files give for each atom, which are mass (Da), charge (e), position
(nm) and velocity (nm/ps), and the vectors of the box in rows (nm). A number is finite, in ASCII
digits with a decimal point; anything else raises an error.
"""

import math
import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from pathlib import Path

import numpy as np

_number = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
Arrays = dict[str, np.ndarray]


class MalformedError(Exception):
    """The text does not say what it should."""


def _float(text: str) -> float:
    text = text.strip(" ")
    if not _number.fullmatch(text) or not math.isfinite(float(text)):
        raise MalformedError(text)
    return float(text)


def _floats(texts: Iterable[str]) -> list[float]:
    return [_float(text) for text in texts]


def _fixed(line: str, width: int, start: int = 0) -> list[str]:
    return [line[i : i + width] for i in range(start, len(line.rstrip()), width)]


def _prmtop(path: Path) -> Arrays:
    sections: dict[str, tuple[int, list[str]]] = {}
    name = ""
    for line in path.read_text("utf-8").split("\n"):
        if line.startswith("%FLAG"):
            name = line[5:].strip()
        elif line.startswith("%FORMAT"):
            found = re.search(r"[aIEie](\d+)", line)
            sections[name] = (int(found.group(1)) if found else 0, [])
        elif name in sections:
            sections[name][1].append(line)

    def values(wanted: str) -> np.ndarray:
        width, rows = sections[wanted]
        return np.array(_floats(word for row in rows for word in _fixed(row, width)))

    return {"charge": values("CHARGE") / 18.2223, "mass": values("MASS")}


def _rst7(path: Path) -> Arrays:
    lines = path.read_text("utf-8").split("\n")
    count = int(_float(lines[1].split()[0]))
    numbers = np.array(_floats(word for line in lines[2:] for word in _fixed(line, 12)))
    if len(numbers) != 6 * count + 6:
        raise MalformedError("count")
    position, velocity = numbers[: 6 * count].reshape(2, count, 3)
    return {
        "position": position / 10,
        "velocity": velocity * 20.455 / 10,
        "box": _vectors(numbers[6 * count :]) / 10,
    }


def _vectors(lengths_and_angles: Iterable[float]) -> np.ndarray:
    """Return vectors in rows, a along x and b in the plane of x and y."""
    a, b, c, *degrees = lengths_and_angles
    alpha, beta, gamma = (round(math.cos(math.radians(angle)), 12) for angle in degrees)
    sine = math.sqrt(1 - gamma**2)
    y = (alpha - beta * gamma) / sine
    z = math.sqrt(1 - beta**2 - y**2)
    return np.array([[a, 0, 0], [b * gamma, b * sine, 0], [c * beta, c * y, c * z]])


def _psf(path: Path) -> Arrays:
    head, _, tail = path.read_text("utf-8").partition("!NATOM")
    count = int(_float(head.split("\n")[-1]))
    rows = [line.split() for line in tail.split("\n")[1 : count + 1]]
    return {
        "charge": np.array(_floats(row[6] for row in rows)),
        "mass": np.array(_floats(row[7] for row in rows)),
    }


def _pdb(path: Path) -> tuple[Arrays, list[str]]:
    """Return positions and box, and the name of each atom."""
    found: Arrays = {}
    rows, names = [], []
    for line in path.read_text("utf-8").split("\n"):
        if line.startswith("CRYST1"):
            angles = _floats(_fixed(line[33:54], 7))
            found["box"] = _vectors([*_floats(_fixed(line[:33], 9, 6)), *angles]) / 10
        elif line.startswith(("ATOM", "HETATM")):
            rows.append(_floats((line[30:38], line[38:46], line[46:54])))
            names.append(line[12:16].strip())
    return found | {"position": np.array(rows) / 10}, names


def _top(path: Path) -> Arrays:
    sections: dict[str, list[list[str]]] = {}
    name, molecule = "", ""
    for line in path.read_text("utf-8").split("\n"):
        words = line.partition(";")[0].split()
        if words and words[0] == "[":
            name = words[1]
        elif words and name == "moleculetype":
            molecule = words[0]
        elif words:
            key = f"atoms {molecule}" if name == "atoms" else name
            sections.setdefault(key, []).append(words)
    rows = [
        row
        for kind, count in sections["molecules"]
        for _ in range(min(int(_float(count)), 1000))
        for row in sections[f"atoms {kind}"]
    ]
    return {
        "charge": np.array(_floats(row[6] for row in rows)),
        "mass": np.array(_floats(row[7] for row in rows)),
    }


def _gro(path: Path) -> Arrays:
    lines = path.read_text("utf-8").split("\n")
    count = int(_float(lines[1]))
    rows = lines[2 : count + 2]
    position = [_floats(row[i : i + 8] for i in (20, 28, 36)) for row in rows]
    velocity = [_floats(row[i : i + 8] for i in (44, 52, 60)) for row in rows]
    box = _floats(lines[count + 2].split())
    if len(box) not in (3, 9):
        raise MalformedError("box")
    (ax, by, cz), others = box[:3], box[3:] or [0.0] * 6
    ay, az, bx, bz, cx, cy = others
    return {
        "position": np.array(position),
        "velocity": np.array(velocity),
        "box": np.array([[ax, ay, az], [bx, by, bz], [cx, cy, cz]]),
    }


def _force_field(path: Path, atoms: list[str]) -> Arrays:
    root = ET.fromstring(path.read_bytes())
    mass = {item.attrib["name"]: item.attrib["mass"] for item in root.iter("Type")}
    charge = {
        item.attrib["type"]: item.attrib["charge"] for item in root.iterfind("NonbondedForce/Atom")
    }
    kind = {item.attrib["name"]: item.attrib["type"] for item in root.iterfind(".//Residue/Atom")}
    kinds = [kind[name] for name in atoms]
    return {
        "charge": np.array(_floats(charge[name] for name in kinds)),
        "mass": np.array(_floats(mass[name] for name in kinds)),
    }


def _system(path: Path) -> Arrays:
    root = ET.fromstring(path.read_bytes())
    particles = root.iterfind("Particles/Particle")
    charged = root.iterfind("Forces/Force[@type='NonbondedForce']/Particles/Particle")
    return {
        "mass": np.array(_floats(item.attrib["mass"] for item in particles)),
        "charge": np.array(_floats(item.attrib["q"] for item in charged)),
    }


def _state(path: Path) -> Arrays:
    root = ET.fromstring(path.read_bytes())

    def rows(name: str) -> np.ndarray:
        return np.array(
            [_floats(item.attrib[axis] for axis in "xyz") for item in root.iterfind(f"{name}/*")]
        )

    vectors = [root.find(f"PeriodicBoxVectors/{name}") for name in "ABC"]
    box = [_floats(row.attrib[axis] for axis in "xyz") for row in vectors if row is not None]
    return {"position": rows("Positions"), "velocity": rows("Velocities"), "box": np.array(box)}


_units = {"Å": 0.1, "nm": 1.0, "fs": 1e-3, "ps": 1.0, "K": 1.0, "1/ps": 1.0}
_quantities = {
    "cutoff": ("forces", "cutoff"),
    "timestep": ("dynamics", "timestep"),
    "temperature": ("dynamics", "temperature"),
    "friction": ("dynamics", "friction"),
}


def _quantity(text: str) -> float:
    found = re.fullmatch(r"\s*(\S+?)\s*(Å|nm|fs|ps|K|1/ps)\s*", text)
    if not found:
        raise MalformedError(text)
    return _float(found.group(1)) * _units[found.group(2)]


def _toml(path: Path) -> Arrays:
    """Return what the input gives; a key that is not there has its default."""
    data = tomllib.loads(path.read_text("utf-8-sig"))
    dynamics = data.get("dynamics", {})
    found = {
        name: np.array([_quantity(data[section][key])])
        for name, (section, key) in _quantities.items()
        if key in data.get(section, {})
    }
    for key in ("steps", "seed"):
        if key in dynamics:
            found[key] = np.array([float(dynamics[key])])
    if "box" in data["system"]:
        found["box"] = np.diag([_quantity(edge) for edge in data["system"]["box"]])
    if dynamics.get("velocities") != "from-file":
        found["velocity"] = np.array([])  # those of the files may stay unused
    return found


def read(kind: str, folder: Path) -> Arrays:
    """Read a seed's folder; later files have priority over earlier ones, as for an input."""
    try:
        match kind.partition("-")[0]:
            case "amber":
                found = _prmtop(folder / "a.prmtop") | _rst7(folder / "a.rst7")
            case "charmm":
                found = _psf(folder / "w.psf") | _pdb(folder / "w.pdb")[0]
            case "gromacs":
                found = _top(folder / "m.top") | _gro(folder / "m.gro")
            case "forcefield":
                placed, names = _pdb(folder / "water.pdb")
                found = placed | _force_field(folder / "own_water.xml", names)
            case _:
                found = _system(folder / "system.xml") | _state(folder / "state.xml")
        return found | _toml(folder / "in.toml")
    except (
        KeyError,
        IndexError,
        ValueError,
        AttributeError,
        TypeError,
        OverflowError,
        ET.ParseError,
        tomllib.TOMLDecodeError,
    ) as error:
        raise MalformedError(repr(error)) from error
