# SPDX-License-Identifier: BSD-3-Clause
"""Ways to damage the HDF5 files of a run: bytes, and tables of other shapes and values."""

from __future__ import annotations

import random
from pathlib import Path

import h5py
import numpy as np

from finegrain.seal import is_whole, seal

files = ("job.h5", "checkpoint.h5", "trajectory.h5")


commands = ("run", "resume", "show", "convert")


def words_for(command: str, chance: random.Random, folder: Path) -> list[str]:
    """Return a command line for the folder of a run."""
    beside = folder.parent
    quick = ["--pes", "1", "--quiet"]
    match command:
        case "run":
            job = folder / "job.h5"
            return ["run", str(job), "--out", str(beside / "again"), "--steps", "5", *quick]
        case "resume":
            return ["resume", str(folder), *quick]
        case "show":
            return ["show", str(folder)]
        case _:
            form = chance.choice(["xtc", "dcd", "xyz", "pdb", "gro", "rst7"])
            return ["convert", str(folder), "--to", form, "--out", str(beside / f"out.{form}")]


def _bytes(chance: random.Random, path: Path) -> str:
    contents = bytearray(path.read_bytes())
    match chance.randrange(4):
        case 0:
            at = chance.randrange(len(contents))
            path.write_bytes(contents[:at])
            return f"cut after {at} bytes"
        case 1:
            at = chance.randrange(min(len(contents), 4096))  # most of the structure stands there
            contents[at] ^= 1 << chance.randrange(8)
            what = f"a bit turned at {at}"
        case 2:
            at = chance.randrange(len(contents))
            contents[at : at + 64] = chance.randbytes(len(contents[at : at + 64]))
            what = f"64 bytes of noise at {at}"
        case _:
            at = chance.randrange(len(contents))
            contents[at : at + 512] = bytes(len(contents[at : at + 512]))
            what = f"512 bytes set to 0 at {at}"
    path.write_bytes(contents)
    return what


def _names(file: h5py.File) -> tuple[list[str], list[tuple[str, str]]]:
    tables: list[str] = []
    attributes = [("/", name) for name in sorted(file.attrs)]

    def visit(name: str, item: h5py.Dataset | h5py.Group) -> None:
        if isinstance(item, h5py.Dataset):
            tables.append(name)
        attributes.extend((name, key) for key in sorted(item.attrs))

    file.visititems(visit)
    return sorted(tables), attributes


_numbers = [np.nan, np.inf, -1.0, 0.0, 1e30, -1e10, 2.0**40, 0.5]


def _table(chance: random.Random, file: h5py.File, name: str) -> str:
    values = file[name][()]
    is_number = np.asarray(values).dtype.kind in "iuf"
    choice = chance.randrange(7)
    if choice == 0 or (not is_number and choice in (1, 2)):
        del file[name]
        return f"{name} taken out"
    if choice in (1, 2):
        new = np.array(values)
        worth = chance.choice(_numbers)
        if new.dtype.kind != "f":
            limits = np.iinfo(new.dtype)
            worth = chance.choice([max(-1, limits.min), 0, 1, limits.max, limits.min])
        if new.size == 0:
            return f"{name} is empty and stays"
        place = chance.randrange(new.size)
        with np.errstate(all="ignore"):
            new.reshape(-1)[place] = worth
        what = f"{name}[{place}] = {worth}"
    elif choice == 3:
        new, what = np.asarray(values)[:-1] if np.ndim(values) else values, f"{name} shortened"
    elif choice == 4:
        new, what = np.asarray(values).reshape(-1), f"{name} flattened"
    elif choice == 5:
        new, what = np.array([b"text"] * max(np.size(values), 1)), f"{name} of text"
    else:
        new, what = np.zeros((0, *np.shape(values)[1:])), f"{name} emptied"
    attributes = dict(file[name].attrs)
    del file[name]
    made = file.create_dataset(name, data=new)
    for key, value in attributes.items():
        made.attrs[key] = value
    return what


def _attribute(chance: random.Random, file: h5py.File, place: str, key: str) -> str:
    holder = file[place]
    if chance.random() < 0.25:
        del holder.attrs[key]
        return f"{place}.{key} taken out"
    new = chance.choice([np.nan, -1, 0, 2**40, "no", 1e300, np.zeros(7), np.int32(3)])
    holder.attrs[key] = new
    return f"{place}.{key} = {new!r}"


def damage(chance: random.Random, folder: Path) -> str:
    """Damage one file of a run; return what was done, in words."""
    path = folder / chance.choice(files)
    if chance.random() < 0.35:
        return f"{path.name}, {_bytes(chance, path)}"
    was_sealed = is_whole(path)
    with h5py.File(path, "r+", locking=False) as file:
        tables, attributes = _names(file)
        if attributes and chance.random() < 0.4:
            what = _attribute(chance, file, *chance.choice(attributes))
        else:
            what = _table(chance, file, chance.choice(tables))
    if was_sealed:
        seal(path)
    return f"{path.name}, {what}"
