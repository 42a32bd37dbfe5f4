# SPDX-License-Identifier: BSD-3-Clause
"""CHARMM parameters and masses as text; `files.py` finds the files that hold them.

Two of the options of NONBONDED have an effect; others are known, or refused. A line outside the
sections is refused.

References
----------
CHARMM documentation, "parmfile.doc" and "nbonds.doc".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from finegrain.classical.input.readers.charmm.commands import check_command
from finegrain.classical.input.readers.charmm.force_field import (
    ForceField,
    Mixing,
    Types,
    either_way,
)
from finegrain.classical.input.readers.cmap_tables import (
    other_size,
    sizes_of_files,
    why_no_table,
)
from finegrain.classical.input.readers.findings import Findings, cut
from finegrain.classical.input.readers.plain_numbers import is_plain, is_whole

# The beginning of a section's first line; the section; its full name.
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
class Read:
    """What was read of the files of parameters.

    Attributes
    ----------
    mixing : the rule for radii
    switched : the first file that asks for a switched force (VFSWITCH), or empty
    distances : by the four letters of CTOFNB and CTONNB, the last file that has it and its Å
    thole : the first file with parameters of polarisable atoms (THOLE), or empty
    """

    force_field: ForceField = field(default_factory=ForceField)
    mixing: Mixing = field(default_factory=Mixing)
    switched: str = ""
    distances: dict[str, tuple[str, float]] = field(default_factory=dict)
    thole: str = ""


def comment_of(number: int, line: str) -> int:
    """Return where the comment of a line begins."""
    del number
    return 0 if line.lstrip().startswith("*") else len(line.partition("!")[0])


Lines = Iterator[tuple[int, str]]


def joined(lines: Sequence[str], first: int) -> Lines:
    """Yield lines in capitals with their numbers: without comments, continued lines joined.

    Lines of a title begin with a star; a rule of dashes in one continues nothing.
    """
    start, before = 0, ""
    for number, raw in enumerate(lines, start=first):
        if not before and raw.lstrip().startswith("*"):
            continue
        start = start or number
        line = (before + raw.partition("!")[0].strip()).upper()
        before = ""
        if line.endswith("-"):
            before = line[:-1]
            continue
        if line:
            yield start, line
        start = 0


def read_masses(found: Findings, file: str, lines: Lines, read: Read) -> None:
    """Read the masses; residues have no effect, because the PSF contains them already."""
    for number, line in lines:
        words = line.split()
        if words[0] == "MASS":
            _read_mass(found, file, number, words, read)


def _read_mass(found: Findings, file: str, number: int, words: list[str], read: Read) -> None:
    if len(words) < 4:
        found.add(file, number, f"holds {len(words)} of 4 columns", " ".join(words), hint=cut)
        return
    whole = found.number(file, number, words[1], "MASS", whole=True)
    if found.number(file, number, words[3], "mass") and whole:
        read.force_field.mass(words)


class Parameters:
    """Reads a file of parameters line by line, and knows the section of the next line."""

    def __init__(self, found: Findings, file: str, read: Read) -> None:
        self.found, self.file, self.state = found, file, read
        self.rows = read.force_field
        self.section = ""
        self.began = False  # whether NONBONDED has had an atom type
        self.lost = False  # whether a line of no section was already reported
        self.map_line, self.map_size = 0, 0  # of the last CMAP table
        self.map_types: Types = ()
        self.map_energies: list[float] = []

    def tell(self, number: int, what: str, value: str, limit: str = "", hint: str = "") -> None:
        """Add a problem of a line."""
        self.found.add(self.file, number, what, value, limit, hint)

    def read(self, lines: Lines) -> None:
        """Read all lines."""
        for number, line in lines:
            words = line.split()
            head = next((head for head in _heads if words[0].startswith(head)), "")
            if head:
                self._end_of_map()
                self.rows.begin_section()
                (self.section, whole), self.lost = _heads[head], False
                self.began = False
                if not whole.startswith(words[0].removesuffix("S")):
                    what, hint = (
                        "would be taken for the head of a section",
                        f"did you mean {whole}?",
                    )
                    self.tell(number, what, words[0], hint=hint)
                elif self.section == "nonbonded":
                    self._options(number, words[1:])
            elif not self.section:
                if not self.lost:
                    self.lost = not check_command(self.found, self.file, number, words)
            else:
                getattr(self, f"_{self.section}")(number, words)
        self._end_of_map()

    def _options(self, number: int, words: list[str]) -> None:
        self.state.mixing.options(self.file, number, words)
        if any(word.startswith("VFSW") for word in words):
            self.state.switched = self.state.switched or self.file
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
                if key in _distances:
                    self.state.distances[key] = self.file, float(value)
                if key == "NBXM" and not 1 <= abs(int(value)) <= 5:
                    self.tell(number, "is not supported", f"{word} {value}", "1 to 5", "5 is usual")
                elif key == "NBXM":
                    self.rows.exclusions = int(value)
                if key == "E14F":
                    self.rows.factor_14 = float(value)
                if key == "EPS" and float(value) != 1:
                    hint = "a dielectric constant other than that of the vacuum is not read"
                    self.tell(number, "is not supported", f"{word} {value}", "1", hint)
            elif key not in _lists:
                valid = ["NBXMOD", "ATOM", "CDIEL", "SHIFT", "FSHIFT", "SWITCH", "FSWITCH", "VATOM"]
                valid += ["VDISTANCE", "VSHIFT", "VSWITCH", "VFSWITCH", "CUTNB", "CTOFNB", "CTONNB"]
                valid += ["EPS", "E14FAC", "WMIN"]
                what = "is not a known option of NONBONDED"
                self.found.unknown(self.file, number, what, word, valid)

    def _row(
        self, number: int, words: list[str], types: int, counts: tuple[int, ...]
    ) -> tuple[float, ...]:
        """Return the numbers of a row behind its types; their number must be one of `counts`."""
        behind = words[types:]
        held = next((i for i, word in enumerate(behind) if not is_plain(word)), len(behind))
        if held < len(behind) and held < counts[-1]:
            self.found.number(self.file, number, behind[held], self.section)
        elif held in counts or held > counts[-1]:
            return tuple(float(word) for word in behind[: min(held, counts[-1])])
        else:
            wanted = " or ".join(str(count) for count in counts)
            what = f"holds {len(behind)} numbers"
            self.tell(number, what, " ".join(words), f"{wanted} behind {types} types", cut)
        return ()

    def _atoms(self, number: int, words: list[str]) -> None:
        if words[0] == "MASS":
            _read_mass(self.found, self.file, number, words, self.state)
        else:
            self.tell(number, "stands in ATOMS and is no MASS", " ".join(words), hint=cut)

    def _bonds(self, number: int, words: list[str]) -> None:
        if row := self._row(number, words, 2, (2,)):
            self.rows.bonds[either_way(words[:2])] = (row[0], row[1])

    def _angles(self, number: int, words: list[str]) -> None:
        if row := self._row(number, words, 3, (2, 4)):
            self.rows.angles[either_way(words[:3])] = row

    def _dihedrals(self, number: int, words: list[str]) -> None:
        if row := self._row(number, words, 4, (3,)):
            multiplicity = row[1]
            if multiplicity != int(multiplicity) or not 1 <= multiplicity <= 6:
                hint = "0 means an improper, below 0 means that more terms follow; both are refused"
                self.tell(number, "is not supported", f"multiplicity {words[5]}", "1 to 6", hint)
            else:
                self.rows.dihedral(words[:4], words[4:7], (self.file, number))

    def _improper(self, number: int, words: list[str]) -> None:
        row = self._row(number, words, 4, (2, 3))
        if len(row) == 2 and row[1] != 0:
            limit = "force constant, multiplicity 0, angle"
            self.tell(number, "holds 2 of 3 numbers", " ".join(words), limit, cut)
        elif row:
            angle = row[2] if len(row) > 2 else 0.0
            kept = (row[0], row[1], angle, (self.file, number))
            self.rows.impropers[either_way(words[:4])] = kept

    def _cmap(self, number: int, words: list[str]) -> None:
        if is_plain(words[0]):
            whole = [self.found.number(self.file, number, word, "CMAP") for word in words]
            if all(whole):
                self.map_energies += [float(word) for word in words]
            return
        self._end_of_map()
        if len(words) < 9 or not is_whole(words[8]):
            limit = "8 types and a number, or the values of a map"
            self.tell(number, "is no head of a map", " ".join(words), limit, cut)
        elif wrong := why_no_table(int(words[8])):
            self.tell(number, wrong, " ".join(words), sizes_of_files, other_size)
        else:
            self.map_line, self.map_size, self.map_energies = number, int(words[8]), []
            self.map_types = either_way(words[:4]) + either_way(words[4:8])

    def _end_of_map(self) -> None:
        held = len(self.map_energies)
        if self.map_size and held != self.map_size**2 and not self.found.problems:
            what = f"holds {held:,} of {self.map_size**2:,} energies"
            self.tell(self.map_line, what, f"CMAP table {self.map_size}", hint=cut)
        elif self.map_size:
            self.rows.maps[self.map_types] = (self.map_size, self.map_energies)
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
        row = self._row(number, words, 1, (3, 6))
        if row and row[1] > 0:
            hint = "a positive depth means Slater-Kirkwood, which is not read"
            self.tell(number, "is not supported", f"epsilon {words[2]}", "0 or less", hint)
        elif row:
            # The first number of each three is a polarisability, which only matters there.
            self.rows.radii.append((words[0], (*row[1:3], *row[4:6])))

    def _nbfix(self, number: int, words: list[str]) -> None:
        if row := self._row(number, words, 2, (2, 4)):
            self.rows.pairs.append((words[0], words[1], row))

    def _thole(self, number: int, words: list[str]) -> None:
        if self._row(number, words, 2, (1,)):
            self.state.thole = self.state.thole or self.file

    def _hbond(self, number: int, words: list[str]) -> None:
        row = self._row(number, words, 2, (2,))
        if row and row[0] != 0:
            hint = "terms of hydrogen bonds are not read; take them out"
            self.tell(number, "is not supported", " ".join(words), hint=hint)
