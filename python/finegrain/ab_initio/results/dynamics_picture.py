# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a dynamics: energies and temperature over time."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finegrain.base.visible import visible
from finegrain.files.whole import replace_file
from finegrain.runs.energies import column, draw_panels, read_energies

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_most_fs = 2000.0  # a longer run is drawn in picoseconds


def draw_dynamics(table: Path, picture: Path, title: str = "") -> None:
    """Draw the energies of a run from its table; nothing without rows.

    The first panel shows how much the conserved energy has changed. The second has the potential
    energy of the ions and its sum with their kinetic energy. Below are the fictitious kinetic
    energy of the orbitals, if there is one, and the temperature. If the cell moves, volume and
    pressure follow.

    Raises
    ------
    ResourceError
        If the picture cannot be written.
    """
    if not table.exists() or not table.stat().st_size:
        return
    columns = read_energies(table)
    time = columns.get("time (ps)")
    if time is None or not len(time):
        return
    drawings = [_conserved, _ions, _temperature]
    if column(columns, "fictitious") is not None:
        drawings.insert(2, _fictitious)
    if column(columns, "volume") is not None:
        drawings += [_volume, _pressure]
    short = time[-1] * 1000 <= _most_fs
    x = time * 1000 if short else time
    image = io.BytesIO()
    label = "time / fs" if short else "time / ps"
    draw_panels(drawings, x, columns, image, label, visible(title, keep=""))
    replace_file(picture, image.getvalue())


def _conserved(axes: Axes, x: Any, table: dict[str, Any]) -> None:
    energy = table["conserved energy (hartree)"]
    axes.plot(x, energy - energy[0], color="C2")
    axes.set_ylabel("change of the con-\nserved energy / hartree")


def _ions(axes: Axes, x: Any, table: dict[str, Any]) -> None:
    potential, kinetic = table["potential energy (hartree)"], table["ion kinetic energy (hartree)"]
    start = potential[0]
    axes.plot(x, potential - start, color="C0", label="potential")
    axes.plot(x, kinetic, color="C1", label="kinetic, of ions")
    axes.plot(x, potential + kinetic - start, color="C7", label="sum")
    axes.set_ylabel("energy / hartree")
    axes.legend(frameon=False, fontsize="small")


def _fictitious(axes: Axes, x: Any, table: dict[str, Any]) -> None:
    axes.plot(x, table["fictitious kinetic energy (hartree)"], color="C4")
    axes.set_ylabel("fictitious kinetic\nenergy / hartree")


def _temperature(axes: Axes, x: Any, table: dict[str, Any]) -> None:
    axes.plot(x, table["temperature (K)"], color="C3")
    axes.set_ylabel("temperature / K")


def _volume(axes: Axes, x: Any, table: dict[str, Any]) -> None:
    axes.plot(x, table["volume (nm3)"], color="C5")
    axes.set_ylabel("volume / nm³")


def _pressure(axes: Axes, x: Any, table: dict[str, Any]) -> None:
    axes.plot(x, table["pressure (bar)"] / 1e4, color="C6")
    axes.set_ylabel("pressure / GPa")
