# SPDX-License-Identifier: BSD-3-Clause
"""The engine's ground state of a system of the plain program, by way of an input and its job."""

from pathlib import Path

import numpy as np
from plain_kohn_sham import System
from pseudo_files import cp2k_text

import finegrain as fg
from finegrain import units
from finegrain.ab_initio.states.ground_state import GroundState
from finegrain.pseudopotentials import Pseudopotential

_names = {"PZ": "PZ81"}


def _numbers(values: np.ndarray) -> str:
    """Write numbers with all their digits."""
    return " ".join(repr(float(x)) for x in np.ravel(values))


def structure_text(system: System) -> str:
    """Return the structure as extended XYZ."""
    angstrom = units.bohr_in_angstrom
    rows = zip(system.elements, system.positions * angstrom, strict=True)
    return (
        f'{len(system.elements)}\nLattice="{_numbers(system.vectors * angstrom)}" '
        'Properties=species:S:1:pos:R:3 pbc="T T T"\n'
        + "".join(f"{element} {_numbers(row)}\n" for element, row in rows)
    )


def _file(pseudo: Pseudopotential, folder: Path) -> str:
    """Return a file for a pseudopotential, and for a collection only the entry that is meant."""
    if pseudo.form != "GTH":
        return str(pseudo.path)
    (folder / pseudo.element).write_text(cp2k_text(pseudo))
    return pseudo.element


def _spin_lines(system: System) -> tuple[str, ...]:
    if system.magnetization is None:
        return ()
    return 'spin = "collinear"', f"multiplicity = {system.magnetization + 1}"


def input_text(system: System, folder: Path, *more: str) -> str:
    """Return an input, and write the pseudopotentials that it names.

    Parameters
    ----------
    more : str
        Lines for further sections.
    """
    files = ", ".join(
        f'{element} = "{_file(pseudo, folder)}"'
        for element, pseudo in system.pseudopotentials.items()
    )
    lines = (
        "[system]",
        'kind = "ab-initio"',
        'structure = "system.xyz"',
        f'boundary = "{"isolated" if system.isolated else "periodic"}"',
        "[electrons]",
        f'cutoff = "{2 * system.cutoff!r} Ry"',
        f'functional = "{_names.get(system.functional, system.functional)}"',
        f"pseudopotentials = {{ {files} }}",
        f"grid = {[*map(int, system.grid)]}",
        *_spin_lines(system),
        f'gradient_thresholds = "{"quantum-espresso" if system.pw_rules else "off"}"',
        f'negative_density = "{"mirrored" if system.pw_rules else "none"}"',
        "allow_low_cutoff = true",
        "allow_other_functional = true",
        *more,
    )
    return "\n".join(lines) + "\n"


def engine_input(system: System, folder: Path, *more: str) -> Path:
    """Write an input and its files into a folder, and return its path."""
    (folder / "system.xyz").write_text(structure_text(system))
    source = folder / "system.toml"
    source.write_text(input_text(system, folder, *more))
    return source


def engine_ground_state(system: System, folder: Path, *more: str, pes: int = 1) -> GroundState:
    """Run the engine in this process and read its results."""
    run = fg.run(engine_input(system, folder, *more), folder / "run", pes=pes)
    return run.ground_state()
