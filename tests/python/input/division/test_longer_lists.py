# SPDX-License-Identifier: BSD-3-Clause
"""How long pair lists are used: as long as the patches of the job have room for their radius."""

from pathlib import Path

import pytest
from input_systems import Waters, water_input

from finegrain.base import cells
from finegrain.classical.division.division import Division
from finegrain.classical.input.baths import dynamics_values
from finegrain.classical.preparation.job import checked_image
from finegrain.classical.preparation.prepare import Prepared, prepare

SIDE, EDGE = 12, 3.728  # 5,184 atoms at the density of water
LARGE = "[patches]\ngrid = [2, 2, 2]\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("waters")
    Waters(SIDE, EDGE).write(made)
    return made


def read(folder: Path, more: str = "", *, of_forces: str = "", of_dynamics: str = "") -> Path:
    text = water_input.replace("[forces]\n", f"[forces]\n{of_forces}")
    path = folder / "water.toml"
    path.write_text(text.replace("[dynamics]\n", f"[dynamics]\n{of_dynamics}") + more)
    return path


def settled(path: Path) -> tuple[Division, Prepared]:
    """Return the division that is usual, and the one that the job gets."""
    prepared = prepare(path)
    usual = prepared.division
    checked_image(prepared)
    return usual, prepared


def expect_room(prepared: Prepared) -> None:
    widths = cells.widths(prepared.frame)
    for width, count in zip(widths, prepared.division.patch_grid, strict=True):
        assert width / count >= prepared.division.patch_width


def test_lists_in_large_patches_are_used_longer(folder: Path) -> None:
    usual, prepared = settled(read(folder, LARGE))
    division = prepared.division
    assert division.patch_grid == usual.patch_grid == (2, 2, 2)
    assert division.rebuild_interval > 1.5 * usual.rebuild_interval
    assert usual.list_cutoff < division.list_cutoff <= 1.34 * prepared.settings.cutoff
    assert division.rebuild_interval % division.prune_interval == 0
    assert division.tolerance == usual.tolerance
    expect_room(prepared)
    # The same as if the input asks for it.
    rebuild, prune = division.rebuild_interval, division.prune_interval
    given = f"rebuild_interval = {rebuild}\nprune_interval = {prune}\n"
    asked = prepare(read(folder, of_forces=given)).division
    assert asked.list_cutoff == division.list_cutoff
    assert asked.inner_list_cutoff == division.inner_list_cutoff


def test_small_patches_come_first(folder: Path) -> None:
    def written(more: str) -> Path:
        path = read(folder, more)
        path.write_text(path.read_text().replace('"8 Å"', '"9 Å"'))
        return path

    small = "[patches]\ngrid = [3, 3, 3]\n"
    of_large = settled(written(LARGE))[1].division
    usual, prepared = settled(written(small))
    assert of_large.patch_grid == (2, 2, 2)
    assert prepared.division.patch_grid == (3, 3, 3)
    assert usual.rebuild_interval <= prepared.division.rebuild_interval < of_large.rebuild_interval
    expect_room(prepared)


@pytest.mark.parametrize(
    ("of_forces", "of_dynamics"),
    [
        ("rebuild_interval = 10\n", ""),
        ("", 'ensemble = "npt"\n'),
        ("", 'ensemble = "nvt"\nthermostat = "velocity-rescaling"\nthermostat_time = "50 fs"\n'),
    ],
    ids=["given", "barostat", "fast rescaling"],
)
def test_intervals_that_mean_more_stay(folder: Path, of_forces: str, of_dynamics: str) -> None:
    usual, prepared = settled(read(folder, of_forces=of_forces, of_dynamics=of_dynamics))
    assert prepared.division.rebuild_interval == usual.rebuild_interval
    assert prepared.division.list_cutoff == usual.list_cutoff


def test_a_given_pruning_interval_is_kept(folder: Path) -> None:
    usual, prepared = settled(read(folder, of_forces="prune_interval = 5\n"))
    assert prepared.division.prune_interval == 5
    assert prepared.division.rebuild_interval > usual.rebuild_interval


@pytest.mark.parametrize("time", ["0.2 ps", "1 ps", "20 ps"])
def test_velocities_are_rescaled_five_times_in_their_time(folder: Path, time: str) -> None:
    bath = f'ensemble = "nvt"\nthermostat = "velocity-rescaling"\nthermostat_time = "{time}"\n'
    usual, prepared = settled(read(folder, of_dynamics=bath))
    dynamics = prepared.given.model.dynamics
    assert dynamics is not None
    interval = prepared.division.rebuild_interval
    unlimited = settled(read(folder))[1].division.rebuild_interval
    longest = 0.2 * dynamics_values(dynamics, interval)["thermostat_time"] / dynamics.timestep.value
    assert usual.rebuild_interval < interval <= unlimited
    assert interval <= longest * (1 + 1e-9)
    if longest >= unlimited:
        assert interval == unlimited
