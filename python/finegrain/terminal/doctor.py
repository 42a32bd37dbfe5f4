# SPDX-License-Identifier: BSD-3-Clause
"""What this installation has and lacks: a list of checks, each failure with its remedy."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import asdict, dataclass
from typing import Any

from finegrain.classical.building.ligands import ambertools
from finegrain.engine import machine
from finegrain.engine.engine import load_engine, usable_cores
from finegrain.engine.mpi import NAMES as MPI_NAMES, find_mpi
from finegrain.errors import InputError, ResourceError
from finegrain.pseudopotentials.finder import default_folders


@dataclass(frozen=True)
class Finding:
    """One line of the list; `needed` marks checks that must pass."""

    name: str
    good: bool
    detail: str
    remedy: str = ""
    needed: bool = True


_OPTIONAL = (
    ("mdtraj", "convert to XTC and PDB", "pip install 'finegrain[convert]'"),
    ("MDAnalysis", "choose atoms in `convert`", "pip install 'finegrain[convert]'"),
    ("pdbfixer", "prepare raw structures", "pip install 'finegrain[prepare]'"),
    ("rdkit", "prepare structures with ligands", "pip install 'finegrain[ligands]'"),
    ("openmmtools", "test systems and `bench dhfr`", "pip install 'finegrain[test-systems]'"),
)
# The ways to divide a run into processes and threads.
_MODES = (
    "one PE per process (--ranks N --pes 1)",
    "several, which drive the network (--ranks N --pes M)",
    "additional communication threads (--comm-threads K)",
)
_REQUIRED = ("ase", "numpy", "h5py", "openmm", "pydantic", "pint", "rich", "typer", "matplotlib")


def examine() -> tuple[list[Finding], dict[str, Any]]:
    """Look at the machine, the engine and the packages.

    Returns
    -------
    findings : list of Finding
        In the order in which to print them.
    fingerprint : dict
        As `machine.fingerprint`, with the engine's own description if it loads.
    """
    findings = [_processor(), _cores()]
    account: dict[str, Any] | None = None
    try:
        account = dict(load_engine().doctor())
    except ResourceError as error:
        detail = error.value.splitlines()[0] if error.value else error.what
        findings.append(Finding("engine", False, detail, "make build"))
    if account is not None:
        findings.extend(_engine(account))
        findings.extend(_processes())
    findings.extend(_packages())
    findings.append(_ambertools())
    findings.append(_pseudopotentials())
    findings.append(_gromacs())
    return findings, machine.fingerprint(account)


def doctor_text(findings: list[Finding]) -> str:
    """Return the list as text."""
    width = max(len(finding.name) for finding in findings)
    lines = []
    for finding in findings:
        mark = "✓" if finding.good else ("✗" if finding.needed else "-")
        lines.append(f"  {mark} {finding.name.ljust(width)}  {finding.detail}")
        if not finding.good and finding.remedy:
            lines.append(f"    {' ' * width}  correct it with: {finding.remedy}")
    bad = [finding for finding in findings if finding.needed and not finding.good]
    if bad:
        noun = "thing is" if len(bad) == 1 else "things are"
        lines += ["", f"{len(bad)} {noun} missing"]
    else:
        lines += ["", "ready"]
    return "\n".join(lines) + "\n"


def doctor_json(findings: list[Finding], fingerprint: dict[str, Any]) -> dict[str, Any]:
    """Return the list as a dict for JSON."""
    return {
        "ready": all(finding.good for finding in findings if finding.needed),
        "findings": [asdict(finding) for finding in findings],
        "machine": fingerprint,
    }


def _processor() -> Finding:
    info = machine.cpu_info()
    flags = machine.simd_flags()
    detail = f"{info.get('model name', 'unknown')}: {' '.join(flags) or 'no SIMD found'}"
    return Finding("processor", bool(flags), detail, "use x86-64 with SSE4.1, or Arm with NEON")


def _cores() -> Finding:
    usable = usable_cores()
    return Finding("cores", usable > 0, f"{usable} usable; --pes {usable} uses them all")


def _engine(account: dict[str, Any]) -> list[Finding]:
    built = f"{account.get('version', '?')}, {account.get('compiler', '?')}"
    build_type = str(account.get("build_type", ""))
    slow = build_type.lower() in ("debug", "")
    findings = [
        Finding("engine", True, built),
        Finding(
            "optimised build",
            not slow,
            build_type or "no build type",
            "cmake --preset release && make build",
            needed=False,
        ),
    ]
    target = str(account.get("simd_target", ""))
    others = ", ".join(str(name) for name in account.get("simd_targets", ()))
    portable = str(account.get("portable_target", ""))
    detail = f"{target} (of {others}); portable bits: {portable}"
    findings.append(Finding("SIMD kernels", bool(target), detail, "make build"))
    nodes = account.get("numa_nodes")
    if nodes is not None:
        detail = f"{nodes} NUMA node{'' if nodes == 1 else 's'}, {account.get('cores')} cores"
        findings.append(Finding("topology", True, detail))
    for name, version in dict(account.get("libraries", {})).items():
        findings.append(Finding(str(name), True, str(version)))
    return findings


def _processes() -> list[Finding]:
    found = [find_mpi(name) for name in MPI_NAMES]
    findings = []
    for mpi in found:
        detail = f"{mpi.missing}; needed for --ranks N"
        if mpi.usable:
            detail = f"{mpi.launcher}: --ranks N --mpi {mpi.name}"
        findings.append(Finding(mpi.title, mpi.usable, detail, mpi.remedy, needed=False))
    usable = any(mpi.usable for mpi in found)
    modes = "; ".join(_MODES) if usable else "one process (--pes N)"
    findings.append(Finding("modes", usable, modes, needed=False))
    return findings


def _packages() -> list[Finding]:
    findings = []
    for name in _REQUIRED:
        found = machine.package_version(name)
        findings.append(Finding(name, found is not None, found or "missing", f"pip install {name}"))
    for name, use, remedy in _OPTIONAL:
        found = machine.package_version(name)
        detail = f"{found}: {use}" if found else f"missing; needed to {use}"
        findings.append(Finding(name, found is not None, detail, remedy, needed=False))
    return findings


def _ambertools() -> Finding:
    """Look for the programs themselves: pip or conda may have installed them."""
    try:
        programs = ambertools.find_programs()
    except ResourceError as error:
        missing = error.what.partition(";")[0]
        detail = f"{missing}; needed to prepare ligands"
        return Finding("AmberTools", False, detail, error.hint, needed=False)
    detail = f"{ambertools.version()} in {programs['antechamber'].parent}: prepare ligands"
    return Finding("AmberTools", True, detail, needed=False)


def _pseudopotentials() -> Finding:
    name, remedy = "pseudopotentials", "apt-get install cp2k-data quantum-espresso-data"
    try:
        folders = default_folders()
    except InputError as error:
        return Finding(name, False, f"{error.what}: {error.value}", error.hint, needed=False)
    detail = ", ".join(map(str, folders))
    detail = detail or 'no folder; needed for pseudopotentials = "auto" in ab initio runs'
    return Finding(name, bool(folders), detail, remedy, needed=False)


def _gromacs() -> Finding:
    program = shutil.which("gmx")
    remedy = "apt-get install gromacs"
    if program is None:
        detail = "missing; needed to compare speeds with `bench dhfr --peers`"
        return Finding("gromacs", False, detail, remedy, needed=False)
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    lines = dict(line.split(":", 1) for line in answer.stdout.splitlines() if ":" in line)
    version = lines.get("GROMACS version", "?").strip()
    simd = lines.get("SIMD instructions", "?").strip()
    return Finding("gromacs", True, f"{version}, {simd}: `bench dhfr --peers`", needed=False)
