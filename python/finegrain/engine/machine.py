# SPDX-License-Identifier: BSD-3-Clause
"""The description of a machine that is stored with a timing."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from pathlib import Path
from typing import Any

from finegrain.engine.engine import usable_cores

# The flags that decide which kernels run; the whole list is too long to read.
_SIMD_FLAGS = ("sse4_1", "sse4_2", "avx", "avx2", "fma", "avx512f", "avx512vl", "asimd", "sve")
_PACKAGES = ("ase", "numpy", "h5py", "openmm", "openmmtools", "typer", "rich")


def package_version(name: str) -> str | None:
    """Return the version of an installed Python package; None if it is not installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def version() -> str:
    """Return the version of finegrain."""
    return package_version("finegrain") or "not installed"


def cpu_info() -> dict[str, str]:
    """Return the entries of the first processor in /proc/cpuinfo; empty if there are none."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return {}
    first = text.split("\n\n", 1)[0]
    pairs = (line.partition(":") for line in first.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


def simd_flags() -> list[str]:
    """Return the flags of the processor that decide which kernels run."""
    info = cpu_info()
    flags = set((info.get("flags") or info.get("Features") or "").split())
    return [flag for flag in _SIMD_FLAGS if flag in flags]


def fingerprint(engine: dict[str, Any] | None = None) -> dict[str, Any]:
    """Describe the machine and the software.

    Parameters
    ----------
    engine : dict, optional
        The engine's own description (``_engine.doctor()``): compiler, SIMD targets, libraries.

    Returns
    -------
    dict
        ``cpu, cores, usable_cores, simd_flags, memory_bytes, system, python, packages`` and, if
        given, ``engine``. Nothing in it identifies the host or the user.
    """
    info = cpu_info()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    versions = {name: package_version(name) for name in _PACKAGES}
    packages = {name: installed for name, installed in versions.items() if installed}
    found: dict[str, Any] = {
        "cpu": info.get("model name") or platform.processor() or platform.machine(),
        "cpu_family": info.get("cpu family", ""),
        "cpu_model": info.get("model", ""),
        "cores": os.cpu_count() or 1,
        "usable_cores": usable_cores(),
        "simd_flags": simd_flags(),
        "memory_bytes": memory,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "finegrain": version(),
        "packages": packages,
    }
    if engine is not None:
        found["engine"] = dict(engine)
    return found
