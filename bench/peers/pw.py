# SPDX-License-Identifier: BSD-3-Clause
"""A ground state with Quantum ESPRESSO's pw.x: its input, its run, its figures.

Units: hartree, bohr and seconds; pw.x prints Ry and stores hartree.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from processes import ROOT

PROGRAM = "pw.x"
SERIAL = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # two ranks, and no other threads
# What OpenBLAS makes of the processor by itself, and its kernels with AVX-512.
VARIANTS: dict[str, dict[str, str]] = {
    "as it is": {},
    "OPENBLAS_CORETYPE=SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
}


@dataclass(frozen=True)
class Task:
    """What is computed.

    Attributes
    ----------
    vectors, positions : float64, shape (3, 3) and (atoms, 3)
        Å.
    files : dict
        The UPF file of each element.
    cutoff, accuracy : float
        Ry.
    """

    symbols: tuple[str, ...]
    vectors: np.ndarray
    positions: np.ndarray
    files: dict[str, Path]
    functional: str
    cutoff: float
    accuracy: float
    grid: tuple[int, int, int]


def _rows(table: np.ndarray) -> list[str]:
    return [" ".join(repr(float(x)) for x in row) for row in table]


def input_text(task: Task) -> str:
    """Return the input: everything as pw.x has it by default but for what both programs share."""
    atoms = (
        f"{symbol} {row}" for symbol, row in zip(task.symbols, _rows(task.positions), strict=True)
    )
    n1, n2, n3 = task.grid
    lines = [
        "&control",
        "  calculation = 'scf', prefix = 'x', outdir = '.', pseudo_dir = '.'",
        "  tprnfor = .true., tstress = .true., disk_io = 'low'",
        "/",
        "&system",
        f"  ibrav = 0, nat = {len(task.symbols)}, ntyp = {len(task.files)}",
        f"  ecutwfc = {task.cutoff}, nr1 = {n1}, nr2 = {n2}, nr3 = {n3}",
        f"  input_dft = '{task.functional.lower()}'",
        "/",
        "&electrons",
        f"  conv_thr = {task.accuracy}",
        "/",
        "ATOMIC_SPECIES",
        *(f"{element} 1.0 {file.name}" for element, file in task.files.items()),
        "CELL_PARAMETERS angstrom",
        *_rows(task.vectors),
        "ATOMIC_POSITIONS angstrom",
        *atoms,
        "K_POINTS gamma",
    ]
    return "\n".join(lines) + "\n"


def run(task: Task, folder: Path, ranks: int, variant: str) -> dict[str, Any]:
    """Compute it once in a new folder and return times, energy, iterations and forces."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in task.files.values():
        shutil.copy(file, folder)
    (folder / "x.in").write_text(input_text(task))
    command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
    begin = time.monotonic()
    done = subprocess.run(
        [*command, PROGRAM, "-in", "x.in"],
        cwd=folder,
        env={**os.environ, **ROOT, **SERIAL, **VARIANTS[variant]},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.monotonic() - begin
    if done.returncode or "convergence has been achieved" not in done.stdout:
        sys.exit(f"ground_states: pw.x failed:\n{done.stdout[-3000:]}\n{done.stderr[-1000:]}")
    output = ElementTree.parse(folder / "x.save" / "data-file-schema.xml").getroot().find("output")
    assert output is not None

    def text(path: str) -> str:
        found = output.findtext(path)
        assert found is not None, path
        return found

    return {
        "seconds": seconds,
        "own_seconds": _wall_seconds(done.stdout),
        "energy": float(text("total_energy/etot")),
        "iterations": int(text("convergence_info/scf_conv/n_scf_steps")),
        "forces": np.array(text("forces").split(), float).reshape(-1, 3),
    }


def _wall_seconds(printed: str) -> float:
    """Return the time that pw.x prints at its end, such as "2m13.07s WALL"."""
    found = re.search(
        r"PWSCF\s*:.*CPU\s*(?:(\d+)h)?\s*(?:(\d+)m)?\s*(?:([\d.]+)s)?\s*WALL", printed
    )
    assert found is not None
    hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds


def version(folder: Path) -> str:
    """Return its version; it leaves files in the folder where it is started."""
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [PROGRAM], cwd=folder, input="", capture_output=True, text=True, check=False
    )
    found = re.search(r"PWSCF v\.(\S+)", done.stdout)
    return found[1] if found else "unknown"
