# SPDX-License-Identifier: BSD-3-Clause
"""Numbers in files: plain decimal numbers only, which all parsers read in the same way.

Parsers differ in what they accept. One reads ``1_5.9`` as 15.9, another as 1. One reads ``−0.8``
with the minus of a word processor as 0. Only numbers that all of them read in the same way are
accepted.
"""

from __future__ import annotations

import math
import re

_plain = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_whole = re.compile(r"[+-]?[0-9]{1,18}")
_dashes = "\u2212\u2013\u2014\u2010\u2011\u2012\ufe63\uff0d"


def is_plain(word: str) -> bool:
    """Return whether a word is a finite decimal number, such as ``-1.5e3``."""
    if _plain.fullmatch(word) is None:
        return False
    return len(word) < 100 and math.isfinite(float(word))


def is_whole(word: str) -> bool:
    """Return whether a word is a whole number."""
    return _whole.fullmatch(word) is not None


def why_not(word: str) -> str:
    """Return how to correct a word that is not a plain number."""
    if any(sign in word for sign in _dashes):
        return "write the minus as a plain hyphen, -"
    if word.strip().lower().lstrip("+-.") in ("nan", "inf", "infinity", "1.#qnan", "1.#inf"):
        return "make the file again; the program that wrote it failed"
    if "_" in word:
        return "write the number without underscores"
    if re.fullmatch(r"[+-]?[0-9.]+[dD][+-]?[0-9]+", word):
        return "write the exponent with e, as in 1.5e3"
    if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", word):
        return "write the decimals behind a point"
    if word.startswith("*"):
        return "the number did not fit its columns when the file was written; make it again"
    return "write it as digits, such as -1.5 or 1.5e3"
