# SPDX-License-Identifier: BSD-3-Clause
"""The ready-made systems of openmmtools, by name."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
import importlib.util
import inspect
import io
import logging
import sys
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.coordinates import read_coordinates
from finegrain.classical.input.source import (
    Source,
    box_in_nm,
    chosen_constraints,
    fail,
    in_nm,
    names_of,
    serialise,
)
from finegrain.errors import nearest
from finegrain.words.library_errors import said

_key, _systems = "system.topology", "openmmtools.testsystems"


def read_test_system(given: Input) -> Source:
    """Make the test system; its own settings are used where the input gives none."""
    name = given.model.system.topology.partition(":")[2].strip()
    with _quiet(), _test_systems(given) as module:
        kind = getattr(module, name, None)
        if not (inspect.isclass(kind) and issubclass(kind, module.TestSystem)):
            close = nearest(name, {item.lower() for item in _names(module)})
            real = {item.lower(): item for item in _names(module)}
            hint = f"did you mean openmmtools:{real[close]}?" if close else ""
            raise fail(given, _key, "openmmtools has no such system", hint=hint)
        try:
            made = _made(name, **_arguments(given, kind))
        except Exception as error:
            hint = "is openmmtools complete? try pip install --force-reinstall openmmtools"
            raise fail(given, _key, "cannot be made", limit=said(error), hint=hint) from error
        if given.model.system.coordinates is None:
            return dataclasses.replace(made, position=made.position.copy())
        found = read_coordinates(given, given.path_of(given.model.system.coordinates))
        return dataclasses.replace(
            made,
            position=found.position,
            velocity=found.velocity,
            box=found.box if made.box is not None else None,
        )


@functools.lru_cache(maxsize=2)  # each stage of a run asks for the same
def _made(name: str, **arguments: Any) -> Source:
    made: Any = getattr(importlib.import_module(_systems), name)(**arguments)
    vectors = made.system.getDefaultPeriodicBoxVectors()
    periodic = made.system.usesPeriodicBoundaryConditions()
    return Source(
        "openmm",
        True,
        serialise(made.system),
        names_of(made.topology),
        np.asarray(in_nm(made.positions)),
        None,
        box_in_nm(vectors) if periodic else None,
    )


@contextlib.contextmanager
def _test_systems(given: Input) -> Iterator[ModuleType]:
    """Let the block have openmmtools.testsystems without what the package imports besides.

    That is a second of statistics and sampling. A later import of the package finds it whole.
    """
    package = _systems.partition(".")[0]
    found = None if package in sys.modules else importlib.util.find_spec(package)
    if found is not None:
        sys.modules[package] = importlib.util.module_from_spec(found)
    try:
        try:
            module = importlib.import_module(_systems)
        except ImportError:
            hint = "install it: pip install openmmtools"
            raise fail(given, _key, "openmmtools is not installed", hint=hint) from None
        yield module
    finally:
        if found is not None:
            sys.modules.pop(package, None)


def _names(module: ModuleType) -> list[str]:
    return [
        name
        for name, item in vars(module).items()
        if inspect.isclass(item) and issubclass(item, module.TestSystem)
    ]


def _arguments(given: Input, kind: type[Any]) -> dict[str, Any]:
    """Pass the input's constraints on to a test system that accepts them."""
    known = inspect.signature(kind.__init__).parameters
    forces = given.model.forces
    constraints, rigid = chosen_constraints(given)
    arguments: dict[str, Any] = {}
    if forces.constraints is not None and "constraints" in known:
        arguments["constraints"] = constraints
    if forces.rigid_water is not None:
        for name in ("rigid_water", "constrained"):
            if name in known:
                arguments[name] = rigid
    return arguments


@contextlib.contextmanager
def _quiet() -> Any:
    """Suppress what openmmtools and its dependencies print at import."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
