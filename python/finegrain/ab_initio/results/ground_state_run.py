# SPDX-License-Identifier: BSD-3-Clause
"""The results of an ab initio run: its summary, its picture."""

from __future__ import annotations

from typing import Any

from finegrain.ab_initio.input.words import formula
from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.states.ground_state import (
    GroundState,
    ebohr_in_debye,
    hartree_in_ev,
)
from finegrain.base import cells
from finegrain.page.html import Section, png_picture
from finegrain.page.svg import charts_as_svg
from finegrain.runs.results import Rows, RunResults
from finegrain.units import bohr_in_angstrom, bohr_in_nm, pressure_in_bar
from finegrain.words.report import duration


class GroundStateRun(RunResults):
    """The results in the folder of an ab initio run.

    Parameters
    ----------
    path : path
        The folder, as named by ``finegrain run``.

    Raises
    ------
    InputError
        If the folder holds no run.
    """

    @property
    def job(self) -> AbInitioJob:
        """The job of the run."""
        return self._opened(AbInitioJob)

    def ground_state(self) -> GroundState:
        """Open energies, forces, stress, orbital energies and, if it was asked for, the density."""
        return GroundState(self.directory.ground_state)

    def _speed(self, result: dict[str, Any], /) -> str:
        pace = result.get("seconds_per_step")
        return f"{float(pace):.3g} s an iteration" if pace else ""

    def _unfinished(self) -> Rows:
        return [*super()._unfinished(), *self._found({})]

    def _found(self, _result: dict[str, Any], /) -> Rows:
        """Return what there is of a ground state."""
        if not self.directory.ground_state.exists():
            return []
        found = self.ground_state()
        largest = float((found.forces**2).sum(axis=1).max() ** 0.5)
        return [
            ("formula", formula(found.symbols)),
            ("ground state", search_in_words(found)),
            ("residual", f"{found.residual:.2e} hartree"),
            *((f"  {name.replace('_', '-')}", _energy(value)) for name, value in _terms(found)),
            ("energy", _energy(found.energy)),
            *_highest(found),
            *_empty(found),
            ("largest force", _force(largest)),
            ("net force", _net_force(found, self.job.removes_net_force)),
            ("pressure", _pressure(found)),
            ("magnetization", _magnetization(found)),
            ("dipole", _dipole(found)),
            ("density", "in ground_state.h5" if found.has_density else ""),
        ]

    def _curves(self, points: int, /, *, frames: bool = True) -> list[Section]:  # noqa: ARG002
        if not self.directory.ground_state.exists():
            return []
        from finegrain.ab_initio.results.picture import convergence_chart

        goals = self.job.ground_state if self.directory.job.exists() else None
        chart = convergence_chart(self.ground_state(), goals)
        if chart is None:
            return []
        return [Section("Search for the ground state", charts_as_svg([chart], points=points))]

    def _structure(self) -> list[Section]:
        if not self.directory.ground_state.exists():
            return []
        from finegrain.observables.structure import view_of
        from finegrain.page.charts import png_of
        from finegrain.page.structure import most_atoms

        found, sections = self.ground_state(), []
        if found.has_density:
            from finegrain.ab_initio.results.picture import density_figure

            picture = png_picture(png_of(density_figure(found)), "density of the valence electrons")
            sections.append(Section("Density", [picture]))
        if len(found.symbols) <= most_atoms:
            box = cells.box_of(found.cell) * bohr_in_nm
            view = view_of(found.symbols, found.positions * bohr_in_nm, box)
            sections.append(Section("Structure", [view]))
        return sections

    def figures(self) -> dict[str, Any]:
        """Return energies, stress and orbital energies in Hartree atomic units."""
        if not self.directory.ground_state.exists():
            return {}
        found = self.ground_state()
        return {
            "ground_state": {
                "converged": found.converged,
                "iterations": found.iterations,
                "residual": found.residual,
                "energies": found.energies,
                "unit": "hartree",
                "stress": found.stress,
                "stress_unit": "hartree/bohr^3",
                "boundary": found.boundary,
                "net_force": found.net_force,
                "net_force_unit": "hartree/bohr",
                "dipole": found.dipole,
                "dipole_unit": "e bohr",
                "electrons_outside": found.electrons_outside,
                "eigenvalues": found.eigenvalues,
                "empty_eigenvalues": found.empty_eigenvalues,
                "gap": found.gap,
                "spin": found.spin,
                **_spin_figures(found),
            }
        }

    def outcome(self) -> str:
        """Return what to do with a run that was stopped."""
        if self.finished:
            return ""
        if not self.directory.checkpoint.exists():
            return (
                "Stopped before the ground state was found; the input says not to keep orbitals.\n"
                f"Start it again with: finegrain resume {self.path}"
            )
        return self._saved_at("iteration")


def search_in_words(found: GroundState) -> str:
    """Return how the search for a ground state went."""
    state = "found" if found.converged else "NOT converged"
    seconds = float(found.history[-1, 2]) if len(found.history) else 0.0
    return f"{state} in {found.iterations:,} iterations, {duration(seconds)}"


def _terms(found: GroundState) -> list[tuple[str, float]]:
    return [(name, value) for name, value in found.energies.items() if name != "total"]


def _energy(value: float) -> str:
    return f"{value:.8f} hartree, {value * hartree_in_ev:.6f} eV"


def _force(value: float) -> str:
    in_ev = value * hartree_in_ev / bohr_in_angstrom
    return f"{value:.3e} hartree/bohr, {in_ev:.4f} eV/Å"


def _net_force(found: GroundState, removed: bool) -> str:
    """Return the sum of the forces, and whether it is still in them."""
    size = float((found.net_force**2).sum() ** 0.5)
    if size < 1e-12:  # by symmetry
        return _force(size)
    return _force(size) + (", removed from the forces" if removed else ", which the grid leaves")


def _highest(found: GroundState) -> Rows:
    """Return the highest energies of occupied orbitals, with spin of each spin that has some."""
    if found.spin == "none":
        of = {"highest orbital": found.eigenvalues}
    else:
        of = {"highest up": found.eigenvalues_up, "highest down": found.eigenvalues_down}
    return [(name, _energy(float(some.max()))) for name, some in of.items() if len(some)]


def _empty(found: GroundState) -> Rows:
    """Return the lowest energy of an empty orbital, and the gap."""
    if found.gap is None or found.empty_eigenvalues is None:
        return []
    state = "" if found.empty_converged else ", NOT converged"
    return [
        ("lowest empty", _energy(float(found.empty_eigenvalues.min())) + state),
        ("gap", _energy(found.gap)),
    ]


def _magnetization(found: GroundState) -> str:
    if found.spin == "none":
        return ""
    return f"{found.magnetization:.4f}, absolute {found.absolute_magnetization:.4f} Bohr magnetons"


def _spin_figures(found: GroundState) -> dict[str, Any]:
    if found.spin == "none":
        return {}
    return {
        "eigenvalues_up": found.eigenvalues_up,
        "eigenvalues_down": found.eigenvalues_down,
        "magnetization": found.magnetization,
        "absolute_magnetization": found.absolute_magnetization,
        "magnetization_unit": "Bohr magneton",
    }


def _pressure(found: GroundState) -> str:
    if found.stress is None:
        return ""
    return f"{-float(found.stress.trace()) / 3 * pressure_in_bar:,.1f} bar"


def _dipole(found: GroundState) -> str:
    if found.dipole is None:
        return ""
    size = float((found.dipole**2).sum() ** 0.5)
    x, y, z = found.dipole
    parts = f"({x:.5f}, {y:.5f}, {z:.5f} e bohr)"
    return f"{size:.5f} e bohr, {size * ebohr_in_debye:.5f} debye {parts}"
