# SPDX-License-Identifier: BSD-3-Clause
"""The choice of the reader for each kind of topology."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from finegrain.base.garbage import without_search
from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.kinds import refuse_another_kind
from finegrain.classical.input.source import Source, fail, missing_files
from finegrain.errors import InputError, ResourceError

# The suffixes of topologies. Readers are loaded only when they are needed, because OpenMM takes a
# while to load.
_suffixes = (".prmtop", ".parm7", ".psf", ".top", ".pdb", ".cif", ".pdbx", ".xml")


@without_search()
def read_source(given: Input) -> Source:
    """Read the system that an input names.

    Raises
    ------
    InputError
        For files that are missing, cut short, or do not go together.
    """
    if problems := missing_files(given):
        raise InputError(problems, source=given.source.name)
    topology = given.model.system.topology
    made = topology.startswith("openmmtools:")
    suffix = Path(topology).suffix.lower()
    if not made and suffix not in _suffixes:
        hint = f'{", ".join(_suffixes)}, or "openmmtools:NAME"'
        raise fail(given, "system.topology", "unknown kind of file", hint=hint)
    try:
        import openmm  # noqa: F401 - the message is ours
    except ImportError:
        raise ResourceError(
            "OpenMM, which reads molecular files, is not installed", hint="pip install openmm"
        ) from None
    if made:
        from finegrain.classical.input.readers.test_systems import read_test_system

        return read_test_system(given)
    refuse_another_kind(given, "system.topology", given.path_of(topology))
    return _reader(suffix)(given)


def _reader(suffix: str) -> Callable[[Input], Source]:
    """Return the reader of a kind of topology."""
    if suffix in (".prmtop", ".parm7"):
        from finegrain.classical.input.readers.amber.reader import read_amber

        return read_amber
    if suffix == ".psf":
        from finegrain.classical.input.readers.charmm.reader import read_charmm

        return read_charmm
    if suffix == ".top":
        from finegrain.classical.input.readers.gromacs.reader import read_gromacs

        return read_gromacs
    if suffix == ".xml":
        from finegrain.classical.input.readers.openmm_system import read_openmm_system

        return read_openmm_system
    from finegrain.classical.input.readers.forcefield import read_with_force_field

    return read_with_force_field
