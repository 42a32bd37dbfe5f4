# SPDX-License-Identifier: BSD-3-Clause
"""Commands of CHARMM between the parameters: without effect on them, or reported."""

from __future__ import annotations

from collections.abc import Sequence

from finegrain.classical.input.readers.findings import Findings

_idle = (
    *("READ", "SET", "IF", "RETURN", "STOP", "BOMLEV", "WRNLEV", "PRNLEV", "IOFORMAT"),
    *("ECHO", "DIMENSION", "UPPER", "LOWER", "CLOSE"),
)
_reading = ("OPEN", "READ", "STRE", "STREAM")


def check_command(found: Findings, file: str, number: int, words: Sequence[str]) -> bool:
    """Check a line of no section; return whether it is a command without effect."""
    command = words[0].upper()
    known = [name for name in _idle if name.startswith(command) and len(command) >= 2]
    if not known:
        hint = "it belongs after the head of a section, such as BONDS"
        found.add(file, number, "stands in no section", " ".join(words), hint=hint)
    elif known[0] == "IF" and _decides_what_is_read(words):
        hint = "make a file with the branch that you mean"
        found.add(file, number, "is not supported", " ".join(words), hint=hint)
    return bool(known)


def _decides_what_is_read(words: Sequence[str]) -> bool:
    if words[-1].upper() == "THEN":
        return True
    return any(word.upper() in _reading for word in words[1:])
