# SPDX-License-Identifier: BSD-3-Clause
"""What went wrong, where, with which value and limit, and what to do about it.

One exception carries every problem that was found, so that the user can correct all of them at
once. The four kinds are those of the engine (`engine/base/error.hpp`); their number is the exit
status.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from finegrain.base.option_words import as_arguments
from finegrain.base.visible import visible

EXIT_INPUT = 1
EXIT_RESOURCE = 2
EXIT_NUMERICS = 3
EXIT_INTERNAL = 4
EXIT_RESUMABLE = 75


@dataclass(frozen=True)
class Problem:
    """One problem; every part except `what` may be empty.

    Parameters
    ----------
    what : str
        The complaint, such as "too long for this box".
    where : str
        File and line ("water.toml:9"), or step and object.
    value : str
        The key with its value, such as "forces.cutoff = 12 Å".
    limit : str
        The limit for the value, such as "9.32 Å, half the shortest box height".
    hint : str
        What to do, such as "try a cutoff of 9 Å" or "did you mean forces.cutoff?".
    """

    what: str
    where: str = ""
    value: str = ""
    limit: str = ""
    hint: str = ""

    def __post_init__(self) -> None:
        for name in ("what", "where", "value", "limit", "hint"):
            if isinstance(text := getattr(self, name), str):
                object.__setattr__(self, name, visible(text))

    def as_dict(self) -> dict[str, str]:
        """Return the parts that are not empty, for ``--json``."""
        parts = ("what", "where", "value", "limit", "hint")
        return {name: text for name in parts if (text := getattr(self, name))}


class FinegrainError(Exception):
    """Base of all errors of finegrain.

    As text it is for Python: options of the command are arguments there. A command prints the
    problems.

    Parameters
    ----------
    what : str or iterable of Problem
        One complaint in words (with the keyword parts of `Problem`), or all problems found.
    source : str
        The file that the problems are in, for the headline.
    """

    kind = "internal"
    exit_status = EXIT_INTERNAL
    outcome = ""  # what the failure means for the user's files; set by the command

    def __init__(
        self,
        what: str | Iterable[Problem],
        *,
        where: str = "",
        value: str = "",
        limit: str = "",
        hint: str = "",
        source: str = "",
    ) -> None:
        if isinstance(what, str):
            self.problems = [Problem(what, where, value, limit, hint)]
        else:
            self.problems = list(what)
        self.source = visible(source)
        super().__init__("; ".join(as_arguments(_one_line(problem)) for problem in self.problems))

    @property
    def what(self) -> str:
        """Complaint of the first problem."""
        return self.problems[0].what if self.problems else ""

    @property
    def where(self) -> str:
        """Place of the first problem."""
        return self.problems[0].where if self.problems else ""

    @property
    def value(self) -> str:
        """Value of the first problem."""
        return self.problems[0].value if self.problems else ""

    @property
    def limit(self) -> str:
        """Limit of the first problem."""
        return self.problems[0].limit if self.problems else ""

    @property
    def hint(self) -> str:
        """Remedy of the first problem."""
        return self.problems[0].hint if self.problems else ""


class InputNote(UserWarning):
    """Something in an input that is allowed but may not be what you meant."""


class InputError(FinegrainError):
    """The user can correct it: a bad file, key or value."""

    kind = "input"
    exit_status = EXIT_INPUT


class ResourceError(FinegrainError):
    """The machine: memory, disk, a missing library."""

    kind = "resource"
    exit_status = EXIT_RESOURCE


class NumericsError(FinegrainError):
    """The computation diverged or met a NaN."""

    kind = "numerics"
    exit_status = EXIT_NUMERICS


class InternalError(FinegrainError):
    """A defect of finegrain itself."""

    kind = "internal"
    exit_status = EXIT_INTERNAL


KINDS: dict[str, type[FinegrainError]] = {
    cls.kind: cls for cls in (InputError, ResourceError, NumericsError, InternalError)
}


def nearest(word: str, valid: Iterable[str]) -> str | None:
    """Return the valid word that is most similar to `word`."""
    matches = difflib.get_close_matches(word.lower(), sorted(valid), n=1, cutoff=0.6)
    return matches[0] if matches else None


def _one_line(problem: Problem) -> str:
    parts = [problem.where, problem.value, problem.what]
    text = ": ".join(part for part in parts if part)
    if problem.limit:
        text += f" (limit {problem.limit})"
    return f"{text}; {problem.hint}" if problem.hint else text
