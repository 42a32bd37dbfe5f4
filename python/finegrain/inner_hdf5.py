# SPDX-License-Identifier: BSD-3-Clause
"""HDF5 files that are read: plain files that lead to no other file, with sound texts.

HDF5 follows external links, external storage and virtual tables to any file of the machine, a pipe
or a device among them, and loads filters from libraries. No file of finegrain has any of these. The
engine's side is engine/records/self_contained.hpp.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py

from finegrain.errors import InputError
from finegrain.plain_file import refuse_other_than_plain
from finegrain.readable import readable
from finegrain.text_heaps import refuse_damaged_texts

_OWN_FILTERS = 256  # those of HDF5 itself have smaller numbers
_REMEDY = "copy the file again from its origin; h5repack or h5copy makes one without links"


def open_hdf5(path: str | Path, **how: Any) -> h5py.File:
    """Open an HDF5 file for reading.

    Raises
    ------
    InputError
        If it is no plain file, leads to other files, or its texts are damaged.
    OSError
        If it is not HDF5.
    """
    refuse_other_than_plain(path)
    refuse_damaged_texts(path)
    file = h5py.File(path, "r", **how)
    try:
        refuse_ways_out(file, path)
    except BaseException:
        file.close()
        raise
    return file


def refuse_ways_out(file: h5py.File, path: str | Path) -> None:
    """Complain about an open HDF5 file that leads to other files, without following any link."""
    with readable(Path(path), _REMEDY):  # nobody knows what an object is that cannot be listed
        found = _way_out(file)
    if found:
        what = "leads to other files, which finegrain never reads"
        raise InputError(what, where=str(path), value=found, hint=_REMEDY)


def _way_out(file: h5py.File) -> str:
    waiting: list[tuple[str, h5py.Group]] = [("", file["/"])]
    seen: set[tuple[int, Any]] = set()
    while waiting:
        above, group = waiting.pop()
        for name in group:
            link = group.id.links.get_info(name.encode(errors="surrogateescape"))
            place = f"{above}/{name}"
            if link.type == h5py.h5l.TYPE_SOFT:
                continue  # its target is looked at where it stands
            if link.type != h5py.h5l.TYPE_HARD:
                external = link.type == h5py.h5l.TYPE_EXTERNAL
                kind = "another file" if external else "a place that is not HDF5's own"
                return f"{place} is a link to {kind}"
            item = group[name]
            about = h5py.h5o.get_info(item.id)
            if (about.fileno, about.addr) in seen:
                continue
            seen.add((about.fileno, about.addr))
            if isinstance(item, h5py.Group):
                waiting.append((place, item))
            elif isinstance(item, h5py.Dataset) and (fault := _fault_of(item)):
                return f"{place} {fault}"
    return ""


def _fault_of(table: h5py.Dataset) -> str:
    how = table.id.get_create_plist()
    if how.get_external_count() > 0:
        return "keeps its numbers in another file"
    if how.get_layout() == h5py.h5d.VIRTUAL:
        return "is made of tables of other files"
    if any(how.get_filter(i)[0] >= _OWN_FILTERS for i in range(how.get_nfilters())):
        return "needs a filter that is not HDF5's own"
    return ""
