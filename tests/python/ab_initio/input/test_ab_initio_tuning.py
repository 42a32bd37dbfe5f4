# SPDX-License-Identifier: BSD-3-Clause
"""`tune` of ab initio dynamics: the divisions that it times, and the keys that it gives."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from ab_initio_systems import INPUT
from typer.testing import Result

import finegrain as fg
from finegrain.ab_initio.preparation.prepare import Prepared, prepare
from finegrain.toml_input.more_keys import with_more_keys
from finegrain.toml_input.source import read_toml
from finegrain.tuning import tune
from finegrain.tuning.ab_initio import ASPECTS, keys_of
from finegrain.tuning.in_turns import Entrant, Turns

FAST = '[ground_state]\nenergy_tolerance = "1 eV"\n'
DYNAMICS = """\
[dynamics]
kind = "car-parrinello"
timestep = "0.1 fs"
steps = 10
temperature = "0 K"
"""


def timed_by(rule: Callable[[str], float]) -> Callable[[Turns, Entrant, float], float]:
    return lambda _turns, entrant, _expected: rule(entrant.what)


@pytest.fixture
def write(folder: Path) -> Callable[..., Path]:
    """A water of 4 orbitals, usually in 2 blocks."""

    def of(objects: str = "", text: str = INPUT + FAST + DYNAMICS) -> Path:
        path = folder / "water.toml"
        path.write_text(f"{text}[objects]\n{objects}\n")
        return path

    return of


def test_every_division_is_the_one_that_its_keys_give(write: Callable[..., Path]) -> None:
    path = write()
    own = prepare(path)
    found = 0
    for aspect in ASPECTS:
        divisions = aspect.others(own, 8)
        words = [aspect.in_words(division) for division in (own.division, *divisions)]
        assert len(set(words)) == len(words)
        for division in divisions:
            keys = keys_of(replace(own, division=division))
            other = path.with_name("other.toml")
            other.write_text(with_more_keys(read_toml(path), keys))
            assert prepare(other).division == division
            found += 1
    assert found >= 5


def test_many_pes_are_offered_as_many_objects(write: Callable[..., Path]) -> None:
    own = prepare(write())
    blocks = {4: 1, 2: 2, 1: 4}
    objects = [
        blocks[division.state_grain] * division.wave_parts
        for division in ASPECTS[0].others(own, 16)
    ]
    assert objects[0] == 16
    assert all(8 <= count <= 32 for count in objects)


def test_what_the_input_gives_is_not_varied(write: Callable[..., Path]) -> None:
    own: Prepared = prepare(write("state_grain = 2\nwave_parts = 2\ndensity_parts = 4"))
    assert [aspect.others(own, 8) for aspect in ASPECTS] == [[], []]
    own = prepare(write("state_grain = 2"))
    assert {division.state_grain for division in ASPECTS[0].others(own, 8)} == {2}


def test_the_fastest_is_taken(write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def seconds(what: str) -> float:
        return (0.5 if "2 parts of waves" in what else 1) * (0.9 if "8 parts of the" in what else 1)

    monkeypatch.setattr(Turns, "_seconds", timed_by(seconds))
    path = write()
    lines: list[str] = []
    found = tune(path, pes=4, rounds=2, on_line=lines.append)
    assert lines[0] == "finding the ground state first"
    assert [choice.aspect for choice in found.choices] == ["orbitals", "density"]
    assert found.keys["objects.wave_parts"] == 2
    assert found.keys["objects.density_parts"] == 8
    assert "[objects]\nstate_grain = " in found.text()
    assert sorted(one.suffix for one in path.parent.iterdir() if one.suffix == ".h5") == []


def test_tune_times_runs(write: Callable[..., Path], accepted: Callable[..., Result]) -> None:
    path = write("state_grain = 2\nwave_parts = 1")
    before = path.read_bytes()
    done = accepted("tune", path, "--pes", 1, "--rounds", 1, "--steps", 2, "--json")
    found = json.loads(done.stdout)
    (choice,) = found["choices"]
    assert choice["aspect"] == "density"
    assert all(one["seconds"] > 0 for one in choice["timings"])
    assert found["given"] == ["objects.state_grain", "objects.wave_parts"]
    assert path.read_bytes() == before


def test_a_ground_state_has_no_steps_to_time(write: Callable[..., Path]) -> None:
    with pytest.raises(fg.InputError, match="has no dynamics that could be timed"):
        tune(write("", INPUT + FAST), pes=1)
