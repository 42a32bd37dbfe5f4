# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a ground state: how it was found, and the density of its electrons."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.ab_initio.states.ground_state import GroundState, bohr_in_angstrom
from finegrain.base.visible import visible
from finegrain.files.whole import replace_file
from finegrain.page.charts import Chart, Curve, Level, empty_figure, figure_of, png_of

Floats = NDArray[np.float64]
_most_symbols = 60  # more ions are dots, with a legend of elements


def convergence_chart(found: GroundState, goals: Mapping[str, Any] | None = None) -> Chart | None:
    """Return residual and change of the energy by iteration; None without a history.

    Parameters
    ----------
    goals : mapping, optional
        The settings of the search: ``tolerance`` of the residual and ``energy_tolerance``, hartree.
    """
    if len(found.history) == 0:
        return None
    energy, residual, _seconds = found.history.T
    number = np.arange(len(energy), dtype=np.float64)
    change = np.abs(np.diff(energy))
    levels = []
    for key, words, colour in (
        ("tolerance", "residual wanted", "C0"),
        ("energy_tolerance", "change wanted", "C1"),
    ):
        value = float((goals or {}).get(key, 0.0))
        if value > 0:
            levels.append(Level(f"{words}, {value:g}".replace("-", "−"), value, colour))
    curves = [
        Curve("largest residual", number, residual, "C0"),
        Curve("change of the energy", number[1:], change, "C1"),
    ]
    return Chart("hartree", "iteration", curves, logarithmic=True, levels=levels, whole=True)


def draw_convergence(
    found: GroundState,
    picture: Path,
    title: str = "",
    goals: Mapping[str, Any] | None = None,
) -> None:
    """Draw the history of a ground state; nothing if there is none.

    Raises
    ------
    ResourceError
        If the picture cannot be written.
    """
    chart = convergence_chart(found, goals)
    if chart is None:
        return
    state = "converged" if found.converged else "not converged"
    words = f"{title}: {state}" if title else state
    replace_file(picture, png_of(figure_of([chart], words, height=4.0)))


def draw_density(found: GroundState, picture: Path, title: str = "") -> None:
    """Draw the density; nothing is drawn if the run did not write it.

    Raises
    ------
    ResourceError
        If the picture cannot be written.
    """
    if found.has_density:
        replace_file(picture, png_of(density_figure(found, title)))


def density_figure(found: GroundState, title: str = "") -> Any:
    """Return the density of the valence electrons, summed up along a vector of the cell.

    It is the vector along which the ions are least apart, so a flat molecule is seen from its
    broad side. The cell begins in the widest gap between ions, so that no molecule is cut that
    vacuum surrounds. One axis is along the first of the other two vectors, the other at right
    angles to it in their plane. Symbols of elements stand at the ions.
    """
    from matplotlib.colors import PowerNorm

    start = _widest_gaps(found)
    along = _flattest(found, start)
    first, second = (axis for axis in range(3) if axis != along)
    rho = found.density()
    a, b, c = found.cell[first], found.cell[second], found.cell[along]
    # Electrons per area: the mean over a line, times the height of the cell over the plane.
    normal = np.cross(a, b)
    height = abs(float(np.dot(c, normal))) / float(np.linalg.norm(normal))
    column = rho.mean(axis=along) * height / bohr_in_angstrom**2
    x = a / np.linalg.norm(a)
    y = np.cross(normal / np.linalg.norm(normal), x)
    plane = np.stack([a, b]) @ np.stack([x, y]).T * bohr_in_angstrom

    # Points from the gap on, both ends of the cell included.
    parts = []
    for axis, gap in enumerate((start[first], start[second])):
        count = column.shape[axis]
        index = int(np.ceil(gap * count)) + np.arange(count + 1)
        column = np.take(column, index % count, axis=axis)
        parts.append(index / count)
    points = np.stack(np.meshgrid(*parts, indexing="ij"), axis=-1) @ plane

    figure = empty_figure(6.5, 5.8)
    axes = figure.subplots()
    mesh = axes.pcolormesh(
        points[..., 0],
        points[..., 1],
        column,
        shading="gouraud",
        cmap="viridis",
        norm=PowerNorm(0.5, vmin=0.0),
    )
    figure.colorbar(mesh, label="electrons/Å², colours by the square root")
    inside = _from(found, start)[:, [first, second]]
    _mark_ions(axes, inside @ plane, found.symbols)
    axes.set_aspect("equal")
    for name, axis in ((axes.set_xlabel, first), (axes.set_ylabel, second)):
        right = abs(found.cell[axis] @ np.delete(found.cell, axis, axis=0).T).max() < 1e-6
        name(f"along {'abc'[axis]} / Å" if right or axis == first else "at right angles / Å")
    words = f"density of the valence electrons, seen along {'abc'[along]}"
    axes.set_title(visible(f"{title}\n{words}" if title else words, keep="\n"), parse_math=False)
    return figure


def _fractions(found: GroundState) -> Floats:
    return np.asarray(found.positions @ np.linalg.inv(found.cell), np.float64)


def _widest_gaps(found: GroundState) -> Floats:
    """Return along each vector the middle of the widest gap between ions, as a fraction.

    It is the image of the gap that leaves most ions where they are.
    """
    middles = np.zeros(3)
    for axis in range(3):
        at = np.sort(_fractions(found)[:, axis] % 1.0)
        gaps = np.diff(np.concatenate((at, at[:1] + 1.0)))
        widest = int(np.argmax(gaps > gaps.max() - 1e-6))
        middles[axis] = at[widest] + 0.5 * gaps[widest]
    return middles - np.round(np.median(_from(found, middles) - _fractions(found), axis=0))


def _from(found: GroundState, start: Floats) -> Floats:
    """Return fractions of the ions in the cell that begins at `start`."""
    return start + (_fractions(found) - start) % 1.0


def _flattest(found: GroundState, start: Floats) -> int:
    """Return the vector along which ions are least apart; the third one of equal ones."""
    inside = _from(found, start)
    lengths = np.linalg.norm(found.cell, axis=1)
    extents = np.ptp(inside, axis=0) * lengths
    return max(range(3), key=lambda axis: (-round(float(extents[axis]), 3), axis))


def _mark_ions(axes: Any, places: Floats, symbols: tuple[str, ...]) -> None:
    if len(symbols) <= _most_symbols:
        from matplotlib.patheffects import withStroke

        edge = [withStroke(linewidth=2, foreground="black")]
        for place, symbol in zip(places, symbols, strict=True):
            words = {"ha": "center", "va": "center", "fontsize": 9, "color": "white"}
            axes.text(*place, symbol, path_effects=edge, **words)
        return
    for number, symbol in enumerate(dict.fromkeys(symbols)):
        these = places[[one == symbol for one in symbols]]
        axes.plot(*these.T, ".", color=f"C{number + 1}", markersize=5, label=symbol)
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.1), ncols=8, frameon=False)
