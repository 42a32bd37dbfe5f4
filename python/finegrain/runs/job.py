# SPDX-License-Identifier: BSD-3-Clause
"""What jobs of all kinds have in common: the file, its seal, its title, its text."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import h5py
import numpy as np
from numpy.typing import NDArray

from finegrain.base.arguments import PathOrObject, input_path
from finegrain.base.kind_names import KIND_NAMES
from finegrain.base.visible import visible
from finegrain.engine.engine import check_job
from finegrain.errors import InputError
from finegrain.files.hdf5 import open_hdf5
from finegrain.files.plain import plain_bytes
from finegrain.files.readable import readable
from finegrain.files.seal import are_damaged, is_damaged
from finegrain.runs.job_header import FORMAT
from finegrain.words.report import as_finegrain_error

Array = NDArray[Any]
REMEDY = "copy it again, or make the job again"  # of a job that is damaged


class JobFile:
    """Everything that the engine needs for one calculation, in one HDF5 file.

    Each kind of run has a class of its own that reads the rest.

    Parameters
    ----------
    path : path
        The job, or the folder of a run.

    Raises
    ------
    InputError
        If the file is missing, cut short, damaged, or not a job of finegrain and of this kind.

    Attributes
    ----------
    memory : float
        Bytes that a run takes, roughly, of all its processes; 0 if that is not known.
    notes : list of str
        What `check` said of the input: what was kept aside of its files, and what may not be meant.
    """

    kind: ClassVar[str] = ""  # the kind that a class reads; empty: any
    checkpoints: bool = True  # whether a stopped run can be continued from its state
    atoms: int = 0

    def __init__(self, path: PathOrObject) -> None:
        self.path = input_path(path)
        self._check_seal()
        with self._opened() as file:
            self._fill(file)

    @classmethod
    def of_class(cls, path: PathOrObject, choose: Callable[[str], type[JobFile]]) -> JobFile:
        """Open a job of any kind, once.

        Parameters
        ----------
        path : path
            The job, or the folder of a run.
        choose : callable
            (kind) to the class that reads its jobs.
        """
        plain = object.__new__(JobFile)
        plain.path = input_path(path)
        plain._check_seal()
        with plain._opened() as file:
            job = object.__new__(choose(text_of(file.attrs["kind"])))
            job.path = plain.path
            job._fill(file)
        return job

    def _fill(self, file: h5py.File) -> None:
        """Read what jobs of all kinds have, then what else the kind has."""
        self.of_kind = text_of(file.attrs["kind"])
        self.memory = float(file.attrs.get("memory", 0.0))
        self.title = visible(text_of(file.attrs.get("title", "")), keep="")
        # the digest of the state that it has got from the stage before
        self.starts_from = text_of(file.attrs.get("starts_from", ""))
        self.made_by = text_of(file.attrs.get("finegrain_version", ""))
        self.input_text = text_of(file.attrs.get("input_text", ""))
        self.notes = _texts(file["notes"]) if "notes" in file else []
        self._read(file)

    def _read(self, file: h5py.File) -> None:
        """Read what else the kind has."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r}: {self.title}, {self.atoms:,} atoms)"

    def __fspath__(self) -> str:
        return str(self.path)

    def move(self, path: Path) -> None:
        """Put the file in another place of the same file system."""
        self.path.replace(path)
        self.path = path

    @property
    def steps(self) -> int:
        """Number of steps, or the largest number of iterations."""
        raise NotImplementedError

    def set_steps(self, steps: int) -> None:
        """Change the number of steps of the job."""
        raise NotImplementedError

    def refuse_steps(self, steps: int, source: str) -> None:
        """Complain about a number of steps that this job cannot have; `source` is the input."""

    @property
    def makes_steps(self) -> bool:
        """Whether a run that is done can be continued with more steps."""
        return True

    def note_of_pes(self, pes: int) -> str:  # noqa: ARG002 - kinds know
        """Return what to change in the input so that so many PEs, of all processes, have work."""
        return ""

    def memory_of_checkpoints(self, ranks: int) -> float:  # noqa: ARG002 - kinds know
        """Return the bytes of checkpoints in the memory of so many processes; 0: hardly any."""
        return 0.0

    def is_done(self, result: Mapping[str, Any]) -> bool:
        """Return whether the figures of a run say that nothing of this job is left to do."""
        raise NotImplementedError

    def goes_on_with(self, folder: Path) -> str:
        """Return the command that continues a run that is done, or another remedy."""
        raise NotImplementedError

    def _check_seal(self) -> None:
        """Refuse a damaged file before HDF5 reads it: on some damage HDF5 loops without end."""
        try:
            damaged = self.path.exists() and is_damaged(self.path)
        except OSError:
            return  # _opened says what is wrong
        if damaged:
            raise InputError(
                "the job is damaged: its SHA-256 does not fit its contents",
                where=str(self.path),
                hint="copy the file again, or make the job again from its input",
            )

    @contextmanager
    def _opened(self) -> Iterator[h5py.File]:
        if not self.path.exists():
            raise InputError("no such file", where=str(self.path))
        try:
            file = open_hdf5(self.path)
        except OSError as error:
            raise InputError(
                "cannot be read as HDF5",
                where=str(self.path),
                value=str(error).strip(),
                hint="make the job again with finegrain run",
            ) from None
        with file, readable(self.path, REMEDY):
            if text_of(file.attrs.get("format", "")) != FORMAT:
                raise InputError("is not a job of finegrain", where=str(self.path))
            kind = text_of(file.attrs.get("kind", ""))
            require_kind(kind, str(self.path))
            if self.kind and kind != self.kind:
                hint = "finegrain.open_job opens jobs of all kinds"
                what = f"is a job of the kind {kind}, not {self.kind}"
                raise InputError(what, where=str(self.path), hint=hint)
            yield file

    def _array(self, name: str) -> Array:
        with self._opened() as file:
            values = np.asarray(file[name][...])
        if values.dtype.kind not in "iuf":
            raise self._damaged(name, "numbers are expected")
        return values

    def _keys_of(self, section: str) -> set[str]:
        """Return the keys of a table of the input, with those of all its stages."""
        try:
            given = tomllib.loads(self.input_text)
        except tomllib.TOMLDecodeError:  # a job of another program
            return set()
        tables = [given, *(given["stages"] if isinstance(given.get("stages"), list) else [])]
        found = [table.get(section) for table in tables if isinstance(table, dict)]
        return {key for table in found if isinstance(table, dict) for key in table}

    def _names(self, table: str) -> list[str]:
        names = self._strings(table)
        self._check_rows(table, len(names))
        return names

    def _check_rows(self, table: str, rows: int) -> None:
        if rows != self.atoms:
            raise self._damaged(table, f"{self.atoms:,} rows are expected, not {rows:,}")

    def _require_numbers(self, group: str, values: Mapping[str, Any], *names: str) -> None:
        """Complain about attributes that are missing, or lists, texts or no numbers."""
        for name in names:
            value = values.get(name)
            if not isinstance(value, int | float) or not np.isfinite(value):
                raise self._damaged(f"{group}.{name}", "one number is expected")

    def _damaged(self, name: str, limit: str) -> InputError:
        return InputError(f"is damaged: {name}", where=str(self.path), limit=limit, hint=REMEDY)

    def _strings(self, name: str) -> list[str]:
        with self._opened() as file:
            return _texts(file[name])


def _texts(table: h5py.Dataset) -> list[str]:
    return [text_of(item) for item in table[...]]


def check_job_file(path: Path) -> bytes:
    """Return the bytes of a job; refuse another file, or a job that the engine would not run."""
    if not path.exists():
        raise InputError("no such file", where=str(path))
    try:
        contents = plain_bytes(path)
        if not are_damaged(contents):  # the engine would follow tables without end
            with contextlib.suppress(OSError):  # it is no HDF5, which the engine says
                open_hdf5(path).close()
    except OSError as error:
        raise as_finegrain_error(error) from error
    check_job(str(path), contents)
    return contents


def require_kind(name: str, where: str) -> None:
    """Refuse a job of a kind that this version does not run."""
    if name not in KIND_NAMES:
        raise InputError(
            "is a job of a kind that this version does not run",
            where=where,
            value=name,
            limit=", ".join(KIND_NAMES),
            hint="make the job again with this version of finegrain",
        )


def text_of(value: Any) -> str:
    """Return an attribute or a string of a table as text."""
    return value.decode() if isinstance(value, bytes) else str(value)


def value_of(item: Any) -> Any:
    """Return an attribute as a plain Python value."""
    if isinstance(item, bytes):
        return item.decode()
    if isinstance(item, np.ndarray):
        return item.tolist()
    return item.item() if isinstance(item, np.generic) else item
