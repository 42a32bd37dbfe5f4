# SPDX-License-Identifier: BSD-3-Clause
"""From a parsed input to the model of its kind; every problem in words that a user can act on."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from finegrain.base.kind_names import KIND_NAMES
from finegrain.errors import InputError, Problem, nearest
from finegrain.toml_input.fields import Section, notes_of
from finegrain.toml_input.source import TomlSource, tables_of

Model = TypeVar("Model", bound=Section)

_controls = [chr(code) for code in (*range(32), 127)]


@dataclass(frozen=True)
class InputKeys(Generic[Model]):
    """The keys of a kind of input, and what is said of wrong ones.

    Attributes
    ----------
    model : type
        The model of the whole input.
    sections : mapping
        The model of each section by its name.
    paths : sequence of str
        Keys that name files or folders.
    lists : mapping
        Hints for sections that are lists of tables.
    absent : mapping
        Keys that users look for and that do not exist, in small letters: what is said, and a hint.
    shown_by : str
        What shows a whole input of this kind, for the hint at a section that is missing.
    """

    model: type[Model]
    sections: Mapping[str, type[Section]]
    paths: Sequence[str]
    lists: Mapping[str, str] = field(default_factory=dict)
    absent: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    shown_by: str = "`finegrain init`"

    def read(self, source: TomlSource, data: dict[str, Any]) -> tuple[Model, list[Problem]]:
        """Check a parsed input against the model.

        Parameters
        ----------
        source : TomlSource
            Where the lines are.
        data : dict
            Its sections, which lose their wrong keys here.

        Returns
        -------
        model, list of Problem
            Wrong keys have their defaults, so that further problems may be found.

        Raises
        ------
        InputError
            If nothing more can be found before these problems are corrected.
        """
        if found := self._control_characters(source):
            raise InputError(found, source=source.name)
        problems: list[Problem] = []
        # Each round removes the wrong keys, so that their defaults are used.
        for _ in range(3):
            try:
                return self.model.model_validate(data), problems
            except ValidationError as error:
                details = error.errors(include_url=False)
                problems += [self._in_words(source, detail) for detail in details]
                if not self._take_out(data, [detail["loc"] for detail in details]):
                    break
        raise InputError(in_order(problems), source=source.name)

    def _control_characters(self, source: TomlSource) -> list[Problem]:
        """Find text with a NUL, and file names with any control character."""
        found = []
        for section, table in tables_of(source.data):
            for key, value in table.items():
                texts = value if isinstance(value, list) else [value]
                names = key in self.paths or section.rpartition(".")[2] in self.paths
                refused = _controls if names else _controls[:1]
                if any(code in text for text in texts if isinstance(text, str) for code in refused):
                    what = "holds a control character"
                    found.append(source.problem(f"{section}.{key}", what, hint="take it out"))
        return found

    def _take_out(self, data: dict[str, Any], places: list[tuple[int | str, ...]]) -> bool:
        """Remove wrong optional keys; return whether the rest may be valid."""
        changed = False
        for place in places:
            section, key = str(place[0]), str(place[1]) if len(place) > 1 else ""
            table = data.get(section)
            known = self._field(section, key)
            needed = known is not None and known.is_required()
            if section == "system" and (needed or not isinstance(table, dict)):
                continue
            if isinstance(table, dict) and key in table and not needed:
                del table[key]
                changed = True
            elif section in data and section != "system" and not self._needed(section):
                del data[section]
                changed = True
        return changed

    def _needed(self, section: str) -> bool:
        known = self.model.model_fields.get(section)
        return known is not None and known.is_required()

    def _field(self, section: str, key: str) -> Any:
        model = self.sections.get(section)
        return model.model_fields.get(key) if model is not None else None

    def _in_words(self, source: TomlSource, detail: Any) -> Problem:
        place = [str(part) for part in detail["loc"] if isinstance(part, str)]
        key, context = _key(detail["loc"]), detail.get("ctx", {})
        match detail["type"]:
            case "extra_forbidden":
                what = "unknown key" if len(place) > 1 else "unknown section"
                hint = self._meant(place)
                if (name := place[-1].lower()) in self.absent:
                    what, hint = self.absent[name]
                return Problem(what, source.place(key), key, hint=hint)
            case "missing":
                if len(place) == 1:
                    hint = f"add a [{key}] section; {self.shown_by} shows one"
                    return Problem("missing section", source.place(key), f"[{key}]", hint=hint)
                hint = self._example(place)
                return Problem("missing key", source.place(key), key, hint=hint)
            case "quantity":
                limit = context.get("limit", "")
                return source.problem(key, context["what"], limit=limit, hint=context["hint"])
            case "literal_error":
                return source.problem(key, "not a known value", hint=_choices(detail))
            case "too_short" | "too_long":
                count = context.get("min_length") or context.get("max_length")
                return source.problem(key, f"needs {count} values", hint=self._example(place))
            case "greater_than" | "greater_than_equal" | "less_than" | "less_than_equal":
                kind, limit = next(iter(context.items()))
                words = {"gt": "more than", "ge": "at least", "lt": "less than", "le": "at most"}
                return source.problem(key, "out of range", limit=f"{words[kind]} {_plain(limit)}")
            case "int_type" | "int_from_float":
                return source.problem(key, "not a whole number", hint=self._example(place))
            case "string_too_short":
                return source.problem(key, "is empty", hint=self._example(place))
            case "bool_type":
                hint = "write true or false, without quotes"
                if source.python is not None:
                    hint = "give True or False"
                return source.problem(key, "not true or false", hint=hint)
            case "string_type":
                hint = self._example(place) or "write it in quotes"
                return source.problem(key, "not text", hint=hint)
            case "float_type" | "finite_number":
                return source.problem(key, "not a number", hint=self._example(place))
            case "list_type" if len(place) == 1 and place[0] in self.lists:
                return source.problem(key, "is no list of tables", hint=self.lists[place[0]])
            case "model_type" | "model_attributes_type" | "dict_type":
                hint = f"start a section with a line [{key}]"
                if source.python is not None:
                    hint = f"a section is a dict: {{{key!r}: {{...}}}}"
                return source.problem(key, "not a section", hint=hint)
            case _:
                what = str(detail["msg"]).lower()
                return source.problem(key, what, hint=self._example(place))

    def _meant(self, place: list[str]) -> str:
        """Return the key that was most likely meant, in the same section or another."""
        if len(place) == 1:
            close = nearest(place[0], self.sections)
            return f"did you mean [{close}]?" if close else f"sections are {_list(self.sections)}"
        section, key = place[:2]
        own = list(self.sections[section].model_fields)
        if close := nearest(key, own):
            return f"did you mean {section}.{close}?"
        for other, model in self.sections.items():
            if key in model.model_fields:
                return f"{key} belongs in [{other}]"
        for other, model in self.sections.items():
            if close := nearest(key, model.model_fields):
                return f"did you mean {close} in [{other}]?"
        return f"keys of [{section}] are {_list(own)}"

    def _example(self, place: list[str]) -> str:
        known = self._field(place[0], place[1]) if len(place) > 1 else None
        if known is None:
            return ""
        if hint := notes_of(self.sections[place[0]], place[1]).get("hint", ""):
            return str(hint)
        if not known.examples:
            return ""
        example = known.examples[0]
        shown = (
            f'"{example}"' if isinstance(example, str) else json.dumps(example, ensure_ascii=False)
        )
        return f"such as {place[1]} = {shown}"


def in_order(problems: list[Problem]) -> list[Problem]:
    """Return each problem once, in the order of their lines."""
    return sorted(dict.fromkeys(problems), key=_line)


def _line(problem: Problem) -> int:
    found = re.search(r":(\d+)$", problem.where)
    return int(found.group(1)) if found else 0


def _list(words: Any) -> str:
    return ", ".join(words)


def _key(place: tuple[int | str, ...]) -> str:
    """Return the dotted key of a place: that of a table, or of a table in a list."""
    deep = 3 if len(place) > 1 and isinstance(place[1], int) else 2
    return ".".join(str(part) for part in place[:deep])


def _plain(number: float) -> str:
    """Return a limit in its usual form: 1,000,000 or 1e-15."""
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"


def _choices(detail: Any) -> str:
    expected = re.findall(r"'([^']*)'", detail["ctx"]["expected"])
    if detail["loc"] == ("system", "kind"):
        expected = [*KIND_NAMES]
    if not expected:
        return f"one of {detail['ctx']['expected'].replace(' or ', ', ')}"
    close = nearest(str(detail["input"]), expected)
    listed = "one of " + ", ".join(f'"{word}"' for word in expected)
    return f'did you mean "{close}"? ({listed})' if close else listed
