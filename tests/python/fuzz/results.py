# SPDX-License-Identifier: BSD-3-Clause
"""Ways to damage the HDF5 files of a run: bytes, and tables of other shapes and values."""

import json
import os
import random
import stat
import struct
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from finegrain.files.seal import is_whole, seal

sealed = ("job.h5", "checkpoint.h5")
texts = ("result.json", "stages.json", "energies.csv", "run.log")


commands = ("run", "resume", "show", "convert")


def files(folder: Path) -> list[str]:
    """Return the names of the HDF5 files of a run."""
    return sorted(path.name for path in folder.glob("*.h5"))


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
    if path.name in sealed and chance.random() < 0.7:
        seal(path)  # so that what is damaged is read
        what += ", sealed again"
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


def _packed(file: h5py.File, name: str) -> None:
    """Make a table of a gigabyte that takes a megabyte."""
    tail = _taken_out(file, name)
    rows = 2**27 // max(1, int(np.prod(tail)))
    made = file.create_dataset(name, (rows, *tail), "f8", chunks=(rows // 64, *tail), compression=1)
    chunk = np.zeros((rows // 64, *tail))
    for part in range(4):  # what is not written is of zeros, too
        made[part * len(chunk) : (part + 1) * len(chunk)] = chunk


def _unwritten(file: h5py.File, name: str) -> None:
    """Claim 2^58 rows of which none was written."""
    tail = _taken_out(file, name)
    file.create_dataset(name, (2**58, *tail), "f8", chunks=(1, *tail), maxshape=(None, *tail))


def _large_chunk(file: h5py.File, name: str) -> None:
    """Put few rows into a chunk of a gigabyte, which is unpacked for each of them."""
    shape, tail = file[name].shape, _taken_out(file, name)
    rows = 2**27 // max(1, int(np.prod(tail)))
    made = file.create_dataset(
        name, shape, "f8", chunks=(rows, *tail), maxshape=(None, *tail), compression=1
    )
    made.attrs["unit"] = "nm"


def _taken_out(file: h5py.File, name: str) -> tuple[int, ...]:
    tail = tuple(file[name].shape[1:])
    del file[name]
    return tail


# Small files that claim much.
bombs = {"packed": _packed, "unwritten": _unwritten, "large chunk": _large_chunk}


def _bomb(chance: random.Random, file: h5py.File, name: str) -> str:
    if not file[name].shape:
        return f"{name} is one number and stays"
    kind = chance.choice(["unwritten", "large chunk"])  # the other one takes time to make
    bombs[kind](file, name)
    return f"{name} is {kind}"


def _another_type(chance: random.Random, file: h5py.File, name: str) -> str:
    """Let a table be of what no file of a run has: compounds, references, lists of lists."""
    shape = file[name].shape
    kinds = {
        "compounds": np.dtype([("a", "f8"), ("b", "i4")]),
        "choices": h5py.enum_dtype({"A": 0, "B": 1}),
        "opaque bytes": h5py.opaque_dtype(np.dtype("V8")),
        "dates": h5py.opaque_dtype(np.dtype("M8[s]")),
        "references": h5py.ref_dtype,
        "regions": h5py.regionref_dtype,
        "lists": h5py.vlen_dtype(np.float64),
        "texts": h5py.string_dtype(),
        "truths": np.dtype(bool),
        "complex numbers": np.dtype(complex),
        "arrays": np.dtype(("f8", (3,))),
    }
    what = chance.choice([*kinds, "nothing", "a group", "the root", "a circle of links"])
    del file[name]
    if what in kinds:
        file.create_dataset(name, shape, kinds[what])
    elif what == "nothing":
        file[name] = h5py.Empty("f8")
    elif what == "a group":
        file.create_group(name)
    elif what == "the root":
        file[name] = file["/"]
    else:
        file[name] = h5py.SoftLink(f"/{name}")
    return f"{name} is of {what}"


def _attribute(chance: random.Random, file: h5py.File, place: str, key: str) -> str:
    holder = file[place]
    if chance.random() < 0.25:
        del holder.attrs[key]
        return f"{place}.{key} taken out"
    odd: list[Any] = [h5py.Empty("f8"), True, 1 + 2j, np.zeros((), [("a", "f8")]), "\x1b[31m\n"]
    odd += [
        np.bytes_(b"\xff\xfe"),
        "x" * 50_000,
        np.zeros((3, 3)),
        np.zeros(0),
        np.uint64(2**64 - 1),
    ]
    odd += [2**63 - 1, np.array([b"a", b"b"]), ""]
    new = chance.choice([np.nan, -1, 0, 2**40, "no", 1e300, np.zeros(7), np.int32(3), *odd])
    holder.attrs[key] = new
    return f"{place}.{key} = {new!r}"[:200]


_odd_values: list[Any] = [
    *(None, True, -1, 0, 2**70, 1e308, -1e308, "", "no", "../../outside", [], [[]], {}),
    *([None], {"name": 3}, "\u202e", "x" * 5000, float("nan"), float("inf")),
]


def _json(chance: random.Random, path: Path) -> str:
    """Put another value in one place of a file of JSON, or break its text."""
    text = path.read_text()
    if chance.random() < 0.2:
        broken = ["[" * 100_000, "1" * 10_000, "\ufffe", text[: chance.randrange(len(text))], "{}"]
        path.write_text(chance.choice(broken))
        return "broken text"
    content = json.loads(text)
    holder: Any = content
    key: Any = chance.choice(sorted(content))
    while isinstance(holder[key], list | dict) and holder[key] and chance.random() < 0.8:
        holder = holder[key]
        key = chance.choice(sorted(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[key] = chance.choice(_odd_values)
    path.write_text(json.dumps(content))
    return f"{key} = {str(holder[key])[:40]!r}"


def _forged_journal(chance: random.Random, folder: Path) -> str:
    """Write a journal with right checksums that no run has written."""
    size = (folder / "trajectory.h5").stat().st_size
    absurd = [0, size, size // 2, size + 1024, 2**40, 2**54, 2**63, 2**64 - 1024, 2**64 - 1]
    base, end = chance.choice(absurd), chance.choice(absurd)
    pages = [chance.choice(absurd) // 1024 for _ in range(chance.randrange(4))]
    entry = b"FGJOURN1" + struct.pack("<5Q", chance.randrange(3), 0, base, end, len(pages))
    for page in pages:
        entry += struct.pack("<Q", page) + chance.randbytes(1024)
    entry += struct.pack("<Q", checksum(entry))
    (folder / "trajectory.h5.journal").write_bytes(entry)
    return f"base {base}, end {end}, pages {pages}"


def checksum(contents: bytes) -> int:
    """Return the sum of engine/records/files/checksum.hpp."""
    total, mask = 0xCBF29CE484222325, (1 << 64) - 1
    for at in range(0, len(contents), 8):
        word = int.from_bytes(contents[at : at + 8].ljust(8, b"\0"), "little")
        total = ((total ^ word) * 0x100000001B3) & mask
        total ^= total >> 29
    return total


_long_ago = 10**18  # ns: in 2001


def outside(folder: Path) -> Path:
    """Return the place of files that no command may read or change."""
    return folder.parent / "outside"


def write_outside(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Write files outside the folder of a run, with a pipe; return what must stay the same."""
    place = outside(folder)
    (place / "1-heat").mkdir(parents=True)
    for name in ("job.h5", "result.json", "trajectory.h5", "checkpoint.h5", "run.log"):
        (place / "1-heat" / name).write_bytes(b"not yours")
    (place / "secret.bin").write_bytes(bytes(range(256)) * 400)
    with h5py.File(place / "other.h5", "w") as file:
        file["table"] = np.full((100, 3), 0.5)
    os.mkfifo(place / "pipe")
    state_of(place)
    return state_of(place)


def state_of(place: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return size, times of the last change and reading, and contents of all files outside."""
    found = {}
    for path in sorted(place.rglob("*")):
        about = path.lstat()
        if stat.S_ISREG(about.st_mode):
            found[str(path)] = (about.st_atime_ns, about.st_mtime_ns, path.read_bytes())
            # before the last change, so that every file system notes the next reading
            os.utime(path, ns=(_long_ago, about.st_mtime_ns))
        else:
            found[str(path)] = (0, 0, b"")
    return found


def _another_kind(chance: random.Random, folder: Path) -> str:
    """Put a link, a pipe, a device or a folder in the place of a file of the run."""
    names = (*files(folder), *texts, "trajectory.h5.journal", ".lock", ".engine.lock")
    names += ("checkpoint_previous.h5", "energies.png", "checkpoint.h5.part", "result.json.part")
    path = folder / chance.choice(names)
    path.unlink(missing_ok=True)
    target = chance.choice(["secret.bin", "other.h5", "pipe", "1-heat"])
    match chance.randrange(4):
        case 0:
            os.mkfifo(path)
            return f"{path.name} is a pipe"
        case 1:
            path.mkdir()
            return f"{path.name} is a folder"
        case 2:
            path.symlink_to(chance.choice(["/dev/zero", "/dev/full", "/dev/tty", "nowhere"]))
        case _:
            path.symlink_to(outside(folder) / target)
    return f"{path.name} is a link to {path.readlink().name}"


def _way_out(chance: random.Random, folder: Path) -> str:
    """Let a table of an HDF5 file lead to another file."""
    path = folder / chance.choice(files(folder))
    was_sealed = is_whole(path)
    other = outside(folder) / chance.choice(["other.h5", "pipe", "secret.bin"])
    with h5py.File(path, "r+", locking=False) as file:
        name = chance.choice(_names(file)[0])
        shape, kind = file[name].shape, file[name].dtype
        del file[name]
        match chance.randrange(3):
            case 0:
                file[name] = h5py.ExternalLink(str(other), "/table")
                what = "a link to another file"
            case 1 if kind.kind in "iuf":
                place = chance.choice([str(other), "/dev/zero"])
                size = int(np.prod(shape)) * kind.itemsize
                file.create_dataset(name, shape, kind, external=[(place, 0, max(size, 1))])
                what = f"external storage in {place}"
            case _:
                layout = h5py.VirtualLayout(shape=(100, 3), dtype="f8")
                layout[...] = h5py.VirtualSource(str(other), "table", shape=(100, 3))
                file.create_virtual_dataset(name, layout)
                what = "a virtual table"
    if was_sealed:
        seal(path)
    return f"{path.name}, {name} is {what}"


def _stages(chance: random.Random, folder: Path) -> str:
    """Add a list of stages whose folders are anywhere."""
    place = outside(folder)
    odd = ["..", ".", "", "../outside/1-heat", str(place / "1-heat"), "1-heat/../..", "a\x00b"]
    listed = [{"folder": chance.choice([*odd, "1-heat"]), "carries": True} for _ in range(2)]
    if chance.random() < 0.3:
        (folder / "1-heat").symlink_to(place / "1-heat")
        listed = [{"folder": "1-heat", "carries": False}]
    content = {"format": "finegrain-stages", "stages": listed * chance.choice([1, 1, 2000])}
    (folder / "stages.json").write_text(json.dumps(content))
    if chance.random() < 0.4:
        return "stages.json, " + _json(chance, folder / "stages.json")
    return f"stages.json, {listed[0]['folder']!r}, {len(content['stages'])} stages"


def damage(chance: random.Random, folder: Path) -> str:
    """Damage one file of a run; return what was done, in words."""
    kind = chance.random()
    if kind < 0.10:
        return "result.json, " + _json(chance, folder / "result.json")
    if kind < 0.18:
        return _stages(chance, folder)
    if kind < 0.26:
        return "journal, " + _forged_journal(chance, folder)
    if kind < 0.36:
        return _another_kind(chance, folder)
    if kind < 0.46:
        return _way_out(chance, folder)
    path = folder / chance.choice(files(folder))
    if chance.random() < 0.35:
        return f"{path.name}, {_bytes(chance, path)}"
    was_sealed = is_whole(path)
    with h5py.File(path, "r+", locking=False) as file:
        tables, attributes = _names(file)
        if attributes and chance.random() < 0.4:
            what = _attribute(chance, file, *chance.choice(attributes))
        elif (dice := chance.random()) < 0.1:
            what = _bomb(chance, file, chance.choice(tables))
        elif dice < 0.4:
            what = _another_type(chance, file, chance.choice(tables))
        else:
            what = _table(chance, file, chance.choice(tables))
    if was_sealed:
        seal(path)
    return f"{path.name}, {what}"
