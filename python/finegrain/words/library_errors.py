# SPDX-License-Identifier: BSD-3-Clause
"""Errors of a library's reader as sentences for the user."""

from __future__ import annotations

import dis
import re

_longest = 240
_no_more = "it ends too early, or names something that it does not hold"

# What only a Python programmer understands, and what it is in words.
_python = {
    r"<class '(?:\w+\.)*float'>": "a number",
    r"<class '(?:\w+\.)*int'>": "a whole number",
    r"<class '(?:\w+\.)*(\w+)'>": r"\1",
    r"<(?:\w+\.)*(\w+) object at 0x[0-9a-f]+>": r"\1",
    r"invalid literal for int\(\) with base \d+:": "not a whole number:",
    r"could not convert string to float:": "not a number:",
}
_not_a_number = re.compile(r"could not convert string to float: (.*)")
_not_whole = re.compile(r"invalid literal for int\(\) with base \d+: (.*)")


def said(error: BaseException) -> str:
    """Return the error of a reader on one line.

    What a library says is passed on; what Python itself says is translated.
    """
    text = " ".join(str(error.args[0] if _sentence_in_key(error) else error).split())
    if not text or not _raised(error):
        text = _translated(error, text)
    for pattern, words in _python.items():
        text = re.sub(pattern, words, text)
    return text if len(text) <= _longest else text[: _longest - 1] + "…"


def _sentence_in_key(error: BaseException) -> bool:
    """Return whether the error is a KeyError with a sentence, which Python shows in quotes."""
    return isinstance(error, KeyError) and bool(error.args) and " " in str(error.args[0])


def _raised(error: BaseException) -> bool:
    """Return whether a library raised the error, with words of its own; else Python did.

    The instruction at which the error began is a raise statement in the first case. A library that
    is not written in Python leaves none, and is known by the names of its errors.
    """
    if type(error).__name__ in ("OpenMMException", "ParseError", "ExpatError"):
        return True
    if isinstance(error, KeyError) and not _sentence_in_key(error):
        return False
    trace = error.__traceback__
    if trace is None:
        return True
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code.co_code
    at = trace.tb_lasti
    return 0 <= at < len(code) and dis.opname[code[at]] == "RAISE_VARARGS"


def _translated(error: BaseException, text: str) -> str:
    if found := _not_a_number.search(text):
        return f"{found.group(1)} is not a number"
    if found := _not_whole.search(text):
        return f"{found.group(1)} is not a whole number"
    match error:
        case UnicodeDecodeError():
            return f"byte {error.start:,} is not text (UTF-8)"
        case KeyError() if error.args and _plain(error.args[0]):
            return f"it names {_plain(error.args[0])}, which is not there"
        case LookupError():
            return _no_more
        case RecursionError():
            return "it is nested too deeply"
        case OverflowError() | ZeroDivisionError():
            return "a number in it is out of all bounds"
        case MemoryError():
            return "it asks for more memory than there is"
        case OSError() if error.strerror:
            return error.strerror.lower()
        case _ if "unpack" in text:
            return "a line of it holds too few or too many values"
        case _:
            return "it does not have the form that such a file has"


def _plain(key: object) -> str:
    """Return the key of a lookup, such as "CT1 X"; empty if it does not consist of words."""
    words = key if isinstance(key, tuple) else (key,)
    if not all(isinstance(word, str | int) and str(word).strip() for word in words):
        return ""
    return " ".join(str(word) for word in words)[:60]
