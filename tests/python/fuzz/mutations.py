# SPDX-License-Identifier: BSD-3-Clause
"""Ways to damage a text: malformed numbers, numbers of another size, lines, words, bytes."""

import random
import re
from dataclasses import dataclass

number = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
_word = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_strange = [
    "\u2212",
    "_",
    "\u00a0",
    "\u202e",
    "\x1b[31m",
    "\x00",
    "ß",
    "\t",
    '"',
    "<",
    "%",
    "]",
    "\\",
]


@dataclass(frozen=True)
class Mutant:
    """A damaged file: its bytes, the kind of damage and what was done, in words."""

    contents: bytes
    kind: str
    done: str


def _malformed(chance: random.Random, token: str) -> str:
    """Return a word that looks like a number but is not one, or is not finite."""
    digits = token.lstrip("+-")
    middle = len(digits) // 2
    wide = digits.translate({ord("0") + i: 0xFF10 + i for i in range(10)})
    return chance.choice(
        [
            "\u2212" + digits,
            digits[:middle] + "_" + digits[middle:] if len(digits) > 1 else digits + "_0",
            token + "x",
            token.replace(".", ",") if "." in token else token + ",5",
            "nan",
            "inf",
            "-inf",
            "1e999",
            token + ".2.3",
            "0x1F",
            wide,
            "--" + digits,
            "1.5d0",
            "",
        ]
    )


def _extreme(chance: random.Random, token: str) -> str:
    """Return a number of another size or sign."""
    whole = ["0", "-1", "999999999", "2147483648", "99999", "-2147483649", "18446744073709551616"]
    broken = ["0.0", "-1.0", "1e30", "1e-30", "1e300", "-1e10", "1e10", "12345.678"]
    return chance.choice(whole if token.lstrip("+-").isdigit() else broken)


def other_number(chance: random.Random, token: str) -> str:
    """Return another number of the same form: one digit changed."""
    places = [i for i, sign in enumerate(token) if sign.isdigit()]
    place = chance.choice(places)
    other = chance.choice([digit for digit in "123456789" if digit != token[place]])
    return token[:place] + other + token[place + 1 :]


def in_place(text: str, start: int, end: int, new: str) -> str:
    """Replace a part; if there are blanks around it, the columns after it keep their place."""
    short = (end - start) - len(new)
    if short >= 0:
        return text[:start] + " " * short + new + text[end:]
    blanks = start - len(text[:start].rstrip(" "))
    taken = min(-short, max(blanks - 1, 0))
    return text[: start - taken] + new + text[end:]


def _number(chance: random.Random, text: str, kind: str) -> tuple[str, str]:
    found = list(number.finditer(text))
    if not found:
        return text + "\n1\n", "appended a line"
    token = chance.choice(found)
    change = {"malformed": _malformed, "extreme": _extreme, "valid": other_number}[kind]
    new = change(chance, token.group())
    line = text.count("\n", 0, token.start()) + 1
    changed = in_place(text, token.start(), token.end(), new)
    return changed, f"line {line}: {token.group()} -> {new!r}"


def _line(chance: random.Random, text: str) -> tuple[str, str]:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    match chance.randrange(6):
        case 0:
            return "\n".join(lines[:at] + lines[at + 1 :]), f"line {at + 1} taken out"
        case 1:
            return "\n".join([*lines[:at], lines[at], *lines[at:]]), f"line {at + 1} doubled"
        case 2:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
            return "\n".join(lines), f"lines {at + 1} and {other + 1} exchanged"
        case 3:
            return "\n".join(lines[:at]), f"cut before line {at + 1}"
        case 4:
            cut = chance.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:cut]
            return "\n".join(lines), f"line {at + 1} cut at column {cut}"
        case _:
            lines[at] = ""
            return "\n".join(lines), f"line {at + 1} emptied"


def _text(chance: random.Random, text: str) -> tuple[str, str]:
    found = list(_word.finditer(text))
    if not found:
        return "", "emptied"
    token = chance.choice(found)
    line = text.count("\n", 0, token.start()) + 1
    match chance.randrange(3):
        case 0:
            new = chance.choice(found).group()
        case 1:
            letters = list(token.group())
            chance.shuffle(letters)
            new = "".join(letters)
        case _:
            place = chance.randrange(len(token.group()) + 1)
            new = token.group()[:place] + chance.choice(_strange) + token.group()[place:]
    changed = in_place(text, token.start(), token.end(), new)
    return changed, f"line {line}: {token.group()} -> {new!r}"


def _bytes(chance: random.Random, contents: bytes) -> tuple[bytes, str]:
    at = chance.randrange(len(contents) + 1)
    match chance.randrange(4):
        case 0:
            return contents[:at], f"cut after {at} bytes"
        case 1:
            return contents[:at] + chance.randbytes(3) + contents[at:], f"3 bytes put in at {at}"
        case 2:
            return contents[:at] + bytes(16) + contents[at + 16 :], f"16 bytes set to 0 at {at}"
        case _:
            flipped = bytes(byte ^ (1 << chance.randrange(8)) for byte in contents[at : at + 1])
            return contents[:at] + flipped + contents[at + 1 :], f"a bit turned at {at}"


kinds = {"malformed": 35, "extreme": 15, "valid": 15, "line": 15, "text": 12, "bytes": 8}


def mutate(chance: random.Random, contents: bytes) -> Mutant:
    """Damage a file in one way, chosen by chance."""
    (kind,) = chance.choices(list(kinds), weights=list(kinds.values()))
    if kind == "bytes":
        damaged, done = _bytes(chance, contents)
        return Mutant(damaged, kind, done)
    text = contents.decode()
    if kind == "line":
        changed, done = _line(chance, text)
    elif kind == "text":
        changed, done = _text(chance, text)
    else:
        changed, done = _number(chance, text, kind)
    return Mutant(changed.encode(), kind, done)
