# SPDX-License-Identifier: BSD-3-Clause
"""Text from files, made safe to print.

Titles, names of atoms and of files may hold escape codes. These would move a terminal's cursor,
change its title or hide a part of a message. A terminal may also lack letters.
"""

from __future__ import annotations

import json
import unicodedata
from typing import Any

# Control codes, direction marks, zero-width characters, half characters, line separators.
_hidden = ("Cc", "Cf", "Cs", "Zl", "Zp")
# Usual ASCII spelling in chemistry; other letters lose their accents.
_plain = {
    "·": "*",
    "×": "x",
    "–": "-",
    "—": "-",
    "−": "-",
    "±": "+-",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "µ": "u",
    "μ": "u",
    "°": "deg",
    "ß": "ss",
    "ø": "o",
    "Ø": "O",
    "✓": "+",
    "✗": "x",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
}


def visible(text: str, keep: str = "\n") -> str:
    """Return `text` with each control character written out as its code.

    Parameters
    ----------
    text : str
        Text of a file, a name or a message.
    keep : str
        Control characters to keep.
    """
    if text.isprintable():
        return text
    return "".join(
        written_out(sign) if unicodedata.category(sign) in _hidden and sign not in keep else sign
        for sign in text
    )


def json_text(value: Any, encoding: str) -> str:
    """Return a value as JSON that is safe to print and can be written in an encoding."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(value, indent=2)
    return "".join(
        json.dumps(sign).strip('"')
        if unicodedata.category(sign) in _hidden and sign != "\n"
        else sign
        for sign in text
    )


def plain_letters(error: UnicodeError) -> tuple[str, int]:
    """Replace letters that an encoding lacks, in the form of ``codecs.register_error``."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain_letter, error.object[error.start : error.end])), error.end


def _plain_letter(sign: str) -> str:
    if sign in _plain:
        return _plain[sign]
    if unicodedata.category(sign) in _hidden:
        return written_out(sign)
    return unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"


def written_out(sign: str) -> str:
    """Return the code of a character: a backslash, then x1b or u202e."""
    code = ord(sign)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
