# SPDX-License-Identifier: BSD-3-Clause
"""What jobs of all kinds have in common: format, version, title, the text of the input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

import h5py
import numpy as np

from finegrain.base.visible import visible

FORMAT = "finegrain-job"
VERSION = 1


def header_of_job(*, kind: str, title: str, input_text: str, memory: float) -> dict[str, Any]:
    """Return the attributes of the root.

    Parameters
    ----------
    memory : float
        Bytes that a run takes, for the engine's messages.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": kind,
        "memory": memory,
        "title": visible(title, keep=""),
        "input_text": input_text,
        "finegrain_version": own_version(),
    }


def write_attributes(group: h5py.Group, values: Mapping[str, Any]) -> None:
    """Write attributes: whole numbers as int64, others as float64, text and arrays as they are."""
    for name, value in values.items():
        if isinstance(value, int):
            group.attrs[name] = np.int64(value)
        elif isinstance(value, float):
            group.attrs[name] = np.float64(value)
        else:
            group.attrs[name] = value


def write_notes(file: h5py.File, notes: Sequence[str]) -> None:
    """Write what a user should know of how the input and its files were read, each note once."""
    if notes:
        texts = [visible(note, keep="") for note in dict.fromkeys(notes)]
        file.create_dataset("notes", data=texts, dtype=h5py.string_dtype())


def own_version() -> str:
    """Return the version of this program."""
    try:
        return metadata.version("finegrain")
    except metadata.PackageNotFoundError:
        return "0.1.0"
