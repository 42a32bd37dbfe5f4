# SPDX-License-Identifier: BSD-3-Clause
"""Jobs with the optimal influence function: errors of forces, bits of a run, what they cite."""

from pathlib import Path

import numpy as np
import pytest
from engine_jobs import FAST_WATER_FORCES, WATER_FORCES, digest, interrupted, make_job
from openmm_reference import relative_rms

import finegrain
from finegrain.cite import references

OPTIMAL = {"influence_function": "optimal"}


@pytest.mark.parametrize("order", [5, 8])
def test_forces_are_better_on_a_coarse_mesh(tmp_path: Path, order: int) -> None:
    """The spacing is 1.6 Å; on a fine mesh both functions give the same forces."""

    def forces(name: str, **changed: object) -> np.ndarray:
        given = WATER_FORCES | {"precision": "double", "spline_order": order} | changed
        return finegrain.energy(make_job(tmp_path / name, "water", given)).forces

    fine = [96, 96, 96]
    exact = forces("exact", mesh=fine, spline_order=8)
    assert relative_rms(forces("fine", mesh=fine, spline_order=8, **OPTIMAL), exact) < 1e-7
    smooth = relative_rms(forces("smooth", mesh=[16, 16, 16]), exact)
    optimal = relative_rms(forces("optimal", mesh=[16, 16, 16], **OPTIMAL), exact)
    # The formula for pairs of charges says 0.8; forces of charges on themselves stay as they are.
    print(f"order {order}: {smooth:.3e} and {optimal:.3e}")
    assert 0.6 * smooth < optimal < 0.98 * smooth


def test_runs_under_pressure_have_the_same_bits_on_any_pes_and_after_a_stop(
    tmp_path: Path,
) -> None:
    """The function is made again for each box; its digests are not those of the other function."""
    bath = {"ensemble": "npt", "pressure": "1 bar", "steps": 60}
    job = make_job(tmp_path / "optimal", "water", FAST_WATER_FORCES | OPTIMAL, bath)
    assert job.settings["influence_function"] == "optimal"
    one = digest(job, tmp_path / "one", pes=1)
    for pes in (2, 3):
        assert digest(job, tmp_path / "more", pes=pes) == one
    assert interrupted(job, tmp_path / "stopped", stop=30, first=2, second=3) == one
    smooth = make_job(tmp_path / "smooth", "water", FAST_WATER_FORCES, bath)
    assert digest(smooth, tmp_path / "other", pes=2) != one


def test_only_runs_with_it_cite_it() -> None:
    def keys(**settings: str) -> set[str]:
        return {one.key for one in references({"electrostatics": "pme", **settings}, {})}

    assert keys(influence_function="optimal") - keys(influence_function="smooth") == {
        "deserno1998",
        "ballenegger2012",
    }
