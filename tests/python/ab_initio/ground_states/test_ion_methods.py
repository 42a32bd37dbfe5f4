# SPDX-License-Identifier: BSD-3-Clause
"""How waves meet ions: the choice, the words of it, and ground states by both methods."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from ab_initio_systems import INPUT, with_lines
from engine_runs import engine_ground_state
from reference_systems import silicon_dojo
from typer.testing import Result

from finegrain.ab_initio.division.waves import Waves, waves_of
from finegrain.ab_initio.input.ion_method import IonMethod
from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.preparation import ion_costs
from finegrain.ab_initio.preparation.ion_costs import choose_local, choose_nonlocal, seconds_of_rest
from finegrain.ab_initio.preparation.job import make_job
from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.ab_initio.results.references import references
from finegrain.errors import Problem

Prepare = Callable[..., Prepared]


def grown(prepared: Prepared, times: int) -> tuple[Prepared, Waves]:
    """Return the same run with a cell `times` as long, full of the same atoms."""
    vectors = prepared.structure.vectors * times
    structure = replace(
        prepared.structure, vectors=vectors, symbols=prepared.structure.symbols * times**3
    )
    waves = waves_of(vectors, prepared.given.model.electrons.cutoff.value)
    spins = replace(prepared.spins, up=prepared.spins.up * times**3)
    return replace(prepared, structure=structure, spins=spins), waves


def both(prepared: Prepared, waves: Waves) -> tuple[IonMethod, IonMethod]:
    sizes = (prepared.given, prepared.structure, prepared.species, waves, prepared.bands)
    return choose_nonlocal(*sizes), choose_local(*sizes)


def test_small_systems_are_exact_and_large_ones_may_have_splines(prepared: Prepare) -> None:
    one = prepared()
    assert (one.nonlocal_part.method, one.local_part.method) == ("exact", "exact")
    # Eight times as many atoms: the exact parts grow as the third and the second power, those by
    # splines as the second and the first, but for logarithms and for sizes of transforms.
    first, second = (both(*grown(one, times)) for times in (4, 8))
    for part, exact in ((0, 8**3), (1, 8**2)):
        assert second[part].exact_seconds / first[part].exact_seconds == pytest.approx(
            exact, rel=0.05
        )
        growth = second[part].spline_seconds / first[part].spline_seconds
        assert exact / 8 * 0.8 < growth < exact / 8 * 2.2
    chosen = []
    for times in (1, 4, 8, 16):
        ready, waves = grown(one, times)
        rest = seconds_of_rest(waves, ready.bands)
        for method in both(ready, waves):
            saves = method.exact_seconds - method.spline_seconds
            worth = saves > 0.05 * (rest + method.spline_seconds)
            assert method.method == ("splines" if worth else "exact")
            chosen.append(method.method)
    assert set(chosen) == {"exact", "splines"}


def test_estimates_are_near_the_stored_measurements() -> None:
    """What decides are ratios of about two; transforms of some sizes are slower than others."""
    results = Path(__file__).parents[4] / "bench/results/ion_splines.json"
    report = json.loads(results.read_text(encoding="utf-8"))
    for system in report["systems"]:
        if system["nonlocal"]["orbitals"] < 100:
            continue
        one, other = system["nonlocal"], system["local"]
        channels = one["rows"] // one["ions"]
        size = one["rows"] * one["orbitals"] * one["waves"]
        estimates = [
            (one["exact_seconds"], 8 * size / ion_costs.products_per_second),
            (
                one["spline_seconds"],
                channels
                * one["orbitals"]
                * (
                    ion_costs.transform_seconds((one["grid"],) * 3)
                    + ion_costs.ion_seconds(one["ions"], report["order"])
                ),
            ),
            (other["exact_seconds"], ion_costs.wave_seconds * other["ions"] * other["waves"]),
            (
                other["spline_seconds"],
                3 * ion_costs.transform_seconds((other["grid"],) * 3)
                + 3 * ion_costs.ion_seconds(other["ions"], report["order"]),
            ),
        ]
        for measured, estimate in estimates:
            assert 0.55 < measured / estimate < 1.8, system["system"]


def test_the_users_choice_is_taken(prepared: Prepare) -> None:
    text = with_lines(INPUT, "electrons", 'nonlocal_part = "splines"', "spline_order = 6")
    method = prepared(text).nonlocal_part
    assert (method.method, method.order) == ("splines", 6)
    # The waves of 20 Ry in 6 Å have indices up to 8, those of the density up to 16.
    assert method.grid == (24, 24, 24)  # from 1.4 * 17
    text = with_lines(INPUT, "electrons", 'local_part = "splines"', "spline_grid = 2")
    ready = prepared(text)
    assert (ready.nonlocal_part.method, ready.local_part.method) == ("exact", "splines")
    assert ready.local_part.grid == (70, 70, 70)  # from 2 * 33


def test_words_say_what_both_would_take() -> None:
    method = IonMethod("exact", 8, (70, 72, 75), 0.8, 2.1)
    splines = "splines of order 8 on 70 x 72 x 75 points"
    assert method.in_words(" an iteration") == (
        f"exact, about 0.8 s an iteration; {splines} would take 2.1 s"
    )
    other = replace(method, method="splines", spline_seconds=0.25)
    assert other.in_words() == f"{splines}, about 0.25 s; exact would take 0.8 s"
    assert (method.seconds, other.seconds) == (0.8, 0.25)


def test_check_shows_the_choice_made(folder: Path, command: Callable[..., Result]) -> None:
    text = with_lines(INPUT, "electrons", 'nonlocal_part = "splines"')
    (folder / "water.toml").write_text(text)
    shown = command("check", folder / "water.toml").output
    assert "nonlocal" in shown
    assert "splines of order 10 on 24 x 24 x 24 points, about" in shown
    assert "exact would take" in shown
    assert "local         exact, about" in shown
    make_job(folder / "water.toml", folder / "job.h5")
    assert (
        "splines of order 10 on 24 x 24 x 24 points" in command("check", folder / "job.h5").output
    )
    job = AbInitioJob(folder / "job.h5")
    assert (job.nonlocal_part.method, job.local_part.method) == ("splines", "exact")
    assert "lee2005" in {one.key for one in references(job)}
    with h5py.File(folder / "job.h5") as file:
        assert file["nonlocal"].attrs["spline_grid"].tolist() == [24, 24, 24]
        assert file["local"].attrs["exact_seconds"] > 0


@pytest.mark.parametrize(
    ("line", "what", "limit"),
    [
        ('nonlocal_part = "mesh"', "not a known value", ""),
        ("spline_order = 3", "out of range", "at least 4"),
        ("spline_order = 11", "out of range", "at most 10"),
        ("spline_grid = 1.0", "out of range", "at least 1.1"),
        ("spline_grid = 5", "out of range", "at most 4"),
    ],
)
def test_what_cannot_be_is_refused(
    problems: Callable[..., list[Problem]], line: str, what: str, limit: str
) -> None:
    (found,) = problems(with_lines(INPUT, "electrons", line))
    assert found.what == what
    assert limit in found.limit


def test_ground_states_by_splines_are_near_exact_ones(tmp_path: Path) -> None:
    """Projectors up to d, two of each l, and a model core."""
    system = silicon_dojo()
    keys = ('nonlocal_part = "splines"', 'local_part = "splines"', "spline_grid = 2")
    found = []
    for name, more in (("exact", ()), ("splines", keys)):
        (tmp_path / name).mkdir()
        found.append(engine_ground_state(system, tmp_path / name, *more))
    exact, splines = found
    assert exact.converged
    assert splines.converged
    # Errors of order 10 on grids of twice the points of the waves: (1/3)^10 = 2e-5 of the part of
    # the shortest waves, which is below a hundredth of a hartree; see docs/explanation/splines.md.
    assert splines.energy == pytest.approx(exact.energy, abs=1e-6)
    assert splines.energy != exact.energy
    assert np.abs(splines.forces - exact.forces).max() < 1e-5
    assert np.abs(splines.stress - exact.stress).max() < 1e-6
