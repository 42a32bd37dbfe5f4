# SPDX-License-Identifier: BSD-3-Clause
"""A GROMACS topology line by line: what it holds, and the problems in it."""

from __future__ import annotations

from collections.abc import Sequence

from finegrain.classical.input.readers.cmap_tables import (
    other_size,
    sizes_of_files,
    why_no_table,
)
from finegrain.classical.input.readers.findings import Findings, cut
from finegrain.classical.input.readers.gromacs import sections
from finegrain.classical.input.readers.gromacs.molecules import (
    AtomType,
    Molecule,
    Term,
    Topology,
)
from finegrain.classical.input.readers.gromacs.text import Line
from finegrain.classical.input.readers.gromacs.types import any_type
from finegrain.classical.input.readers.plain_numbers import is_whole

_most_molecules = 10**9


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
        self.has_defaults = False  # or a problem says that it has not
        self.defaults_seen = False

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
        text = line.text
        name = sections.real_name(text[1:-1] if text.endswith("]") else text)
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

    def _defaults(self, line: Line) -> None:
        words = line.text.split()
        if self.defaults_seen:
            self.tell(line, "is given twice", hint="keep one [ defaults ], that of the force field")
        self.has_defaults = self.defaults_seen = True
        if not 2 <= len(words) <= 6:
            self.tell(line, f"holds {len(words)} of 5 values", hint=cut)
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
        self.topology.rule = int(rule) if rule in ("1", "2", "3") else 1

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
        names = words[1 : kind - 2]  # the bonded type, the atomic number, both, or neither
        bonded = names.pop(0) if names and (len(names) == 2 or names[0][0].isalpha()) else words[0]
        number = names[0] if names else None
        self.topology.atom_types[words[0]] = AtomType(words[0], bonded, number, *words[kind - 2 :])

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

    def _atoms(self, line: Line) -> None:
        assert self.molecule is not None
        words = line.text.split()
        if not 6 <= len(words) <= 11:
            what = "is no atom: number, type, residue, its name, atom, charge group, charge, mass"
            self.tell(line, what, hint=cut)
            return
        expected = len(self.molecule.rows) + 1
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
        self.molecule.rows.append(words)

    def _exclusions(self, line: Line) -> None:
        assert self.molecule is not None
        words = line.text.split()
        if len(words) < 2:
            self.tell(line, "holds fewer than two atoms", hint=cut)
        self._term(line, words, "1", ())

    def _term(
        self, line: Line, words: Sequence[str], function: str, numbers: tuple[str, ...]
    ) -> None:
        """Add a term of the molecule, whose atoms are these words."""
        assert self.molecule is not None
        place = line.file, line.number
        if all(self.found.number(*place, word, "atom", whole=True) for word in words):
            term = Term(self.section, tuple(map(int, words)), function, numbers, line)
            self.molecule.terms.append(term)

    def _supports(self, line: Line, function: str) -> bool:
        """Return whether a function of this section is read; tell it otherwise."""
        known = (sections.types | sections.terms)[self.section].functions
        if function not in known:
            limit = f"functions {', '.join(known)}"
            hint = "this function of GROMACS is not read; use one of those"
            what = f"[ {self.section} ] function {function}"
            self.tell(line, "is not supported", what, limit, hint)
        return function in known

    def _terms(self, line: Line) -> None:
        of_types = self.section in sections.types
        spec = sections.types[self.section] if of_types else sections.terms[self.section]
        words, heads = line.text.split(), spec.heads
        if self.section == "dihedraltypes" and len(words) > 2 and words[2] in "123459":
            # Only two types are given: the outer ones for function 2, else those in the middle.
            outer = [words[0], any_type, any_type, words[1]]
            inner = [any_type, *words[:2], any_type]
            words = [*(outer if words[2] == "2" else inner), *words[2:]]
        if len(words) == heads and not of_types:
            words.append("1")  # what GROMACS takes for a function that is not given
        if len(words) <= heads:
            self.tell(line, f"holds {len(words)} of {heads + 1} columns", hint=cut)
            return
        function, numbers = words[heads], tuple(words[heads + 1 :])
        if not self._supports(line, function):
            return
        counts = spec.functions[function]
        plain = [self.found.number(line.file, line.number, word) for word in numbers]
        if counts and len(numbers) not in counts:
            usual = " or ".join(str(count) for count in counts)
            self.tell(line, f"holds {len(numbers)} parameters", limit=usual, hint=cut)
            return
        torsion = self.section.startswith("dihedral") and function in ("1", "4", "9")
        if torsion and len(numbers) >= 3 and not is_whole(_without_zeros(numbers[2])):
            self.tell(line, "is not a whole number", f"multiplicity {numbers[2]}", hint="such as 2")
        if not all(plain):
            return
        if of_types:
            self._type(line, tuple(words[:heads]), function, numbers)
        else:
            self._term(line, words[:heads], function, numbers)

    def _type(
        self, line: Line, types: tuple[str, ...], function: str, numbers: tuple[str, ...]
    ) -> None:
        topology = self.topology
        if self.section == "pairtypes":
            for pair in (types, types[::-1]):
                topology.pair_types[pair] = numbers, line
        elif self.section == "nonbond_params":
            topology.special[tuple(sorted(types))] = numbers, line
        elif other := topology.types.add(self.section, function, types, numbers, line):
            what = "is a second block of function 9 for the same types"
            hint = f"the other is at {other.file}:{other.number}; put all their lines together"
            self.tell(line, what, hint=hint)

    def _virtual_sitesn(self, line: Line) -> None:
        words = line.text.split()
        if len(words) < 3:
            self.tell(line, "is no site: site, function, and atoms that it follows", hint=cut)
        elif self._supports(line, words[1]):
            weighted = words[1] == "3"
            atoms, weights = (words[2::2], words[3::2]) if weighted else (words[2:], [])
            if weighted and len(atoms) != len(weights):
                self.tell(line, "names an atom without a weight", hint="atom weight atom weight …")
                return
            good = [self.found.number(line.file, line.number, word) for word in weights]
            if all(good):
                self._term(line, (words[0], *atoms), words[1], tuple(weights))

    def _cmaptypes(self, line: Line) -> None:
        words = line.text.split()
        values = words[8:]
        if len(words) < 8 or not (is_whole(words[6]) and is_whole(words[7])):
            what = "is no CMAP table: five types, function 1, two sizes, energies"
            self.tell(line, what, hint=cut)
            return
        size, other = int(words[6]), int(words[7])
        shown = f"[ cmaptypes ] {' '.join(words[:8])}"
        if not self._supports(line, words[5]):
            return
        if size != other:
            hint = "use a table with as many steps of one dihedral as of the other"
            self.tell(line, "is not supported: a CMAP table that is not square", shown, hint=hint)
        elif wrong := why_no_table(size):
            self.tell(line, wrong, shown, sizes_of_files, other_size)
        elif len(values) != size**2:
            what = f"holds {len(values):,} of {size**2:,} energies"
            self.tell(line, what, shown, hint=cut)
        else:
            for word in values:
                self.found.number(line.file, line.number, word, "CMAP")
            self.topology.cmap_types.setdefault(tuple(words[:5]), words)

    def _system(self, line: Line) -> None:
        pass  # a title, which OpenMM does not need

    def _molecules(self, line: Line) -> None:
        words = line.text.split()
        if len(words) != 2:
            self.tell(
                line, "is no count: the name of a molecule, and how many", hint="such as SOL 1000"
            )
        elif self.found.number(line.file, line.number, words[1], "molecules", whole=True):
            count, name = int(words[1]), self._molecule_of(line, words[0])
            if not 0 <= count <= _most_molecules:
                self.tell(line, "is out of range", limit=f"0 to {_most_molecules:,}")
            elif name is not None:
                self.topology.counts.append((name, count, line))

    def _molecule_of(self, line: Line, name: str) -> str | None:
        """Return the molecule type of a name; with another case it must be the only one."""
        molecules = self.topology.molecules
        if name in molecules:
            return name
        close = [other for other in molecules if other.lower() == name.lower()]
        if len(close) == 1:
            return close[0]
        if close:
            hint = f"there are {', '.join(close)}; write one of them with its case"
            self.tell(line, "is no molecule type", name, hint=hint)
        else:
            valid = list(molecules)
            self.found.unknown(line.file, line.number, "is no molecule type", name, valid)
        return None

    def finish(self, file: str) -> Topology:
        """Do the checks that need the whole file; add the problems of used molecules."""
        topology = self.topology
        self._check_types()
        for molecule in topology.used():
            _check_atoms(molecule)
            topology.found.problems += molecule.found.problems
        if not self.has_defaults:
            hint = "include the force field, such as amber99sb.ff/forcefield.itp, first"
            topology.found.add(file, 0, "has no [ defaults ]", hint=hint)
        elif not topology.found.problems and not topology.atoms:
            hint = "a topology ends with [ molecules ] and how many there are of each"
            topology.found.add(file, 0, "holds no molecules", hint=hint)
        return topology

    def _check_types(self) -> None:
        """Find types that no atom type has; grompp refuses them too."""
        topology = self.topology
        atoms = set(topology.atom_types)
        bonded = {kind.bonded for kind in topology.atom_types.values()} | {any_type}
        rows = [
            (pair, line, atoms)
            for table in (topology.pair_types, topology.special)
            for pair, (_, line) in table.items()
        ]
        rows += [(types, line, bonded) for types, line in topology.types.rows()]
        for types, line, known in rows:
            for unknown in (kind for kind in types if kind not in known):
                hint = "is the force field included that has it?"
                topology.found.add(line.file, line.number, "is no atom type", unknown, hint=hint)


def _without_zeros(word: str) -> str:
    return word.rstrip("0").removesuffix(".") or "0" if "." in word else word


def _check_atoms(molecule: Molecule) -> None:
    """Find atoms that the molecule does not have, and terms that name an atom twice."""
    count = len(molecule.rows)
    if count == 0:
        line = molecule.line
        molecule.found.add(line.file, line.number, "has no atoms", molecule.name, hint=cut)
        return
    seen: dict[tuple[str, tuple[int, ...]], Line] = {}
    for term in molecule.terms:
        atoms, line = term.atoms, term.line
        last = atoms[0] + 2 if term.section == "settles" else max(atoms)
        value = f"[ {term.section} ] {line.text}"
        if min(atoms) < 1 or last > count:
            limit = f"atoms 1 to {count:,} of {molecule.name}"
            molecule.found.add(line.file, line.number, "names no atom", value, limit, cut)
        elif term.section != "exclusions" and len(set(atoms)) < len(atoms):
            molecule.found.add(line.file, line.number, "names an atom twice", value, hint=cut)
        once = tuple(sorted(atoms)) if term.section == "pairs" else atoms[:1]
        if term.section != "pairs" and term.section not in sections.sites:
            continue
        kind = "pairs" if term.section == "pairs" else "site"
        if other := seen.get((kind, once)):
            hint = f"the other is on line {other.number}"
            hint += "; GROMACS would add both" if kind == "pairs" else ""
            molecule.found.add(line.file, line.number, "is given twice", line.text, hint=hint)
        seen[kind, once] = line
