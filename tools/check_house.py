# SPDX-License-Identifier: BSD-3-Clause
"""Fail on what the house rules forbid and a program can see.

Each folder has a README.md that says what it is for. Each source begins with its licence
identifier. No marks of unfinished work, no names of authors (git knows them), no path of one
machine. No archaic or invented words. C++ uses no names that are reserved for the compiler, except
those that it and the libraries define. No two modules of Python tests share a name: pytest imports
them by it, and refuses the second one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from sources import exit_with, our_files, read_lines

CPP = {".hpp", ".cpp"}
SOURCES = {*CPP, ".py", ".pyi", ".sh"}
TEXTS = {*SOURCES, ".cmake", ".toml", ".txt", ".md", ".yml", ".yaml", ".json", ".cff"}
LICENCE = "SPDX-License-Identifier: BSD-3-Clause"

# Written in pieces, so that this file does not break its own rule.
MARKS = ("TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK")
TITLES = ("Auth" + "or", "Auth" + "ors", "Main" + "tainer", "Main" + "tainers", r"Copyright \(c\)")
UNFINISHED = re.compile(rf"\b({'|'.join(MARKS)})\b")
AUTHOR = re.compile(rf"[@\\]auth{'or'}\b|^\W*({'|'.join(TITLES)})\s*:?\s+[A-Z]")
MACHINE = re.compile(r"(?<![\w.])/(home|root|work|Users)/\w")

# Words that a reader with ordinary English stumbles over, with plain ones.
PLAIN = {
    "whence": "from where",
    "somewhen": "at some time",
    "manieth": "every n-th",
    "thereof": "of it",
    "therein": "in it",
    "therewith": "with it",
    "wherein": "in which",
    "whereupon": "after which",
    "hitherto": "so far",
    "henceforth": "from now on",
    "heretofore": "before",
    "hereby": "by this",
    "hither": "here",
    "thither": "there",
    "anew": "again",
    "go on with": "continue",
    "go on from": "continue from",
    "goes on with": "continues with",
    "goes on from": "continues from",
    "gone on with": "continued",
    "gone on from": "continued from",
    "forth and back": "forward and back",
    "told of": "reported",
}
ODD = re.compile(rf"(?<![\w\"])({'|'.join(PLAIN)})\b", re.IGNORECASE)

# [lex.name] of the C++ standard, in any scope. clang-tidy could check this too, but takes a sixth
# of its time for it, because it looks through the names of all system headers. Names after a quote
# or a bracket do not count: text, the suffix of a literal, the index of a formula.
RESERVED = re.compile(r"(?<![\w\")])(?:_\w+|\w+__\w*)")
GIVEN = re.compile(
    r"_Exit|_Pragma|_engine|__restrict|__rdtsc|__builtin_(cpu_init|cpu_supports|ia32_pause|prefetch)"
    r"|__(FILE|LINE|SSE2|PRETTY_FUNCTION|VA_ARGS|VERSION|GLIBC|aarch64|x86_64)__|__ARM_FEATURE_SVE"
    r"|__SANITIZE_(ADDRESS|THREAD)__|__libc_(calloc|malloc|memalign|realloc)"
    r"|_mm256_(castps_si256|permutevar_ps)|_mm512_(castps_si512|permutex(var|2var)_ps)"
    r"|__m128i|_mm_(loadu_si128|sfence|stream_si128)"
    r"|_mm_sha256(msg1|msg2|rnds2)_epu32|_mm_(load|storeu)_si128|_mm_unpack(hi|lo)_epi64"
    r"|_mm_(add_epi32|alignr_epi8|set_epi64x|shuffle_epi(8|32))|__get_cpuid_count"
    r"|H5AC__CURR_CACHE_CONFIG_VERSION|H5C_(decr|flash_incr|incr)__off"
)

# A measured result may name its machine, and reference data the file they came from.
DATA = ("bench/results/", "tests/golden/data/", "tests/reference/data/")


def folders_without_readme(root: Path, files: list[Path]) -> Iterator[str]:
    """Yield each folder that has files but no README.md with a text."""
    folders = {parent for path in files for parent in path.relative_to(root).parents}
    for folder in sorted(folders):
        if any(part.startswith(".") for part in folder.parts):
            continue
        readme = root / folder / "README.md"
        if not readme.is_file() or not readme.read_text(encoding="utf-8").strip():
            yield f"{folder}/ has no README.md; one line on what the folder is for is enough"


def twin_tests(root: Path, files: list[Path]) -> Iterator[str]:
    """Yield each module of tests whose name another folder has too."""
    seen: dict[str, Path] = {}
    for path in files:
        place = path.relative_to(root)
        if place.parts[0] == "tests" and path.match("test_*.py"):
            other = seen.setdefault(path.name, place)
            if other != place:
                yield f"{place}: {other} has this name; pytest takes each name of a module once"


def forbidden_lines(root: Path, path: Path) -> Iterator[str]:
    """Yield each line of a text that breaks a rule."""
    place = path.relative_to(root)
    lines = read_lines(path)
    if path.suffix in SOURCES and not any(LICENCE in line for line in lines[:2]):
        yield f"{place}: the first line is not '{LICENCE}' in a comment"
    for number, line in enumerate(lines, start=1):
        if UNFINISHED.search(line):
            yield f"{place}:{number}: unfinished mark; do it, or open an issue and take it out"
        if AUTHOR.search(line) and path.name not in {"LICENSE", "CITATION.cff"}:
            yield f"{place}:{number}: name of an author; git knows who wrote what"
        if MACHINE.search(line):
            yield f"{place}:{number}: path of one machine"
        for word in ODD.findall(line):
            yield f"{place}:{number}: '{word}' is not plain; write '{PLAIN[word.lower()]}'"
        for name in RESERVED.findall(line) if path.suffix in CPP else ():
            if not GIVEN.fullmatch(name):
                yield f"{place}:{number}: {name} is a name for the compiler alone"


def broken_rules(root: Path) -> Iterator[str]:
    """Yield one line for each broken rule."""
    files = our_files(root)
    yield from folders_without_readme(root, files)
    yield from twin_tests(root, files)
    for path in files:
        if path.suffix not in TEXTS and path.name not in {"Makefile", "run"}:
            continue
        if str(path.relative_to(root)).startswith(DATA):
            continue
        yield from forbidden_lines(root, path)


if __name__ == "__main__":
    exit_with("house", broken_rules)
