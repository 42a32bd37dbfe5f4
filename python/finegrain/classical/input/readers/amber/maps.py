# SPDX-License-Identifier: BSD-3-Clause
"""Checks of what AMBER topologies have of CHARMM: harmonic impropers, and CMAP terms and tables.

References
----------
Crowley, Williamson, Walker, Int. J. Quantum Chem. 109, 3767 (2009), doi:10.1002/qua.22372.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from finegrain.classical.input.readers.amber.sections import Section, SectionChecks, not_whole
from finegrain.classical.input.readers.cmap_tables import (
    other_size,
    sizes_of_files,
    why_no_table,
)
from finegrain.classical.input.readers.findings import Findings, cut
from finegrain.classical.input.readers.plain_numbers import is_plain, is_whole


def check_charmm_terms(
    found: Findings, file: str, sections: Mapping[str, Section], atoms: int
) -> None:
    """Add the problems of impropers and of CMAP terms to `found`; numbers are checked already."""
    looked = _Look(found, file, sections, atoms)
    looked.impropers()
    for prefix in ("", "CHARMM_"):
        if f"{prefix}CMAP_COUNT" in sections:
            looked.maps(f"{prefix}CMAP_")


@dataclass
class _Look(SectionChecks):
    atoms: int

    def impropers(self) -> None:
        """Check harmonic impropers."""
        if "CHARMM_IMPROPERS" not in self.sections:
            return
        counts = self._counts("CHARMM_NUM_IMPROPERS", 1), self._counts("CHARMM_NUM_IMPR_TYPES", 1)
        if not all(counts):
            return
        (terms,), (kinds,) = counts
        self.length("CHARMM_IMPROPER_FORCE_CONSTANT", kinds)
        if self.length("CHARMM_IMPROPERS", 5 * terms):
            self._numbers("CHARMM_IMPROPERS", 5, kinds)
        if not self.length("CHARMM_IMPROPER_PHASE", kinds):
            return
        phases = self.sections["CHARMM_IMPROPER_PHASE"]
        for value, line in zip(phases.values, phases.lines, strict=True):
            if is_plain(value) and float(value) != 0:
                hint = "OpenMM takes these degrees for radians; use the PSF and its parameters"
                shown = f"{phases.name} {value}"
                self.found.add(self.file, line, "is not supported", shown, "0", hint)

    def maps(self, start: str) -> None:
        """Check CMAP terms and their tables."""
        counts = self._counts(f"{start}COUNT", 2)
        if not counts:
            return
        terms, tables = counts
        if self.length(f"{start}INDEX", 6 * terms):
            self._numbers(f"{start}INDEX", 6, tables)
        if not self.length(f"{start}RESOLUTION", tables):
            return
        sizes = self.sections[f"{start}RESOLUTION"]
        for place, (value, line) in enumerate(zip(sizes.values, sizes.lines, strict=True)):
            if not is_whole(value):
                continue
            if wrong := why_no_table(int(value)):
                shown = f"{sizes.name} {value}"
                self.found.add(self.file, line, wrong, shown, sizes_of_files, other_size)
            else:
                self.length(f"{start}PARAMETER_{place + 1:02d}", int(value) ** 2)

    def _counts(self, name: str, least: int) -> list[int]:
        """Return the first numbers of a section, 0 or more; nothing if one is missing."""
        section = self.sections.get(name)
        words = section.values[:least] if section else []
        if len(words) < least or not all(is_whole(word) and int(word) >= 0 for word in words):
            line = section.line if section else 0
            limit = f"section {name} does not hold {least} counts"
            self.found.add(self.file, line, not_whole, name, limit, cut)
            return []
        return [int(word) for word in words]

    def _numbers(self, name: str, each: int, kinds: int) -> None:
        """Check rows of atoms, whose last number is a kind; both count from 1."""
        for place in range(each):
            most = kinds if place == each - 1 else self.atoms
            self.within(name, 1, most, place, each, signs=False)
