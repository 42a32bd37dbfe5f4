# SPDX-License-Identifier: BSD-3-Clause
"""HDF5 files that are read: plain files that lead to no other file, with sound texts and sizes.

HDF5 follows external links, external storage and virtual tables to any file of the machine, also
to a pipe or a device. It loads filters from libraries. No file of finegrain has any of these. The
engine's side is engine/records/hdf5/self_contained.hpp.

A small file can also claim tables that fill all memory. It can do so by compression, by rows that
were never written, or by one row in a chunk of gigabytes. Large tables and chunks have to be in
proportion to the file.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import h5py

from finegrain.errors import InputError
from finegrain.files.plain import refuse_other_than_plain
from finegrain.files.readable import readable
from finegrain.files.text_heaps import refuse_damaged_texts

_SMALL = 64 << 20  # bytes of a table or a chunk, which any file may have
_MOST_PACKED = 16  # times its size that a file may unpack to; numbers of a run hardly shrink
_MOST_OBJECTS = 50_000  # groups and tables; a file of a run has some hundreds
_DEEPEST = 50  # groups in groups; the time that HDF5 takes grows with the square
_OWN_FILTERS = 256  # those of HDF5 itself have smaller numbers
_COPY_AGAIN = "copy the file again from its origin, or make it again"
_REMEDY = "copy the file again from its origin; h5repack or h5copy makes one without links"


class ExcessError(InputError):
    """A file claims more than its size allows."""


def refuse_excess(path: str | Path) -> None:
    """Complain about a file that claims more than it can hold, and about nothing else.

    What else may be wrong is for the engine, which repairs the files of a killed run.
    """
    if not Path(path).is_file():
        return
    try:
        open_hdf5(path).close()
    except ExcessError:
        raise
    except (InputError, OSError):
        return


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
    """Complain about an open HDF5 file that leads to other files, without following any link.

    Tables whose sizes are out of all proportion to the file are refused, too.
    """
    with readable(Path(path), _REMEDY):  # nobody knows what an object is that cannot be listed
        most = max(_SMALL, _MOST_PACKED * Path(path).stat().st_size)
        way_out, excess = _found_in(file, most)
    if way_out:
        what = "leads to other files, which finegrain never reads"
        raise InputError(what, where=str(path), value=way_out, hint=_REMEDY)
    if excess:
        what = "is damaged: it claims to hold more than a file of this size can"
        raise ExcessError(what, where=str(path), value=excess, hint=_COPY_AGAIN)


def _found_in(file: h5py.File, most: int) -> tuple[str, str]:
    """Return the first way out of a file, and the first table that takes more bytes than `most`."""
    waiting: list[tuple[str, h5py.h5g.GroupID]] = [("", h5py.h5g.open(file.id, b"/"))]
    seen: set[tuple[int, Any]] = set()
    while waiting:
        above, group = waiting.pop()
        for name in group:
            link = group.links.get_info(name)
            place = f"{above}/{name.decode(errors='surrogateescape')}"
            if link.type == h5py.h5l.TYPE_SOFT:
                continue  # its target is looked at where it stands
            if link.type != h5py.h5l.TYPE_HARD:
                external = link.type == h5py.h5l.TYPE_EXTERNAL
                kind = "another file" if external else "a place that is not HDF5's own"
                return f"{place} is a link to {kind}", ""
            item = h5py.h5o.open(group, name)
            about = h5py.h5o.get_info(item)
            if (about.fileno, about.addr) in seen:
                continue
            seen.add((about.fileno, about.addr))
            if len(seen) > _MOST_OBJECTS:
                return "", f"more than {_MOST_OBJECTS:,} groups and tables"
            if isinstance(item, h5py.h5g.GroupID):
                if place.count("/") > _DEEPEST:
                    return "", f"groups in groups, {_DEEPEST} deep"
                waiting.append((place, item))
            elif isinstance(item, h5py.h5d.DatasetID):
                how = item.get_create_plist()
                if fault := _fault_of(how):
                    return f"{place} {fault}", ""
                if excess := _excess_of(item, how, most):
                    return "", f"{place} {excess}"
    return "", ""


def _excess_of(table: h5py.h5d.DatasetID, how: h5py.h5p.PropDCID, most: int) -> str:
    width = table.get_type().get_size()
    size = width * math.prod(table.shape or ())
    if size > most or _is_beyond(size, table):
        return f"of {size:.3g} bytes"
    chunked = how.get_layout() == h5py.h5d.CHUNKED
    chunk = width * math.prod(how.get_chunk() if chunked else ())
    # a run that begins has no frame yet in its chunks
    if chunk > most or (chunk > _SMALL and size > 0 and _is_beyond(chunk, table)):
        return f"in chunks of {chunk:.3g} bytes"
    return ""


def _is_beyond(size: int, table: h5py.h5d.DatasetID) -> bool:
    """Return whether so many bytes do not come from those of the table, in a file with holes."""
    return size > _SMALL and size > _MOST_PACKED * int(table.get_storage_size())


def _fault_of(how: h5py.h5p.PropDCID) -> str:
    if how.get_external_count() > 0:
        return "keeps its numbers in another file"
    if how.get_layout() == h5py.h5d.VIRTUAL:
        return "is made of tables of other files"
    if any(how.get_filter(i)[0] >= _OWN_FILTERS for i in range(how.get_nfilters())):
        return "needs a filter that is not HDF5's own"
    return ""
