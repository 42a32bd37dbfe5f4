# SPDX-License-Identifier: BSD-3-Clause
"""The faults in a command's treatment of a damaged file: a list of sentences, or empty."""

import re
from pathlib import Path

import h5py
import numpy as np
import strict

from finegrain import units
from finegrain.base import cells

# Words that a chemist should never have to read.
_phrases = re.compile(
    r"Traceback|list index|out of bounds for|could not convert|NoneType|has no attribute|unpack"
    r"|invalid literal|codec can't|<class|object is not|not subscriptable|takes \d+ positional"
    r"|unsupported operand|not supported between|string index|tuple index|dictionary|\bdtype\b"
    r"|\b[A-Z][A-Za-z]*(Error|Exception|Warning)\b|\.py\b|\b0x[0-9a-f]{6,}|std::|bad_alloc|basic_string"
    r"|stoi|stod|invalid escape|[Pp]ython|numpy|HDF5-DIAG|\bint\(\)|\bfloat\(\)|maximum recursion"
    r"|expected \d+, got|ordinal not in|no such group|unhashable|iterable|\x1b|None\b|np\.\w+\("
)


def text_faults(status: int, text: str) -> list[str]:
    """Judge status and message."""
    found = []
    if status not in (0, 1, 2, 3, 75):
        found.append(f"status {status}")
    known = ("it takes about", "cannot write", "cannot be written")
    if status == 2 and not any(words in text for words in known):
        found.append("status 2 without the memory that is needed or the file in the way")
    if phrase := _phrases.search(text):
        found.append(f"a phrase of Python's: {phrase.group()!r}")
    if status == 1 and not re.search(r"error  \d+ problem", text):
        found.append("status 1 without a message")
    return found


def library_faults(text: str) -> list[str]:
    """Find messages of HDF5 about a file that come without a message of finegrain."""
    if not re.search(r"[Uu]nable to|Can't|H5[A-Z]\w+", text):
        return []
    ours = r"cut short|is damaged|cannot be read|not a finegrain job|not a readable"
    return [] if re.search(ours, text) else ["a phrase of HDF5's alone"]


def job_arrays(path: Path) -> dict[str, np.ndarray]:
    """Return all numbers and settings of a job."""
    found: dict[str, np.ndarray] = {}
    with h5py.File(path, "r") as file:

        def visit(name: str, item: h5py.Dataset | h5py.Group) -> None:
            if isinstance(item, h5py.Dataset):
                found[name] = item[...]
            for key, value in item.attrs.items():
                found[f"{name}.{key}"] = np.asarray(value)

        file.visititems(visit)
    # Without names of atoms and residues: they have no effect, and may be any text.
    return {
        name: values
        for name, values in found.items()
        if not name.startswith("residues/") and name not in ("atoms/name", "atoms/residue")
    }


def changed(base: dict[str, np.ndarray], job: dict[str, np.ndarray]) -> list[str]:
    """Return the names of the arrays that differ."""
    return [
        name
        for name in sorted(base.keys() | job.keys())
        if name not in base or name not in job or not np.array_equal(base[name], job[name])
    ]


def number_faults(kind: str, folder: Path, job: dict[str, np.ndarray]) -> list[str]:
    """Compare an accepted job with a strict reading of the files."""
    said = strict.read(kind, folder)
    box = cells.box_of(job["box"]) * units.bohr_in_nm
    held = {
        "mass": job["atoms/mass"] * units.electron_mass_in_dalton,
        "charge": job["atoms/charge"],
        "position": job["atoms/position"] * units.bohr_in_nm,
        "velocity": job["atoms/velocity"] * units.speed_in_nm_per_ps,
        "cutoff": job["settings.cutoff"].reshape(1) * units.bohr_in_nm,
        "timestep": job["dynamics.timestep"].reshape(1) * units.time_in_ps,
        "temperature": job["dynamics.temperature"].reshape(1) * units.hartree_in_kelvin,
        "friction": job["dynamics.friction"].reshape(1) / units.time_in_ps,
        "steps": job["dynamics.steps"].reshape(1),
        "seed": job["dynamics.seed"].reshape(1),
    }
    found = []
    if (vectors := said.pop("box", None)) is not None:
        upright, turn = cells.upright(vectors)  # as the engine has it, with the atoms
        # angles below 1e-5 are rounding
        if not cells.same_lattice(cells.vectors_of(upright), cells.vectors_of(box), 2e-4):
            found.append(f"box: {box.tolist()} in the job, {vectors.tolist()} in the files")
        for name in ("position", "velocity"):
            if turn is not None and said.get(name, np.zeros(0)).size:
                said[name] = said[name] @ turn.T
    for name, wanted in said.items():
        if name == "velocity" and wanted.size == 0:
            continue
        have = held[name]
        if have.shape != wanted.shape:
            found.append(f"{name}: {have.shape} in the job, {wanted.shape} in the files")
            continue
        apart = have - wanted
        if name == "position":
            apart -= cells.nearest_shift(apart, box)
        scale = 1.0 if name == "position" else np.abs(wanted)
        worst = np.abs(apart) - 1e-6 * scale - 1e-7
        if not (worst <= 0).all():
            at = np.unravel_index(int(np.argmax(worst)), worst.shape)
            found.append(f"{name} {at}: {have[at]} in the job, {wanted[at]} in the files")
    return found
