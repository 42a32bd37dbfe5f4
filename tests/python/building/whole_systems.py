# SPDX-License-Identifier: BSD-3-Clause
"""Raw files of whole systems, from packages: lysozyme, its complex, DNA, a helix in a membrane."""

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path

from raw_structures import lines_about, write

Given = tuple[Path, list[str]]  # a raw file, and options of `finegrain prepare`


def data_of(package: str, name: str) -> Path:
    """Return a file of the data of a package; `ModuleNotFoundError` if it is not installed."""
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(package)
    return Path(found.submodule_search_locations[0]) / "data" / name


def lysozyme(folder: Path) -> Given:
    """T4 lysozyme L99A, 162 residues with hydrogens."""
    source = data_of("openmmtools", "T4-lysozyme-L99A-implicit/receptor.pdb")
    return Path(shutil.copy(source, folder / "lysozyme.pdb")), ["--padding", "8 Å"]


def complex_of_lysozyme(folder: Path) -> Given:
    """Return the same with p-xylene, whose bonds are in a MOL2."""
    data = data_of("openmmtools", "T4-lysozyme-L99A-implicit/complex.pdb")
    shutil.copy(data.with_name("ligand.tripos.mol2"), folder / "xylene.mol2")
    source = Path(shutil.copy(data, folder / "complex.pdb"))
    return source, ["--ligand", "TMP=xylene.mol2", "--padding", "8 Å"]


def dna(folder: Path) -> Given:
    """Return the dodecamer of entry 4C64, without its magnesium."""
    source = data_of("openmmtools", "dna_dodecamer_explicit/4c64_no_mg.pdb")
    return Path(shutil.copy(source, folder / "4c64.pdb")), ["--padding", "8 Å"]


def helix(folder: Path) -> Given:
    """Return a turn of a helix of villin, put across the middle of the smallest membrane."""
    source = write(folder / "helix.pdb", lines_about(0.0))
    return source, ["--membrane", "DLPC", "--padding", "5 Å"]


SYSTEMS: dict[str, Callable[[Path], Given]] = {
    "lysozyme": lysozyme,
    "complex": complex_of_lysozyme,
    "dna": dna,
    "helix": helix,
}
