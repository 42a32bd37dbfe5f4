# SPDX-License-Identifier: BSD-3-Clause
"""Checks of CHARMM parameter, topology and stream files as text.

OpenMM's reader uses two of the options of NONBONDED and ignores the others. It also ignores every
line outside the sections that it knows.

References
----------
CHARMM documentation, "parmfile.doc" and "nbonds.doc".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from finegrain.input.load import Input
from finegrain.input.readers.charmm_mixing import Mixing
from finegrain.input.readers.cmap_tables import other_size, sizes_of_files, why_no_table
from finegrain.input.readers.findings import Findings, lines_of, text_of
from finegrain.input.readers.plain_numbers import is_plain, is_whole

_cut = "the file is cut short or damaged; copy or make it again"
# The beginning of a section's first line, as OpenMM reads it; the section; its full name.
_heads = {
    "ATOM": ("atoms", "ATOMS"),
    "BOND": ("bonds", "BONDS"),
    "ANGL": ("angles", "ANGLES"),
    "THET": ("angles", "THETAS"),
    "DIHE": ("dihedrals", "DIHEDRALS"),
    "PHI": ("dihedrals", "PHI"),
    "IMPR": ("improper", "IMPROPERS"),
    "IMPH": ("improper", "IMPHI"),
    "CMAP": ("cmap", "CMAP"),
    "NONB": ("nonbonded", "NONBONDED"),
    "NBON": ("nonbonded", "NBONDED"),
    "NBFIX": ("nbfix", "NBFIX"),
    "THOLE": ("thole", "THOLE"),
    "HBOND": ("hbond", "HBOND"),
    "END": ("", "END"),
}
sections = [whole for _, whole in _heads.values()]
# Commands of CHARMM around the parameters, without effect on them.
_commands = ("READ", "SET", "IF", "RETURN", "STOP", "BOMLEV", "WRNLEV", "PRNLEV", "IOFORMAT")

# Options of NONBONDED, by their first four letters, which are all that CHARMM reads. Lists and
# cutoffs are set by the input.
_lists: tuple[str, ...] = (
    "ATOM",
    "GROU",
    "CDIE",
    "SHIF",
    "FSHI",
    "SWIT",
    "FSWI",
    "VATO",
    "VGRO",
    "VDIS",
    "VSHI",
)
_lists += ("VSWI", "VFSW", "VFSH", "ARIT", "GEOM", "NOEX")
_distances = ("CUTN", "CTOF", "CTON", "WMIN")
refused = {
    "RDIE": "a dielectric that grows with distance is not read; put the molecule in water",
    "EXTE": "extended electrostatics are not read",
}


@dataclass
class PeriodicImpropers:
    """Rows of impropers that OpenMM reads as harmonic, though they are periodic.

    Attributes
    ----------
    rows : by types, in the order that comes first in the alphabet; file, line, multiplicity
    """

    rows: dict[tuple[str, ...], tuple[str, int, str]] = field(default_factory=dict)

    def row(self, types: Sequence[str], place: tuple[str, int, str] | None) -> None:
        """Note a row; one that is harmonic replaces a periodic one of the same types."""
        key = min(tuple(types), tuple(types[::-1]))
        self.rows.pop(key, None)
        if place is not None:
            self.rows[key] = place


@dataclass
class Unread:
    """What OpenMM's reader does not read of the files of parameters, or reads wrongly.

    Attributes
    ----------
    impropers : these matter only if the topology has such atoms
    mixing : the rule for radii
    """

    impropers: PeriodicImpropers = field(default_factory=PeriodicImpropers)
    mixing: Mixing = field(default_factory=Mixing)


def check_parameters(given: Input, key: str, path: Path, unread: Unread) -> None:
    """Raise an error for damage in the file, and for content that would be ignored silently."""
    found = Findings()
    lines = lines_of(text_of(given, key, path))
    suffix, name = path.suffix.lower(), path.name.lower()
    if suffix == ".str":
        _check_stream(found, path.name, lines, unread)
    elif suffix in (".rtf", ".top") or (suffix == ".inp" and "par" not in name):
        _check_residues(found, path.name, _joined(lines, 1))
    else:
        _Parameters(found, path.name, unread).check(_joined(lines, 1))
    found.raise_them(given)


Lines = Iterator[tuple[int, str]]


def _joined(lines: Sequence[str], first: int) -> Lines:
    """Yield lines in capitals with their numbers: without comments, continued lines joined."""
    start, before = 0, ""
    for number, raw in enumerate(lines, start=first):
        start = start or number
        line = (before + raw.partition("!")[0].strip()).upper()
        before = ""
        if line.endswith("-"):
            before = line[:-1]
            continue
        if line and not line.startswith("*"):
            yield start, line
        start = 0


def _check_stream(found: Findings, file: str, lines: list[str], unread: Unread) -> None:
    number, lost = 0, False
    while number < len(lines):
        words = lines[number].partition("!")[0].split()
        number += 1
        if not words or words[0].startswith("*"):
            continue
        if words[0][:4].upper() != "READ":
            if not lost:
                lost = not _check_command(found, file, number, words)
            continue
        lost = False
        end = number
        while end < len(lines) and not lines[end].strip().lower().startswith("end"):
            end += 1
        if end == len(lines):
            found.add(file, number, "has no end", lines[number - 1], "a line END", _cut)
            return
        kind = words[1].lower() if len(words) > 1 else ""
        if kind == "rtf":
            _check_residues(found, file, _joined(lines[number:end], number + 1))
        elif kind.startswith("para"):
            _Parameters(found, file, unread).check(_joined(lines[number:end], number + 1))
        else:
            found.unknown(file, number, "is not read", f"read {kind}", ["read rtf", "read para"])
        number = end + 1


def _check_command(found: Findings, file: str, number: int, words: list[str]) -> bool:
    """Check a line of no section; return whether it is a command without effect."""
    command = words[0].upper()
    known = [name for name in _commands if name.startswith(command) and len(command) >= 2]
    if not known:
        hint = "it belongs after the head of a section, such as BONDS"
        found.add(file, number, "stands in no section", " ".join(words), hint=hint)
    elif known[0] == "IF" and words[-1].upper() == "THEN":
        hint = "make a file with the branch that you mean"
        found.add(file, number, "is not supported", " ".join(words), hint=hint)
    return bool(known)


def _check_residues(found: Findings, file: str, lines: Lines) -> None:
    """Check the masses; residues have no effect, because the PSF contains them already."""
    for number, line in lines:
        words = line.split()
        if words[0] == "MASS":
            _check_mass(found, file, number, words)


def _check_mass(found: Findings, file: str, number: int, words: list[str]) -> None:
    if len(words) < 4:
        found.add(file, number, f"holds {len(words)} of 4 columns", " ".join(words), hint=_cut)
        return
    found.number(file, number, words[1], "MASS", whole=True)
    found.number(file, number, words[3], "mass")


class _Parameters:
    """Checks a file of parameters line by line, and knows the section of the next line."""

    def __init__(self, found: Findings, file: str, unread: Unread) -> None:
        self.found, self.file, self.unread = found, file, unread
        self.section = ""
        self.began = False  # whether NONBONDED has had an atom type
        self.lost = False  # whether a line of no section was already reported
        self.map_line, self.map_size, self.map_held = 0, 0, 0  # of the last CMAP table

    def tell(self, number: int, what: str, value: str, limit: str = "", hint: str = "") -> None:
        """Add a problem of a line."""
        self.found.add(self.file, number, what, value, limit, hint)

    def check(self, lines: Lines) -> None:
        """Check all lines."""
        for number, line in lines:
            words = line.split()
            head = next((head for head in _heads if words[0].startswith(head)), "")
            if head:
                self._end_of_map()
                (self.section, whole), self.lost = _heads[head], False
                self.began = False
                if not whole.startswith(words[0]):
                    what, hint = (
                        "would be taken for the head of a section",
                        f"did you mean {whole}?",
                    )
                    self.tell(number, what, words[0], hint=hint)
                elif self.section == "nonbonded":
                    self._options(number, words[1:])
            elif not self.section:
                if not self.lost:
                    self.lost = not _check_command(self.found, self.file, number, words)
            else:
                getattr(self, f"_{self.section}")(number, words)
        self._end_of_map()

    def _options(self, number: int, words: list[str]) -> None:
        self.unread.mixing.options(self.file, number, words)
        place = 0
        while place < len(words):
            word, key = words[place], words[place][:4]
            value = words[place + 1] if place + 1 < len(words) else ""
            place += 1
            if key in refused and word.isalnum():
                self.tell(number, "is not supported", word, hint=refused[key])
            elif word.isalnum() and key in (*_distances, "NBXM", "EPS", "E14F"):
                place += 1
                if not self.found.number(self.file, number, value, word, whole=key == "NBXM"):
                    continue
                if key in ("NBXM", "E14F") and word not in ("NBXMOD", "E14FAC"):
                    self.tell(number, "is not the whole word", word, "NBXMOD, E14FAC")
                if key == "NBXM" and not 1 <= abs(int(value)) <= 5:
                    self.tell(number, "is not supported", f"{word} {value}", "1 to 5", "5 is usual")
                if key == "EPS" and float(value) != 1:
                    hint = "a dielectric constant other than that of the vacuum is not read"
                    self.tell(number, "is not supported", f"{word} {value}", "1", hint)
            elif key not in _lists:
                valid = ["NBXMOD", "ATOM", "CDIEL", "SHIFT", "FSHIFT", "SWITCH", "FSWITCH", "VATOM"]
                valid += ["VDISTANCE", "VSHIFT", "VSWITCH", "VFSWITCH", "CUTNB", "CTOFNB", "CTONNB"]
                valid += ["EPS", "E14FAC", "WMIN"]
                what = "is not a known option of NONBONDED"
                self.found.unknown(self.file, number, what, word, valid)

    def _row(self, number: int, words: list[str], types: int, counts: tuple[int, ...]) -> bool:
        """Check a row of types and numbers; the number of numbers must be one of `counts`."""
        found = words[types:]
        held = next((i for i, word in enumerate(found) if not is_plain(word)), len(found))
        if held < len(found) and held < counts[-1]:
            self.found.number(self.file, number, found[held], self.section)
        elif held in counts or held > counts[-1]:
            return True
        else:
            wanted = " or ".join(str(count) for count in counts)
            what = f"holds {len(found)} numbers"
            self.tell(number, what, " ".join(words), f"{wanted} behind {types} types", _cut)
        return False

    def _atoms(self, number: int, words: list[str]) -> None:
        if words[0] == "MASS":
            _check_mass(self.found, self.file, number, words)
        else:
            self.tell(number, "stands in ATOMS and is no MASS", " ".join(words), hint=_cut)

    def _bonds(self, number: int, words: list[str]) -> None:
        self._row(number, words, 2, (2,))

    def _angles(self, number: int, words: list[str]) -> None:
        self._row(number, words, 3, (2, 4))

    def _dihedrals(self, number: int, words: list[str]) -> None:
        if self._row(number, words, 4, (3,)):
            multiplicity = float(words[5])
            if multiplicity != int(multiplicity) or not 1 <= multiplicity <= 6:
                hint = "0 means an improper, below 0 means that more terms follow; both are refused"
                self.tell(number, "is not supported", f"multiplicity {words[5]}", "1 to 6", hint)

    def _improper(self, number: int, words: list[str]) -> None:
        if self._row(number, words, 4, (2, 3)):
            periodic = len(words) > 6 and is_plain(words[6]) and float(words[5]) != 0
            place = (self.file, number, words[5]) if periodic else None
            self.unread.impropers.row(words[:4], place)

    def _cmap(self, number: int, words: list[str]) -> None:
        if is_plain(words[0]):
            self.map_held += len(words)
            for word in words:
                self.found.number(self.file, number, word, "CMAP")
            return
        self._end_of_map()
        if len(words) < 9 or not is_whole(words[8]):
            limit = "8 types and a number, or the values of a map"
            self.tell(number, "is no head of a map", " ".join(words), limit, _cut)
        elif wrong := why_no_table(int(words[8])):
            self.tell(number, wrong, " ".join(words), sizes_of_files, other_size)
        else:
            self.map_line, self.map_size, self.map_held = number, int(words[8]), 0

    def _end_of_map(self) -> None:
        if self.map_size and self.map_held != self.map_size**2:
            what = f"holds {self.map_held:,} of {self.map_size**2:,} energies"
            self.tell(self.map_line, what, f"CMAP table {self.map_size}", hint=_cut)
        self.map_size = 0

    def _nonbonded(self, number: int, words: list[str]) -> None:
        option = words[0][:4]
        if (
            not self.began
            and len(words) > 1
            and (option in _distances or option in ("E14F", "NBXM"))
        ):
            hint = "end the line before it with a -; CHARMM and its readers ignore it"
            self.tell(number, "is an option on a line of its own", " ".join(words), hint=hint)
            return
        self.began = True
        if self._row(number, words, 1, (3, 6)) and float(words[2]) > 0:
            hint = "a positive depth means Slater-Kirkwood, which is not read"
            self.tell(number, "is not supported", f"epsilon {words[2]}", "0 or less", hint)

    def _nbfix(self, number: int, words: list[str]) -> None:
        self._row(number, words, 2, (2, 4))

    def _thole(self, number: int, words: list[str]) -> None:
        self._row(number, words, 2, (1,))

    def _hbond(self, number: int, words: list[str]) -> None:
        hint = "terms of hydrogen bonds are not read; take them out"
        self.tell(number, "is not supported", " ".join(words), hint=hint)
