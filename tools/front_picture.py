# SPDX-License-Identifier: BSD-3-Clause
"""Draw docs/front.png, the picture of the README.

It shows two short runs that this script does, DHFR in water (examples/dhfr) and the electrons of
benzene, into runs/front, and the speeds on more threads that are stored in bench/results.
examples/dhfr/get_files.py comes first. With --drawn only the picture is made again.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import EllipseCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from openmm.app import AmberPrmtopFile

import finegrain as fg
from finegrain.units import bohr_in_angstrom

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples/dhfr"
RESULTS = ROOT / "bench/results"
RUNS = ROOT / "runs/front"

BENZENE = """[system]
kind = "ab-initio"
structure = "built-in:C6H6"
cell = ["10 Å", "10 Å", "7 Å"]

[electrons]
cutoff = "80 Ry"
functional = "PBE"
pseudopotentials = "auto"

[output]
density = true
"""

RADIUS = {"H": 0.10, "C": 0.17, "N": 0.155, "O": 0.152, "S": 0.18}  # nm
COLOUR = {"H": "#f4f1ea", "C": "#d9974a", "N": "#3a76b8", "O": "#c9463c", "S": "#e5c73a"}
WATER = {"H": "#dcebf7", "O": "#97c4e8"}


def do_runs() -> None:
    """Do both runs; earlier ones are replaced."""
    RUNS.mkdir(parents=True, exist_ok=True)
    molecule = RUNS / "benzene.toml"
    molecule.write_text(BENZENE, encoding="utf-8")
    fg.run(molecule, RUNS / "benzene", overwrite=True)
    protein = EXAMPLE / "dhfr.toml"
    fg.run(protein, RUNS / "dhfr", steps=200, overwrite=True)


def draw_protein(axes: Any, run: Any) -> None:
    """Draw the last frame: the protein, and the water behind the middle of the box."""
    atoms = list(AmberPrmtopFile(str(EXAMPLE / "JAC.prmtop")).topology.atoms())
    element = np.array([atom.element.symbol for atom in atoms])
    water = np.array([atom.residue.name == "HOH" for atom in atoms])
    with run.trajectory() as trajectory:
        frame = trajectory[-1]
    edge = float(frame.box[0])
    position = frame.positions + frame.images * frame.box  # molecules are whole
    position += edge / 2 - position[~water].mean(axis=0)
    oxygen = np.flatnonzero(water & (element == "O"))
    out = np.floor(position[oxygen] / edge) * edge
    for atom in range(3):
        position[oxygen + atom] -= out
    behind = water & (position[:, 2] < edge / 2)
    _balls(axes, position, element, behind, WATER, 0.8)
    _balls(axes, position, element, ~water, COLOUR, 1.0)
    axes.set_xlim(0, edge)
    axes.set_ylim(0, edge)


def _balls(axes: Any, position: Any, element: Any, which: Any, colours: Any, size: float) -> None:
    """Draw atoms as discs from the back to the front, paler in the back."""
    shown = np.flatnonzero(which)
    shown = shown[np.argsort(position[shown, 2])]
    depth = position[shown, 2]
    near = ((depth - depth.min()) / (depth.max() - depth.min()))[:, None]
    colour = np.array([to_rgb(colours[name]) for name in element[shown]])
    colour = near * colour + (1 - near) * (0.6 * colour + 0.4 * np.array([0.93, 0.95, 1.0]))
    across = 2 * size * np.array([RADIUS[name] for name in element[shown]])
    axes.add_collection(
        EllipseCollection(
            across,
            across,
            np.zeros(len(shown)),
            units="xy",
            offsets=position[shown, :2],
            transOffset=axes.transData,
            facecolors=colour,
            edgecolors=0.6 * colour,
            linewidths=0.25,
        )
    )


def draw_electrons(axes: Any, run: Any) -> None:
    """Draw the density of the valence electrons, summed up across the plane of the molecule."""
    found = run.ground_state()
    a, b, c = (float(np.linalg.norm(vector)) * bohr_in_angstrom for vector in found.cell)
    column = found.density().mean(axis=2) * c / bohr_in_angstrom**3
    column = np.roll(column, [n // 2 for n in column.shape], axis=(0, 1))  # it is at the corners
    extent = (-a / 2, a / 2, -b / 2, b / 2)
    axes.imshow(column.T, origin="lower", extent=extent, cmap="magma", interpolation="bicubic")
    levels = np.linspace(0, column.max(), 9)[1:]
    axes.contour(column.T, levels, extent=extent, colors="white", linewidths=0.5, alpha=0.5)
    axes.set_xlim(-3.6, 3.6)
    axes.set_ylim(-3.6, 3.6)


def draw_speeds(axes: Any) -> None:
    """Draw how many times as fast runs are on more threads, from bench/results."""
    report = json.loads((RESULTS / "dhfr_peers_16_cores.json").read_text(encoding="utf-8"))
    rates = {
        entry["threads"]: entry["ns_per_day_median"]
        for entry in report["programs"]
        if entry["program"] == "finegrain"
    }
    report = json.loads((RESULTS / "dynamics_on_cores.json").read_text(encoding="utf-8"))
    steps = {
        entry["pes"]: 1 / entry["seconds_of_a_step"]["median"]
        for entry in report["entries"]
        if entry["divided_for"] == 8
    }
    most = max(*rates, *steps)
    axes.plot([1, most], [1, most], color="0.6", linestyle="--", label="ideal")
    for found, colour, marker, label in (
        (rates, "#3a76b8", "o", "DHFR in water, classical"),
        (steps, "#c9463c", "s", "32 waters, Car-Parrinello"),
    ):
        threads = sorted(found)
        speed = [found[count] / found[threads[0]] for count in threads]
        axes.plot(threads, speed, color=colour, marker=marker, linewidth=2, label=label)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    ticks = [2**power for power in range(int(np.log2(most)) + 1)]
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(ticks, [str(tick) for tick in ticks])
    axes.set_xlabel("threads")
    axes.set_ylabel("times as fast as one thread")
    axes.legend(frameon=False, loc="upper left")
    axes.spines[["top", "right"]].set_visible(False)


def main() -> None:
    """Do the runs and draw three panels side by side."""
    if sys.argv[1:] != ["--drawn"]:
        do_runs()
    figure = Figure(figsize=(13, 4.3), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, 3, width_ratios=(1, 1, 1.15))
    draw_protein(axes[0], fg.open_run(RUNS / "dhfr"))
    draw_electrons(axes[1], fg.open_run(RUNS / "benzene"))
    draw_speeds(axes[2])
    axes[0].set_title("classical: a protein in water")
    axes[1].set_title("ab initio: the electrons of benzene")
    axes[2].set_title("one runtime: the same bits on more threads")
    for of in axes[:2]:
        of.set_aspect("equal")
        of.set_xticks([])
        of.set_yticks([])
    figure.savefig(ROOT / "docs/front.png", dpi=110)


if __name__ == "__main__":
    main()
