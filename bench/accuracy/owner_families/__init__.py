# SPDX-License-Identifier: BSD-3-Clause
"""The families of inputs: each module of this folder that has a `FAMILY` is one."""

from __future__ import annotations

import importlib
import pkgutil

from owner_families.family import Family


def families() -> dict[str, Family]:
    """Return the families by the names of their modules, in the order of the alphabet."""
    found = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda one: one.name):
        family = getattr(importlib.import_module(f"{__name__}.{module.name}"), "FAMILY", None)
        if family is not None:
            found[module.name] = family
    return found
