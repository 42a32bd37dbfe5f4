# SPDX-License-Identifier: BSD-3-Clause
"""What the keys of an input bring about: which have an effect, and which go into the job as is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from finegrain.toml_input.fields import Section, notes_of
from finegrain.units import Quantity


@dataclass(frozen=True)
class Clash:
    """Why a key has no effect: another key, its word, and the words with which it would have one.

    As text it is ``other = "word"``.
    """

    other: str
    word: str
    wanted: tuple[str, ...]

    def __str__(self) -> str:
        return f'{self.other} = "{self.word}"'


def clash_of(section: Section, name: str) -> Clash | None:
    """Return why a key has no effect; None if it has one, or if that is not known yet.

    A key that depends on one other key has no effect where that one has none.
    """
    others: Mapping[str, tuple[str, ...]] = notes_of(type(section), name).get("only_with", {})
    if len(others) == 1 and (deeper := clash_of(section, *others)):
        return deeper
    clashes = [
        Clash(other, word, wanted)
        for other, wanted in others.items()
        if (word := _given_or_usual(section, other)) is not None and word not in wanted
    ]
    return clashes[0] if clashes and len(clashes) == len(others) else None


def useless_keys(section: Section) -> Iterator[tuple[str, Clash]]:
    """Yield the keys that the input has and that have no effect, in the order of the model."""
    for name in type(section).model_fields:
        if name in section.model_fields_set and (clash := clash_of(section, name)):
            yield name, clash


def value_of(section: Section, name: str) -> Any:
    """Return the value of a key, given or usual; None if it has no effect or no value."""
    return None if clash_of(section, name) else _given_or_usual(section, name)


def attributes(model: Section, group: str) -> dict[str, Any]:
    """Return the attributes of a group of the job that are keys as they are.

    Parameters
    ----------
    model : Section
        A section of the input, or the whole input.
    group : str
        Such as "/dynamics".

    Returns
    -------
    dict
        By their names in the job, in engine units; without keys that have no effect or no value.
    """
    found: dict[str, Any] = {}
    for name in type(model).model_fields:
        place, _, attribute = notes_of(type(model), name).get("to", "").rpartition("/")
        if isinstance(part := getattr(model, name), Section):
            found |= attributes(part, group)
        elif place == group and (value := value_of(model, name)) is not None:
            found[attribute] = value.value if isinstance(value, Quantity) else value
    return found


def _given_or_usual(section: Section, name: str) -> Any:
    if (given := getattr(section, name)) is not None:
        return given
    notes = notes_of(type(section), name)
    usual = notes.get("usual")
    if isinstance(usual, Mapping):
        usual = usual[_given_or_usual(section, *notes["only_with"])]
    return None if usual is None else _read(type(section), name, usual)


@cache
def _read(section: type[Section], name: str, text: str) -> Any:
    """Read a value as it would stand in an input."""
    annotation: Any = section.model_fields[name].annotation
    return TypeAdapter(annotation).validate_python(text)
