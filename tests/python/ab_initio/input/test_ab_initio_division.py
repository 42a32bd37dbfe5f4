# SPDX-License-Identifier: BSD-3-Clause
"""`[objects] pes` makes enough objects, and a run on more PEs than there are objects says so."""

import itertools
import warnings
from pathlib import Path

import numpy as np
import pytest
from ab_initio_systems import INPUT

import finegrain as fg
from finegrain.ab_initio.division import fineness
from finegrain.ab_initio.division.waves import waves_of
from finegrain.ab_initio.job import AbInitioJob
from finegrain.files.whole import changed_sealed_hdf5
from finegrain.kinds.new_job import write_job

WATERS = waves_of(np.eye(3) * 18.619, 35.0)  # 32 of them at 70 Ry: 128 orbitals


@pytest.mark.parametrize(
    ("bands", "pes", "expected"),
    [(128, 4, 32), (128, 8, 16), (128, 16, 16), (32, 4, 8), (32, 8, 8), (256, 8, 32), (1, 8, 1)],
)
def test_blocks_become_smaller_down_to_a_least(bands: int, pes: int, expected: int) -> None:
    assert fineness.state_grain(bands, pes) == expected


@pytest.mark.parametrize("bands", [1, 4, 31, 128, 500])
def test_there_is_an_object_for_each_pe(bands: int) -> None:
    for pes in (1, 2, 4, 8, 16, 33, 64):
        blocks = -(-bands // fineness.state_grain(bands, pes))
        most = fineness.most_wave_parts(WATERS)
        parts = fineness.wave_parts(WATERS.orbitals.half, most, blocks, pes)
        densities = fineness.density_parts(WATERS, parts, pes)
        assert densities % parts == 0
        if pes > fineness.usual_pes:
            assert blocks * parts >= min(pes, most)
            assert densities >= min(pes, most) // 2


def test_fewer_pes_than_usual_change_nothing() -> None:
    for bands, pes in itertools.product((1, 7, 32, 128), (1, 2, 3)):
        assert fineness.state_grain(bands, pes) == fineness.state_grain(bands)
        assert fineness.density_parts(WATERS, 1, pes) == fineness.density_parts(WATERS, 1)


@pytest.mark.parametrize(
    ("pes", "of_a_block", "parts", "given", "said"),
    [
        (4, 32, 1, (), ""),
        (8, 32, 1, (), "divided for 4 PEs and runs on 8, of which some will be idle: set pes = 8"),
        (8, 16, 1, (), ""),
        (16, 16, 1, ("pes",), "divided for 8 PEs and runs on 16"),
        (9, 32, 1, ("state_grain",), "take state_grain out of [objects], and set pes = 9"),
        (5000, 2, 64, (), ""),  # nothing is finer
        (4, 128, 1, ("state_grain",), ""),  # what a user wants for a few PEs is not questioned
    ],
)
def test_a_division_too_coarse_for_the_pes_is_noted(
    pes: int, of_a_block: int, parts: int, given: tuple[str, ...], said: str
) -> None:
    half, most = WATERS.orbitals.half, fineness.most_wave_parts(WATERS)
    note = fineness.note_of_pes(pes, [128, 0], half, most, of_a_block, parts, given)
    assert bool(note) == bool(said)
    assert said in note


def test_what_a_note_asks_for_ends_it() -> None:
    half, most = WATERS.orbitals.half, fineness.most_wave_parts(WATERS)
    for bands, pes in itertools.product([[1, 0], [4, 3], [31, 0], [128, 128]], [5, 8, 30, 64, 500]):
        finer = fineness.state_grain(max(bands), pes)
        parts = fineness.wave_parts(half, most, -(-max(bands) // finer), pes)
        assert fineness.note_of_pes(pes, bands, half, most, finer, parts, ()) == ""


def job_of(folder: Path, objects: str) -> AbInitioJob:
    """A water of 4 orbitals, usually in 2 blocks."""
    fast = '[ground_state]\nenergy_tolerance = "1 eV"\n'
    (folder / "water.toml").write_text(f"{INPUT}{fast}[objects]\n{objects}\n")
    write_job(folder / "water.toml", folder / "job.h5")
    return AbInitioJob(folder / "job.h5")


def test_the_key_divides_the_job(folder: Path) -> None:
    division = job_of(folder, "pes = 8").division
    assert (division["state_grain"], division["wave_parts"], division["density_parts"]) == (2, 4, 8)


def test_other_keys_stand_before_it(folder: Path) -> None:
    division = job_of(folder, "pes = 8\nstate_grain = 4\ndensity_parts = 6").division
    assert (division["state_grain"], division["wave_parts"], division["density_parts"]) == (4, 6, 6)


@pytest.mark.parametrize("objects", ["", "pes = 6"])
def test_a_run_on_more_pes_says_so(folder: Path, objects: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", fg.InputNote)
        fg.run(job_of(folder, objects), folder / "run", pes=6)
    notes = [str(one.message) for one in caught if "is divided for" in str(one.message)]
    assert len(notes) == (0 if objects else 1)
    assert all("set pes = 6 in [objects]" in note for note in notes)


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        ("division", "state_grain", 0),
        ("division", "wave_parts", np.zeros(3)),
        ("electrons", "bands_up", "no"),
        ("electrons", "grid", 7),
        ("electrons", "cutoff", np.inf),
        ("electrons", "cutoff", np.nan),
    ],
)
def test_damage_to_a_job_is_told(folder: Path, group: str, name: str, value: object) -> None:
    path = job_of(folder, "").path
    with changed_sealed_hdf5(path) as file:
        file[group].attrs[name] = value
    with pytest.raises(fg.InputError, match="is damaged"):
        AbInitioJob(path).note_of_pes(8)


def test_a_check_says_for_how_many_pes_it_is_enough(folder: Path) -> None:
    job = job_of(folder, "pes = 6")
    for described in (fg.check(folder / "water.toml"), fg.check(job.path)):
        assert "enough for 6 PEs" in described.text()
        assert described.as_dict()["enough_for_pes"] == 6
