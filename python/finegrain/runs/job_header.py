# SPDX-License-Identifier: BSD-3-Clause
"""A new job of any kind: its header and notes, and how its file is put together."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from finegrain.base.visible import visible
from finegrain.errors import InputNote
from finegrain.files.seal import sealed
from finegrain.files.whole import replace_file
from finegrain.toml_input.given import GivenInput

FORMAT = "finegrain-job"
VERSION = 1


def job_contents(
    given: GivenInput[Any],
    notes: Sequence[str],
    memory: float,
    write: Callable[[h5py.File], None],
) -> bytes:
    """Return the contents of a job's file, seal included.

    Parameters
    ----------
    notes : sequence of str
        What a user should know of how the input and its files were read; each is written once.
    memory : float
        Bytes that a run takes, for the engine's messages.
    write : callable
        Writes what the kind of run has.
    """
    system = given.model.system
    header = {
        "format": FORMAT,
        "version": VERSION,
        "kind": system.kind,
        "memory": memory,
        "title": visible(system.title or given.source.path.stem, keep=""),
        "input_text": given.source.text,
        "finegrain_version": own_version(),
    }
    image = io.BytesIO()  # written by plain file calls, whose error for a full disk is clear
    with h5py.File(image, "w") as file:
        write_attributes(file, header)
        if notes:
            texts = [visible(note, keep="") for note in dict.fromkeys(notes)]
            file.create_dataset("notes", data=texts, dtype=h5py.string_dtype())
        write(file)
    return sealed(image.getvalue())


def put_job(out: str | Path, image: bytes, notes: Sequence[str]) -> None:
    """Write a job's file, whole or not at all, and warn of its notes."""
    for note in notes:
        warnings.warn(note, InputNote, stacklevel=3)
    replace_file(Path(out), image)


def write_attributes(group: h5py.Group, values: Mapping[str, Any]) -> None:
    """Write attributes: whole numbers as int64, others as float64, text and arrays as they are.

    They go in the order of their names, so that the file does not depend on that of the code.
    """
    for name, value in sorted(values.items()):
        if isinstance(value, int):
            group.attrs[name] = np.int64(value)
        elif isinstance(value, float):
            group.attrs[name] = np.float64(value)
        else:
            group.attrs[name] = value


def own_version() -> str:
    """Return the version of this program."""
    try:
        return metadata.version("finegrain")
    except metadata.PackageNotFoundError:
        return "0.1.0"
