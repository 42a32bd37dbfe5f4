# SPDX-License-Identifier: BSD-3-Clause
"""What pictures of runs show: changes about means, minimisations, long curves."""

from pathlib import Path

import numpy as np
import pytest

from finegrain import InputError
from finegrain.page.charts import Curve, about_mean, figure_of, png_of, thinned
from finegrain.runs.energy_charts import (
    charts_of_run,
    draw_energies,
    energy_charts,
    minimisation_charts,
)
from finegrain.runs.minimisation import MinimisationRows

pytestmark = pytest.mark.pictures

ROWS = 100


def table(rows: int = ROWS) -> dict[str, np.ndarray]:
    time = 0.01 * np.arange(rows)
    return {
        "time (ps)": time,
        "potential energy (kJ/mol)": -40_000 + np.sin(2 * np.pi * time),
        "kinetic energy (kJ/mol)": 9_000 - np.sin(2 * np.pi * time),
        "conserved energy (kJ/mol)": -31_000 + 2.5 * time,
        "temperature (K)": 300 + np.cos(time),
        "volume (nm3)": 30 + 0.01 * time,
        "density (kg/m3)": 990 - time,
        "pressure (bar)": np.where(np.arange(rows) % 2, 400.0, -400.0),
    }


def test_energies_are_changes_about_their_means() -> None:
    energy, conserved, temperature, density, pressure = energy_charts(table())
    potential, kinetic = energy.curves
    assert potential.label == "potential, mean −40,000.0"
    assert kinetic.label == "kinetic, mean 9,000.0"
    assert np.ptp(potential.y) == pytest.approx(2, abs=0.02)
    assert abs(potential.y.mean()) < 1e-9
    assert conserved.curves[1].label == "slope 2.5 kJ/mol/ps"
    assert [one.y for one in (temperature, density, pressure)] == [
        "temperature / K",
        "density / kg/m³",
        "pressure / bar",
    ]
    raw, mean = pressure.curves
    assert raw.pale
    assert np.abs(mean.y).max() <= 80 + 1e-9  # five rows of ±400


def test_rows_that_are_no_numbers_leave_gaps(tmp_path: Path) -> None:
    gaps = table()
    for values in list(gaps.values())[1:]:
        values[3] = np.nan
    gaps["temperature (K)"][:] = np.nan
    charts = energy_charts(gaps)
    assert not [one for one in charts if one.y.startswith("temperature")]
    assert png_of(figure_of(charts, "with gaps")).startswith(b"\x89PNG")
    assert about_mean("nothing", [0, 1], [np.nan, np.nan], "C0") is None


def test_a_minimisation_is_drawn_by_evaluation(tmp_path: Path) -> None:
    passed = []
    rows = MinimisationRows(tmp_path / "minimisation.csv", passed.append)
    rows({"step": 0, "evaluations": 0, "potential": None})  # overlapping atoms are separated first
    for number, energy in enumerate((1e9, 100.0, 10.0, -5.0, -7.0), start=1):
        rows({"evaluations": number, "potential": energy, "largest_force": 2e3 / number})
    rows({"step": 10, "evaluations": 0, "potential": -3.0})
    rows.write()
    assert len(passed) == 7
    lines = (tmp_path / "minimisation.csv").read_text().splitlines()
    assert lines[0] == "evaluation,lowest potential energy (kJ/mol),largest force (kJ/mol/nm)"
    assert lines[5] == "5,-7,400"
    energy, force = charts_of_run(tmp_path / "energies.csv", tmp_path / "minimisation.csv", 10.0)
    assert energy.curves[0].label == "above the last one, −7.0 kJ/mol"
    assert energy.curves[0].y == pytest.approx([1e9 + 7, 107, 17, 2, 0])
    assert force.levels[0].value == 10.0
    draw_energies(tmp_path / "energies.csv", tmp_path / "energies.png", "1-minimise")
    assert (tmp_path / "energies.png").read_bytes().startswith(b"\x89PNG")


def test_the_fall_of_overlapping_atoms_hides_no_minimisation() -> None:
    energy = np.concatenate(([1e12, 1e9], np.linspace(1e4, 0, 98)))
    number = np.arange(1.0, 101)
    curve = minimisation_charts({"n": number, "e": energy, "f": number})[0].curves[0]
    assert curve.x[0] == 3
    assert curve.y.max() == 1e4


def test_another_table_is_no_minimisation(tmp_path: Path) -> None:
    (tmp_path / "minimisation.csv").write_text("evaluation,energy\n1,2\n")
    with pytest.raises(InputError, match="no table of a minimisation"):
        charts_of_run(tmp_path / "energies.csv", tmp_path / "minimisation.csv")


def test_endless_numbers_are_drawn_as_gaps() -> None:
    odd = table(20)
    odd["conserved energy (kJ/mol)"][4] = np.inf
    odd["time (ps)"][7] = np.nan
    line = energy_charts(odd)[1].curves[1]
    assert line.label == "slope 2.5 kJ/mol/ps"


def test_without_a_minimisation_there_is_no_table(tmp_path: Path) -> None:
    rows = MinimisationRows(tmp_path / "minimisation.csv", None)
    # The search for a ground state counts evaluations too, and has no largest force.
    rows({"evaluations": 3, "potential": None, "largest_force": 0.0, "total_energy": -17.0})
    rows.write()
    assert not (tmp_path / "minimisation.csv").exists()
    assert charts_of_run(tmp_path / "energies.csv", tmp_path / "minimisation.csv") == []


def test_a_long_curve_keeps_its_highest_and_lowest_points() -> None:
    y = np.zeros(100_000)
    y[54_321], y[77], y[99_000] = 9, -4, np.nan
    x, kept = thinned(Curve("", np.arange(100_000.0), y, "C0"))
    assert len(x) < 9_000
    assert (np.nanmax(kept), np.nanmin(kept)) == (9, -4)
    assert (x[0], x[-1]) == (0, 99_999)
    assert (np.diff(x) > 0).all()
