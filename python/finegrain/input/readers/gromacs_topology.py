# SPDX-License-Identifier: BSD-3-Clause
"""A GROMACS topology line by line: problems are reported, the rest is simplified for OpenMM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from finegrain.input.readers import gromacs_sections as sections
from finegrain.input.readers.cmap_tables import other_size, sizes_of_files, why_no_table
from finegrain.input.readers.findings import Findings
from finegrain.input.readers.gromacs_text import Line
from finegrain.input.readers.plain_numbers import is_whole

_most_molecules = 10**9
_cut = "the file is cut short or damaged; copy or make it again"


@dataclass
class Molecule:
    """A molecule type.

    Attributes
    ----------
    terms : list of (section, atoms, line)
        Bonds, angles and all other lines that name atoms; atoms are counted from 1.
    found : Findings
        Its problems; ignored if no molecule of the type is used.
    """

    name: str
    exclude: int  # pairs up to this number of bonds apart do not interact
    line: Line
    atoms: list[str] = field(default_factory=list)  # their types
    names: list[str] = field(default_factory=list)
    terms: list[tuple[str, tuple[int, ...], Line]] = field(default_factory=list)
    found: Findings = field(default_factory=Findings)


@dataclass
class Topology:
    """All molecule types, the number of each, and the lines for OpenMM."""

    found: Findings = field(default_factory=Findings)
    molecules: dict[str, Molecule] = field(default_factory=dict)
    counts: list[tuple[str, int, Line]] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    generates_pairs: bool = False
    fudge: tuple[float, float] = (1.0, 1.0)  # of Lennard-Jones and charges, in generated pairs
    pair_types: set[tuple[str, ...]] = field(default_factory=set)  # in both orders
    atom_types: set[str] = field(default_factory=set)

    @property
    def atoms(self) -> int:
        """Number of atoms of the whole system."""
        return sum(count * len(self.molecules[name].atoms) for name, count, _ in self.counts)


def parse(lines: Sequence[Line], file: str) -> Topology:
    """Return the topology; its problems, including those of used molecules, are in `found`."""
    reader = _Reader(Topology())
    for line in lines:
        reader.line(line)
    return reader.finish(file)


class _Reader:
    """Reads the topology line by line, and knows the section and molecule of the next line."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.section = ""
        self.molecule: Molecule | None = None
        self.past_molecules = False
        self.skips = False
        self.has_defaults = False

    @property
    def found(self) -> Findings:
        """The list for new problems: that of the molecule, or that of the whole topology."""
        if self.molecule is not None and not self.past_molecules:
            return self.molecule.found
        return self.topology.found

    def tell(self, line: Line, what: str, value: str = "", limit: str = "", hint: str = "") -> None:
        """Add a problem of a line."""
        self.found.add(line.file, line.number, what, value or line.text, limit, hint)

    def line(self, line: Line) -> None:
        """Process the next line."""
        if line.text.startswith("["):
            self._header(line)
        elif not self.section:
            hint = "a section starts with its name in brackets, as [ defaults ]"
            self.tell(line, "stands before the first section", hint=hint)
            self.section, self.skips = "none", True
        elif not self.skips:
            getattr(self, f"_{self.section}", self._terms)(line)

    def _header(self, line: Line) -> None:
        if not line.text.endswith("]"):
            self.tell(line, "is not the name of a section", hint="such as [ bonds ]")
            self.skips = True
            return
        name = sections.real_name(line.text[1:-1])
        self.section, self.skips = name, name not in sections.known
        if name in ("system", "molecules"):
            self.past_molecules = True
        if name in sections.refused:
            self.tell(line, "is not supported", f"[ {name} ]", hint=sections.refused[name])
        elif name not in sections.known and name not in sections.idle:
            what = "is not a section of GROMACS"
            self.found.unknown(line.file, line.number, what, name, list(sections.known))
        elif (name in sections.heads) and (self.molecule is not None or self.past_molecules):
            hint = "force fields come before the first [ moleculetype ]"
            self.tell(line, "is misplaced", f"[ {name} ]", hint=hint)
        elif name in sections.heads and name != "defaults" and not self.has_defaults:
            hint = "include the force field, such as amber99sb.ff/forcefield.itp, first"
            self.tell(line, "stands before [ defaults ]", f"[ {name} ]", hint=hint)
            self.has_defaults = True
        elif name in sections.of_molecule and (self.molecule is None or self.past_molecules):
            hint = "it belongs after a [ moleculetype ]"
            self.tell(line, "is misplaced", f"[ {name} ]", hint=hint)
            self.skips = True
        if not self.skips:
            self.topology.plain.append(f"[ {name} ]")

    def _defaults(self, line: Line) -> None:
        words = line.text.split()
        if (
            self.has_defaults
            and self.section == "defaults"
            and self.topology.plain[-1] != "[ defaults ]"
        ):
            self.tell(line, "is given twice", hint="keep one [ defaults ], that of the force field")
        self.has_defaults = True
        if not 2 <= len(words) <= 6:
            self.tell(line, f"holds {len(words)} of 5 values", hint=_cut)
            return
        function, rule, generate, lennard_jones, charges = (
            words[:5] + ["no", "1.0", "1.0"][len(words) - 2 :]
        )[:5]
        if function != "1":
            what = "is not supported: Buckingham" if function == "2" else "is no function"
            self.tell(line, what, f"nbfunc {function}", "1, Lennard-Jones")
        if rule not in ("1", "2", "3"):
            limit = "1 or 3, geometric, or 2, Lorentz-Berthelot"
            self.tell(line, "is no rule", f"comb-rule {rule}", limit)
        if generate.lower() not in ("yes", "no"):
            self.tell(
                line, "is neither yes nor no", f"gen-pairs {generate}", hint="write yes or no"
            )
        numbers = ((lennard_jones, "fudgeLJ"), (charges, "fudgeQQ"))
        plain = [self.found.number(line.file, line.number, *number) for number in numbers]
        if all(plain):
            self.topology.fudge = float(lennard_jones), float(charges)
        if len(words) == 6 and words[5] != "12":
            self.tell(line, "is not supported", f"repulsion power {words[5]}", "12")
        self.topology.generates_pairs = generate.lower() == "yes"
        self.topology.plain.append(f"{function} {rule} {generate} {lennard_jones} {charges}")

    def _atomtypes(self, line: Line) -> None:
        words = line.text.split()
        kind = next(
            (i for i in (5, 3, 4) if len(words) > i and len(words[i]) == 1 and words[i].isalpha()),
            0,
        )
        if kind == 0 or len(words) != kind + 3:
            what = "is no atom type: name, bonded type, atomic number, mass, charge, A, two numbers"
            self.tell(line, what, hint="bonded type and atomic number may be missing")
            return
        if words[kind].upper() not in "ADV":
            self.tell(
                line, "is not supported", f"particle type {words[kind]}", "A", "shells are not read"
            )
        for place, name in (
            (kind - 2, "mass"),
            (kind - 1, "charge"),
            (kind + 1, "sigma"),
            (kind + 2, "epsilon"),
        ):
            plain = self.found.number(line.file, line.number, words[place], name)
            if plain and place > kind and float(words[place]) < 0:
                self.tell(line, "must not be negative", f"{name} {words[place]}", "0 or more")
        # OpenMM's reader takes a single character in the fourth column for the particle type.
        for place in (kind - 2, kind - 1):
            words[place] += ".0" if is_whole(words[place]) else ""
        self.topology.atom_types.add(words[0])
        self.topology.plain.append(" ".join(words))

    def _moleculetype(self, line: Line) -> None:
        words = line.text.split()
        self.molecule = None
        if len(words) != 2 or not is_whole(words[1]) or int(words[1]) < 0:
            self.tell(line, "is no molecule type: a name, and nrexcl", hint="such as Protein 3")
            words = [words[0], "3"]
        name = words[0]
        if name in self.topology.molecules:
            first = self.topology.molecules[name].line
            hint = f"the other is at {first.file}:{first.number}; rename one"
            self.tell(line, "is given twice", f"[ moleculetype ] {name}", hint=hint)
        self.molecule = Molecule(name, int(words[1]), line)
        self.topology.molecules[name] = self.molecule
        # With more, OpenMM would leave out scaled pairs; `gromacs_exclusions` sets the exclusions.
        self.topology.plain.append(f"{name} 3")

    def _atoms(self, line: Line) -> None:
        assert self.molecule is not None
        words = line.text.split()
        if not 6 <= len(words) <= 11:
            what = "is no atom: number, type, residue, its name, atom, charge group, charge, mass"
            self.tell(line, what, hint=_cut)
            return
        expected = len(self.molecule.atoms) + 1
        if words[0] != str(expected):
            hint = "number the atoms of a molecule from 1, without gaps"
            self.tell(
                line, "is out of order", f"atom {words[0]}", f"atom {expected} comes next", hint
            )
        if words[1] not in self.topology.atom_types:
            hint = "is the force field included that has it?"
            self.tell(line, "is no atom type", words[1], hint=hint)
        # A line without one of the first words has the charge in its place.
        self.found.number(line.file, line.number, words[5], "charge group", whole=True)
        for place, name in ((6, "charge"), (7, "mass"), (9, "charge B"), (10, "mass B")):
            if len(words) > place:
                self.found.number(line.file, line.number, words[place], name)
        self.molecule.atoms.append(words[1])
        self.molecule.names.append(words[4])
        self.topology.plain.append(line.text)

    def _exclusions(self, line: Line) -> None:
        assert self.molecule is not None
        words = line.text.split()
        if len(words) < 2:
            self.tell(line, "holds fewer than two atoms", hint=_cut)
        elif all(
            self.found.number(line.file, line.number, word, "atom", whole=True) for word in words
        ):
            self.molecule.terms.append(("exclusions", tuple(map(int, words)), line))

    def _terms(self, line: Line) -> None:
        of_types = self.section in sections.types
        spec = sections.types[self.section] if of_types else sections.terms[self.section]
        words, heads = line.text.split(), spec.heads
        if self.section == "dihedraltypes" and len(words) > 2 and words[2] in "123459":
            # Only two atoms are given: of function 2 the outer ones, else those in the middle.
            outer = [words[0], "X", "X", words[1]]
            words = [*(outer if words[2] == "2" else [*"X", *words[:2], *"X"]), *words[2:]]
        if len(words) <= heads:
            self.tell(line, f"holds {len(words)} of {heads + 1} columns", hint=_cut)
            return
        function, numbers = words[heads], words[heads + 1 :]
        if function not in spec.functions:
            limit = f"functions {', '.join(spec.functions)}"
            hint = "this function of GROMACS is not read; use one of those"
            self.tell(
                line, "is not supported", f"[ {self.section} ] function {function}", limit, hint
            )
            return
        counts = spec.functions[function]
        for word in numbers:
            self.found.number(line.file, line.number, word)
        if counts and len(numbers) not in counts:
            usual = " or ".join(str(count) for count in counts)
            self.tell(line, f"holds {len(numbers)} parameters", limit=usual, hint=_cut)
        torsion = self.section.startswith("dihedral") and function in ("1", "4", "9")
        if torsion and len(numbers) >= 3 and not is_whole(_without_zeros(numbers[2])):
            self.tell(line, "is not a whole number", f"multiplicity {numbers[2]}", hint="such as 2")
        if self.section == "pairtypes":
            self.topology.pair_types |= {tuple(words[:2]), tuple(words[1::-1])}
        if not of_types:
            assert self.molecule is not None
            atoms = words[:heads]
            if all(
                self.found.number(line.file, line.number, word, "atom", whole=True)
                for word in atoms
            ):
                self.molecule.terms.append((self.section, tuple(map(int, atoms)), line))
        self.topology.plain.append(" ".join(words))

    def _cmaptypes(self, line: Line) -> None:
        words = line.text.split()
        values = words[8:]
        if len(words) < 8 or not (is_whole(words[6]) and is_whole(words[7])):
            what = "is no CMAP table: five types, function 1, two sizes, energies"
            self.tell(line, what, hint=_cut)
            return
        size, other = int(words[6]), int(words[7])
        shown = f"[ cmaptypes ] {' '.join(words[:8])}"
        if words[5] != "1":
            self.tell(line, "is not supported", f"[ cmaptypes ] function {words[5]}", "function 1")
        elif size != other:
            hint = "use a table with as many steps of one dihedral as of the other"
            self.tell(line, "is not supported: a CMAP table that is not square", shown, hint=hint)
        elif wrong := why_no_table(size):
            self.tell(line, wrong, shown, sizes_of_files, other_size)
        elif len(values) != size**2:
            what = f"holds {len(values):,} of {size**2:,} energies"
            self.tell(line, what, shown, hint=_cut)
        else:
            for word in values:
                self.found.number(line.file, line.number, word, "CMAP")
        self.topology.plain.append(" ".join(words))

    def _system(self, line: Line) -> None:
        pass  # a title, which OpenMM does not need

    def _molecules(self, line: Line) -> None:
        words = line.text.split()
        if len(words) != 2:
            self.tell(
                line, "is no count: the name of a molecule, and how many", hint="such as SOL 1000"
            )
        elif self.found.number(line.file, line.number, words[1], "molecules", whole=True):
            count = int(words[1])
            if words[0] not in self.topology.molecules:
                what = "is no molecule type"
                valid = list(self.topology.molecules)
                self.found.unknown(line.file, line.number, what, words[0], valid)
            elif not 0 <= count <= _most_molecules:
                self.tell(line, "is out of range", limit=f"0 to {_most_molecules:,}")
            else:
                self.topology.counts.append((words[0], count, line))
                self.topology.plain.append(line.text)

    def finish(self, file: str) -> Topology:
        """Do the checks that need the whole file; add the problems of used molecules."""
        topology = self.topology
        used = {name for name, count, _ in topology.counts if count > 0}
        for name in sorted(used):
            molecule = topology.molecules[name]
            _check_atoms(molecule)
            topology.found.problems += molecule.found.problems
        if not self.has_defaults:
            hint = "include the force field, such as amber99sb.ff/forcefield.itp, first"
            topology.found.add(file, 0, "has no [ defaults ]", hint=hint)
        elif not topology.found.problems and not topology.atoms:
            hint = "a topology ends with [ molecules ] and how many there are of each"
            topology.found.add(file, 0, "holds no molecules", hint=hint)
        return topology


def _without_zeros(word: str) -> str:
    return word.rstrip("0").removesuffix(".") or "0" if "." in word else word


def _check_atoms(molecule: Molecule) -> None:
    """Find atoms that the molecule does not have, and terms that name an atom twice."""
    count = len(molecule.atoms)
    if count == 0:
        line = molecule.line
        molecule.found.add(line.file, line.number, "has no atoms", molecule.name, hint=_cut)
        return
    seen: dict[tuple[int, ...], Line] = {}
    for section, atoms, line in molecule.terms:
        last = atoms[0] + 2 if section == "settles" else max(atoms)
        if min(atoms) < 1 or last > count:
            limit = f"atoms 1 to {count:,} of {molecule.name}"
            value = f"[ {section} ] {line.text}"
            molecule.found.add(line.file, line.number, "names no atom", value, limit, _cut)
        elif section != "exclusions" and len(set(atoms)) < len(atoms):
            value = f"[ {section} ] {line.text}"
            molecule.found.add(line.file, line.number, "names an atom twice", value, hint=_cut)
        if section == "pairs":
            pair = tuple(sorted(atoms))
            if pair in seen:
                hint = f"the other is on line {seen[pair].number}; GROMACS would add both"
                molecule.found.add(line.file, line.number, "is given twice", line.text, hint=hint)
            seen[pair] = line
