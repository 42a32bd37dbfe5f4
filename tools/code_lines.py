# SPDX-License-Identifier: BSD-3-Clause
"""Which lines of a source are code and which comments, and how long its functions are."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sources import read_lines

CPP = (".hpp", ".cpp", ".inc", ".c")
PYTHON = (".py", ".pyi")
OTHER = (".sh", ".cmake")  # with comments behind "#"

COMMENT_OR_TEXT = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|R"(?P<end>[^(\s]*)\(.*?\)(?P=end)"|"(?:\\.|[^"\\\n])*"|"""
    r"""'(?:\\[^\n']{1,6}|\\'|[^'\\\n])'""",
    re.DOTALL,
)
NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
# What stands before the body of a function; what stands before a brace among initialisers.
HEAD = re.compile(
    r"\)\s*(const|noexcept|override|final|mutable|try|&|->[\w:<>,&*\s]+|\s)*(:.*\})?\s*\Z",
    re.DOTALL,
)
INITIALISER = re.compile(r"\)[\w\s]*:(?!:).*[\w>]\s*\Z", re.DOTALL)
NO_FUNCTION = re.compile(
    r"\s*(namespace|class|struct|union|enum|extern)\b|.*[^=!<>]=[^=]", re.DOTALL
)
BRACE = re.compile(r"[{};]")
NAME = re.compile(r"(operator\S+?|TEST\w*\([^)]*\)|[\w:~<>]+)\s*[({]")


@dataclass(frozen=True, order=True)
class Function:
    """A function, with its lines from head to end."""

    lines: int
    name: str
    line: int


def is_code(path: Path) -> bool:
    """Tell whether lines of code in this file can be told from comments."""
    return path.suffix in (*CPP, *PYTHON, *OTHER) or path.name == "CMakeLists.txt"


@cache
def code_of(path: Path) -> list[tuple[int, str]]:
    """Return the lines with code and their numbers, without the comments at their ends."""
    lines = read_lines(path)
    if path.suffix in CPP:
        lines = _blanked("\n".join(lines), texts=False).split("\n")
        return [(at, line) for at, line in enumerate(lines, 1) if line.strip()]
    if path.suffix in PYTHON:
        ends = _python_code("\n".join(lines) + "\n")
        return [(at, lines[at - 1][:end]) for at, end in sorted(ends.items())]
    return [(at, line) for at, line in enumerate(lines, 1) if re.match(r"\s*[^\s#]", line)]


def comments_of(path: Path) -> int:
    """Count the lines that hold comments or docstrings and no code."""
    return sum(1 for line in read_lines(path) if line.strip()) - len(code_of(path))


def functions_of(path: Path) -> list[Function]:
    """Return the functions of a source, without those inside functions of C++."""
    text = "\n".join(read_lines(path)) + "\n"
    if path.suffix in CPP:
        return list(_cpp_functions(_blanked(text, texts=True)))
    if path.suffix in PYTHON:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
        return [
            Function((node.end_lineno or 0) - node.lineno + 1, node.name, node.lineno)
            for node in found
        ]
    return []


def _blanked(text: str, *, texts: bool) -> str:
    """Return C++ with blanks for comments and, if asked, for the letters of texts."""

    def blank(match: re.Match[str]) -> str:
        if match["comment"] is None:
            return re.sub(r"[^\n]", "_", match[0]) if texts else match[0]
        return re.sub(r"[^\n]", " ", match[0])

    return COMMENT_OR_TEXT.sub(blank, text)


def _python_code(text: str) -> dict[int, int | None]:
    """Return the numbers of the lines with code, and where a comment begins in them."""
    tree = ast.parse(text)
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    words: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, owners) and ast.get_docstring(node, clean=False) is not None:
            words.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = text.split("\n")
    ends: dict[int, int | None] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        first, last = token.start[0], token.end[0]
        if token.type == tokenize.COMMENT and first in ends:
            ends[first] = token.start[1]
        elif token.type not in NO_CODE:
            inside = {at for at in range(first, last + 1) if lines[at - 1].strip()}
            ends |= dict.fromkeys(inside - words)
    return ends


def _cpp_functions(text: str) -> Iterator[Function]:
    """Yield the functions by counting braces."""
    text = re.sub(
        r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M
    )
    begin = at = 0  # of the statement, of the search
    while brace := BRACE.search(text, at):
        at = brace.end()
        head = text[begin : brace.start()]
        if brace[0] != "{" or NO_FUNCTION.match(head.partition("(")[0]):
            begin = at
        elif HEAD.search(head):
            at = begin = _end_of_block(text, at)
            shown = head.lstrip()
            first = text.count("\n", 0, brace.start() - len(shown)) + 1
            name = NAME.search(shown + "{")
            lines = text.count("\n", 0, at) + 2 - first
            yield Function(lines, name[1] if name else "", first)
        elif INITIALISER.search(head) or head.rstrip().endswith("="):
            at = _end_of_block(text, at)
        else:
            begin = at


def _end_of_block(text: str, at: int) -> int:
    """Return the place after the brace that closes the one before this place."""
    depth = 1
    for brace in re.compile(r"[{}]").finditer(text, at):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return len(text)
