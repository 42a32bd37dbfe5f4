# SPDX-License-Identifier: BSD-3-Clause
"""Names of functionals: the user's, the engine's, and that of the pseudopotentials.

The engine has functionals of its own by these names, and all others by libxc's names, with a +
between the terms. The fits to the electron gas count as one functional if the user writes "LDA".
"""

from __future__ import annotations

import difflib
import re

from finegrain.engine.engine import load_engine
from finegrain.errors import Problem, nearest
from finegrain.toml_input.source import TomlSource

# The user's word in lower case: the engine's name, the name by which pseudopotentials are chosen.
_known = {
    "lda": ("PZ81", "LDA"),
    "pz": ("PZ81", "PZ"),
    "pz81": ("PZ81", "PZ"),
    "pw92": ("PW92", "PW92"),
    "pbe": ("PBE", "PBE"),
    "revpbe": ("revPBE", "revPBE"),
    "blyp": ("BLYP", "BLYP"),
}
NAMES = ("PBE", "BLYP", "revPBE", "LDA", "PZ81", "PW92")
_term = re.compile(r"LDA_X|(LDA|GGA)_(X|C|XC)_[A-Z0-9_]+")
_others = re.compile(r"((HYB_)?MGGA|HYB_[A-Z]*)_(X|C|XC)_[A-Z0-9_]+")
# Pairs of libxc whose pseudopotentials have a name; terms in alphabetical order.
_pairs = {
    "LDA_C_PZ+LDA_X": "PZ",
    "LDA_C_PW+LDA_X": "PW92",
    "LDA_C_VWN+LDA_X": "VWN",
    "GGA_C_PBE+GGA_X_PBE": "PBE",
    "GGA_C_PBE+GGA_X_PBE_R": "revPBE",
    "GGA_C_PBE_SOL+GGA_X_PBE_SOL": "PBEsol",
    "GGA_C_LYP+GGA_X_B88": "BLYP",
    "GGA_C_P86+GGA_X_B88": "BP",
    "GGA_C_LYP+GGA_X_OPTX": "OLYP",
    "GGA_C_PW91+GGA_X_PW91": "PW91",
}


def engine_name(written: str) -> str:
    """Return the engine's name of a functional."""
    word = written.strip()
    return _known[word.lower()][0] if word.lower() in _known else _libxc(word)


def pseudopotential_name(written: str) -> str:
    """Return the name by which pseudopotentials for a functional are chosen."""
    word = written.strip()
    if word.lower() in _known:
        return _known[word.lower()][1]
    name = _libxc(word)
    return _pairs.get("+".join(sorted(name.split("+"))), name)


def has_gradients(name: str) -> bool:
    """Return whether a functional, by the engine's name, depends on gradients of the density."""
    return not all(term in ("PZ81", "PW92") or term.startswith("LDA_") for term in name.split("+"))


def functional_problem(source: TomlSource, written: str) -> Problem | None:
    """Return what is wrong with the name of a functional, or None."""
    key, word = "electrons.functional", written.strip()
    terms = _libxc(word).split("+")
    if word.lower() in _known:
        return None
    if all(_term.fullmatch(term) for term in terms):
        return _unknown_term(source, terms)
    if any(_others.fullmatch(term) for term in terms):
        what = "needs more than the density and its gradient"
        hint = "take a functional of the kind LDA or GGA, such as PBE"
        return source.problem(key, what, hint=hint)
    listed = f"one of {', '.join(NAMES)}, or names of libxc such as GGA_X_PBE_SOL+GGA_C_PBE_SOL"
    close = nearest(word, [name.lower() for name in NAMES])
    names = {name.lower(): name for name in NAMES}
    hint = f'did you mean "{names[close]}"? ({listed})' if close else listed
    return source.problem(key, "not a known functional", hint=hint)


def _unknown_term(source: TomlSource, terms: list[str]) -> Problem | None:
    """Return what is wrong if libxc lacks one of these terms; the nearest ones are the remedy."""
    usable = {name.lower(): name for name in load_engine().functional_terms()}
    unknown = [term for term in terms if term.lower() not in usable]
    if not unknown:
        return None
    what = "not a known functional"
    limit = f"libxc has no LDA or GGA of exchange or correlation named {' or '.join(unknown)}"
    near = [_nearest_term(term, usable) for term in terms]
    whole = "+".join(name for name in near if name)
    hint = f'did you mean "{whole}"?' if all(near) else "`xc-info` of libxc lists all names"
    return source.problem("electrons.functional", what, limit=limit, hint=hint)


def _nearest_term(term: str, usable: dict[str, str]) -> str | None:
    """Return the name that is most similar, or the usual one of two that are nearly equal."""
    usual = {name.lower() for pair in _pairs for name in pair.split("+")}
    close = nearest(term, usable)
    common = nearest(term, usual & usable.keys())
    if close is None or common is None:
        return usable.get(close or "")
    return usable[common if _likeness(term, common) >= _likeness(term, close) - 0.02 else close]


def _likeness(term: str, name: str) -> float:
    return difflib.SequenceMatcher(None, term.lower(), name).ratio()


def _libxc(word: str) -> str:
    return "+".join(part.strip().upper() for part in word.split("+"))
