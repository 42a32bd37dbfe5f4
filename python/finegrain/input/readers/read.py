# SPDX-License-Identifier: BSD-3-Clause
"""The choice of the reader for each kind of topology."""

from __future__ import annotations

import importlib
from pathlib import Path

from finegrain.errors import InputError, ResourceError
from finegrain.input.load import Input
from finegrain.input.readers.kinds import refuse_another_kind
from finegrain.input.readers.source import Source, fail, missing_files

_modules = {
    ".prmtop": "amber.read_amber",
    ".parm7": "amber.read_amber",
    ".psf": "charmm.read_charmm",
    ".top": "gromacs.read_gromacs",
    ".pdb": "forcefield.read_with_force_field",
    ".cif": "forcefield.read_with_force_field",
    ".pdbx": "forcefield.read_with_force_field",
    ".xml": "openmm_system.read_openmm_system",
}


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
    suffix = Path(topology).suffix.lower()
    if topology.startswith("openmmtools:"):
        reader = "test_systems.read_test_system"
    elif suffix in _modules:
        reader = _modules[suffix]
    else:
        hint = f'{", ".join(_modules)}, or "openmmtools:NAME"'
        raise fail(given, "system.topology", "unknown kind of file", hint=hint)
    try:
        import openmm  # noqa: F401 - the message is ours
    except ImportError:
        raise ResourceError(
            "OpenMM, which reads molecular files, is not installed", hint="pip install openmm"
        ) from None
    if not topology.startswith("openmmtools:"):
        refuse_another_kind(given, "system.topology", given.path_of(topology))
    # Readers are loaded only when they are needed, because OpenMM takes a while to load.
    module, _, function = reader.partition(".")
    read = getattr(importlib.import_module(f"finegrain.input.readers.{module}"), function)
    source: Source = read(given)
    return source
