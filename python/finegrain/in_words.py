# SPDX-License-Identifier: BSD-3-Clause
"""Errors of a library's reader as sentences for the user."""

from __future__ import annotations

import linecache
import re

_longest = 240
_no_more = "it ends too early, or names something that it does not hold"

# Words that only a Python programmer understands.
_python = re.compile(
    r"<class|NoneType|\bobject (has|is)\b|\blist\b|\btuple\b|\bdict\b|\bstr\b|\bint\b|\bfloat\b"
    r"|index .*out of|out of (range|bounds)|unpack|literal|could not convert|argument|operand"
    r"|subscript|unhashable|iterable|codec|__|\bdtype\b|\barray\b|inhomogeneous|\bself\.|NaN to int"
    r"|maximum recursion|formatting|keyword|attribute|module|Quantity"
)
_not_a_number = re.compile(r"could not convert string to float: (.*)")
_not_whole = re.compile(r"invalid literal for int\(\) with base \d+: (.*)")


def said(error: BaseException) -> str:
    """Return the error of a reader on one line and without words of Python.

    A message written by the library is passed on; messages of the language are translated.
    """
    text = " ".join(str(error).split())
    if not text or not _written(error) or _python.search(text):
        text = _translated(error, text)
    return text if len(text) <= _longest else text[: _longest - 1] + "…"


def _written(error: BaseException) -> bool:
    """Return whether a person wrote the message: a raise statement, or a C++ or XML library."""
    if type(error).__name__ in ("OpenMMException", "ParseError", "ExpatError"):
        return True
    trace = error.__traceback__
    if trace is None:
        return True
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    around = range(trace.tb_lineno, max(trace.tb_lineno - 4, 0), -1)
    lines = [linecache.getline(code.co_filename, number) for number in around]
    return any(re.match(r"\s*raise\b|.*:\s*raise\b", line) for line in lines)


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
