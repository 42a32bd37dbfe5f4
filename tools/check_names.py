# SPDX-License-Identifier: BSD-3-Clause
"""Fail if the manual names what does not exist: a file, a class, an entry or a function.

It checks what is in `code` and in blocks of C++. In all pages of docs/: paths. In ARCHITECTURE.md,
docs/explanation and the READMEs of engine/, which describe the code, also names: `Class::member` if
a file that declares the class has the member, `function()`, `ClassName` and `name_of_two_words` if
some source has the word. In docstrings of Python: files and folders from the root.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from sources import exit_with, our_files, read_lines

CPP = {".hpp", ".cpp"}
SOURCES = {*CPP, ".py", ".pyi", ".cmake", ".txt", ".sh", ".toml", ".json"}
FOLDERS = {"bench", "bindings", "cmake", "docs", "engine", "examples", "python", "tests", "tools"}

FENCE = re.compile(r"^\s*```(\w*)")
SPAN = re.compile(r"`([^`]+)`")
PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*/?")
PAIR = re.compile(r"\b([A-Za-z]\w*)::([A-Za-z]\w*)")
CALL = re.compile(r"\b([a-z]\w*)\(")
WORD = re.compile(r"[A-Za-z]\w*")
NAME = re.compile(r"[A-Z][a-z]\w*|[a-z]\w*_\w+")
FROM_ROOT = re.compile(rf"(?<![\w./-])(?:{'|'.join(sorted(FOLDERS))})/[\w./-]*\w")
DECLARED = re.compile(
    r"\b(?:class|struct|namespace|using)\s+(?:alignas\(\w+\)\s+|\[\[\w+\]\]\s+)?([\w:]+)"
)


class Names:
    """The existing files, and the words of each source."""

    def __init__(self, root: Path) -> None:
        self.files = {str(path.relative_to(root)) for path in our_files(root)}
        self.folders = {str(parent) for name in self.files for parent in Path(name).parents}
        self.words: set[str] = set()
        self.beside: dict[str, set[str]] = defaultdict(set)  # words in files that declare a name
        for name in sorted(self.files):
            path = root / name
            if path.suffix not in SOURCES or name.startswith(("bench/results/", "docs/")):
                continue
            text = path.read_text(encoding="utf-8")
            found = set(WORD.findall(text))
            self.words |= found
            if path.suffix in CPP:
                for declared in DECLARED.findall(text):
                    for part in declared.split("::"):
                        self.beside[part] |= found

    def has_path(self, path: str) -> bool:
        """Return whether a file or folder exists, given from the root or by its last parts."""
        path = path.rstrip("/")
        return any(
            name == path or name.endswith("/" + path) for name in (*self.files, *self.folders)
        )

    def has_member(self, owner: str, member: str) -> bool:
        """Return whether a file that declares the owner has the member."""
        return owner == "std" or member in self.beside[owner]

    def has_word(self, word: str) -> bool:
        """Return whether a source has a word; one CMake line makes the programs of each MPI."""
        return word in self.words or re.sub(r"_(openmpi|mpich)$", "_", word) in self.words


def is_path(code: str, speaks_of_code: bool) -> bool:
    """Return whether a span names a file or a folder of this project."""
    if not PATH.fullmatch(code):
        return False
    suffixes = {*CPP, ".py"} if speaks_of_code else CPP
    return Path(code).suffix in suffixes or ("/" in code and code.split("/")[0] in FOLDERS)


def missing(code: str, names: Names, speaks_of_code: bool) -> Iterator[str]:
    """Yield the names in a span of code that do not exist."""
    if is_path(code, speaks_of_code):
        if not names.has_path(code):
            yield f"there is no {code}"
        return
    if not speaks_of_code:
        return
    for owner, member in PAIR.findall(code):
        if not names.has_member(owner, member):
            yield f"no file that declares {owner} has {member}"
    if "::" in code:
        return
    words = CALL.findall(code)
    if NAME.fullmatch(code):
        words.append(code)
    for word in words:
        if not names.has_word(word):
            yield f"no source has {word}"


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line of a docstring."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, documented) and (text := ast.get_docstring(node, clean=False)):
            yield from enumerate(text.splitlines(), start=node.body[0].lineno)


def broken_docstrings(root: Path, names: Names) -> Iterator[str]:
    """Yield one line for each file that a docstring names and that does not exist."""
    for path in our_files(root, ".py"):
        for number, line in docstrings(path):
            for name in FROM_ROOT.findall(line):
                if not names.has_path(name):
                    yield f"{path.relative_to(root)}:{number}: there is no {name}"


def broken_names(root: Path) -> Iterator[str]:
    """Yield one line for each name that does not exist."""
    names = Names(root)
    yield from broken_docstrings(root, names)
    pages = [root / "ARCHITECTURE.md", *sorted((root / "docs").rglob("*.md"))]
    for page in [*pages, *sorted((root / "engine").rglob("README.md"))]:
        if not page.is_file():
            continue
        place = page.relative_to(root)
        speaks_of_code = place.parts[0] != "docs" or place.parts[1] == "explanation"
        fence: str | None = None
        for number, line in enumerate(read_lines(page), start=1):
            if mark := FENCE.match(line):
                fence = mark[1] if fence is None else None
                continue
            if fence is None:
                spans = SPAN.findall(line)
            elif fence == "cpp":
                spans = [f"{owner}::{member}" for owner, member in PAIR.findall(line)]
            else:
                continue
            for code in spans:
                for fault in missing(code, names, speaks_of_code):
                    yield f"{place}:{number}: {fault}"


if __name__ == "__main__":
    exit_with("check_names", broken_names)
