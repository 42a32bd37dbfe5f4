# SPDX-License-Identifier: BSD-3-Clause
"""Objects of OpenMM and ParmEd in an input that is given in Python.

A System becomes its XML, an AMBER topology of ParmEd its prmtop, and coordinates the XML of a State
with all digits, so that readers find what they find in files.
"""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from finegrain.base import cells
from finegrain.base.garbage import without_search
from finegrain.classical.input.python_coordinates import (
    Placed,
    all_finite,
    box_of,
    coordinates_of,
    of_parmed,
    state_xml,
)
from finegrain.classical.input.source import brought_force_field, in_nm, serialise
from finegrain.errors import FinegrainError
from finegrain.toml_input.from_python import TakenObjects
from finegrain.toml_input.python_values import kind_in_words
from finegrain.words.library_errors import said

_limit = (
    "the name of a file, (System, Topology) or a Simulation of OpenMM, or an AMBER topology of "
    "ParmEd"
)
_state = "state.xml"
_rounding = 1e-4  # nm; a PDB file truncates its box at 0.001 Å


def take_objects(system: Mapping[str, Any]) -> TakenObjects:
    """Take topology and coordinates out of [system], and the box that they bring."""
    taken = TakenObjects(no_files=_brought(system.get("forcefield")))
    topology, given = system.get("topology"), system.get("coordinates")
    brought = Placed()
    if not _is_name(topology):
        try:
            brought = _take_topology(taken, topology)
        except FinegrainError:
            raise
        except Exception as error:  # of libraries, of any kind
            taken.refuse("topology", "cannot be stored", kind_in_words(topology), said(error))
    if _is_name(given) and given is not None:
        return taken
    placed, words = brought, brought.words
    if given is not None:
        found = coordinates_of(taken, given, kind_in_words(given))
        if found is None:
            return taken
        placed, words = found, found.words
        placed.box = brought.box if placed.box is None else placed.box
    key = "topology" if given is None else "coordinates"
    if placed.position is not None and all_finite(taken, key, placed):
        taken.hold("coordinates", _state, state_xml(placed).encode(), words)
    return taken


def _brought(names: Any) -> frozenset[str]:
    """Return the force fields that OpenMM brings, whatever is in the current folder."""
    listed = names if isinstance(names, list | tuple) else []
    return frozenset(one for one in listed if isinstance(one, str) and brought_force_field(one))


def _is_name(value: Any) -> bool:
    return value is None or isinstance(value, str | os.PathLike)


def _is(value: Any, name: str) -> bool:
    """Return whether a value is of a class of OpenMM, which is not imported for that."""
    return any(
        one.__name__ == name and one.__module__.partition(".")[0] in ("openmm", "simtk")
        for one in type(value).__mro__
    )


def _take_topology(taken: TakenObjects, given: Any) -> Placed:
    """Take a topology; return the coordinates and the box that it brings."""
    if _is(given, "Simulation"):
        _take_system(taken, given.system, given.topology)
        return _of_context(given.context)
    if _is(given, "System"):
        return _take_system(taken, given, None)
    if isinstance(given, Sequence):
        systems = [one for one in given if _is(one, "System")]
        named = [one for one in given if _is(one, "Topology")]
        if len(given) == len(systems) + len(named) and len(systems) == 1 and len(named) < 2:
            return _take_system(taken, systems[0], named[0] if named else None)
    if hasattr(given, "write_parm") and hasattr(given, "parm_data"):
        return _take_parm(taken, given)
    hint = ""
    if hasattr(given, "createSystem") and hasattr(given, "coordinates"):  # other topologies
        hint = "make its System: topology = (structure.createSystem(...), structure.topology), "
        hint += "coordinates = structure.positions"
    elif _is(given, "Topology") or hasattr(given, "getTopology"):
        hint = "make its System: topology = (forcefield.createSystem(topology, ...), topology)"
    elif hasattr(given, "get_chemical_symbols"):
        hint = 'atoms of ASE are the structure of an input of kind "ab-initio"'
    taken.refuse("topology", "is no topology", kind_in_words(given), _limit, hint)
    return Placed()


def _take_system(taken: TakenObjects, system: Any, topology: Any) -> Placed:
    count = system.getNumParticles()
    words = f"a System of OpenMM, {count:,} particles"
    box = in_nm(system.getDefaultPeriodicBoxVectors())
    if topology is not None:
        if topology.getNumAtoms() != count:
            what = f"has a Topology of {topology.getNumAtoms():,} atoms"
            limit = f"{count:,}, the particles of its System"
            taken.refuse("topology", what, words, limit, "give the Topology of this System")
            return Placed()
        taken.objects["topology"] = topology
        words = f"a System of OpenMM with its Topology, {count:,} particles"
        other = box_of(topology.getPeriodicBoxVectors())
        periodic = system.usesPeriodicBoundaryConditions()
        if periodic and other is not None and not cells.same_lattice(other, box, _rounding):
            taken.notes.append("the Topology has another box than its System, whose box is taken")
    taken.hold("topology", "system.xml", serialise(system).encode(), words)
    return Placed(box=box)


def _of_context(context: Any) -> Placed:
    state = context.getState(positions=True, velocities=True)
    position = in_nm(state.getPositions(asNumpy=True))
    if len(position) > 1 and not position.any():  # none have been set
        return Placed()
    return Placed(
        position,
        in_nm(state.getVelocities(asNumpy=True)),
        in_nm(state.getPeriodicBoxVectors()),
        "positions and velocities of a Simulation of OpenMM",
    )


def _take_parm(taken: TakenObjects, parm: Any) -> Placed:
    with tempfile.TemporaryDirectory(prefix="finegrain-input-") as folder:
        file = Path(folder) / "topology.prmtop"
        # A copy, as ParmEd changes what it writes. A shallow one would lose changes of atoms and
        # terms, a deep one takes more than twice as long.
        with without_search():
            pickle.loads(pickle.dumps(parm)).write_parm(str(file))
        content = file.read_bytes()
    words = f"an AMBER topology of ParmEd, {len(parm.atoms):,} atoms"
    taken.hold("topology", "topology.prmtop", content, words)
    return of_parmed(parm)
