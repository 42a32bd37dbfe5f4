# SPDX-License-Identifier: BSD-3-Clause
"""`tune`: the divisions that it times, which of them it takes, and the keys that it gives."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from input_systems import Waters, water_input, write_waters
from typer.testing import Result

import finegrain as fg
from finegrain.classical.division.list_intervals import prunes_beside, rebuilds_beside
from finegrain.classical.preparation.job import checked_image
from finegrain.classical.preparation.other_divisions import keys_of
from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.errors import InputError
from finegrain.toml_input.more_keys import with_more_keys
from finegrain.toml_input.source import read_toml
from finegrain.tuning import Tuned, tune
from finegrain.tuning.in_turns import Entrant, Turns
from finegrain.tuning.variants import ASPECTS

GIVEN = """
[patches]
grid = [2, 1, 1]
pair_computes = 3
[mesh]
pencils = [1, 2]
"""


def write(folder: Path, more: str = "", text: str = water_input) -> Path:
    """Write 5,184 waters' atoms in a box that is wide enough for several patches."""
    return write_waters(folder, text + more, Waters(12, 3.728))


def settled(path: Path) -> Prepared:
    prepared = prepare(path)
    checked_image(prepared)
    return prepared


def with_keys_found(path: Path, keys: dict[str, Any]) -> Path:
    other = path.with_name("other.toml")
    other.write_text(with_more_keys(read_toml(path), keys))
    return other


@pytest.fixture(scope="module")
def water(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("water"))


@pytest.fixture(scope="module")
def own(water: Path) -> Prepared:
    return settled(water)


def timed_by(rule: Callable[[str], float]) -> Callable[[Turns, Entrant, float], float]:
    return lambda _turns, entrant, _expected: rule(entrant.what)


@pytest.mark.nightly
def test_every_division_is_the_one_that_its_keys_give(own: Prepared, water: Path) -> None:
    found = 0
    for aspect in ASPECTS:
        for division in aspect.others(own, 2):
            keys = keys_of(replace(own, division=division))
            read = settled(with_keys_found(water, keys))
            assert keys_of(read) == keys
            assert read.division.list_cutoff == division.list_cutoff
            assert read.division.inner_list_cutoff == division.inner_list_cutoff
            assert read.division.tolerance == own.division.tolerance
            found += 1
    assert found >= 8


def test_no_division_is_timed_twice(own: Prepared) -> None:
    for aspect in ASPECTS:
        words = [aspect.in_words(division) for division in (own.division, *aspect.others(own, 2))]
        assert len(set(words)) == len(words) > 1, aspect.name


def test_what_the_input_gives_is_not_varied(tmp_path: Path) -> None:
    lists = "rebuild_interval = 12\nprune_interval = 4\n"
    text = water_input.replace("[forces]\n", f"[forces]\n{lists}")
    prepared = settled(write(tmp_path, GIVEN, text))
    assert [aspect.others(prepared, 2) for aspect in ASPECTS] == [[], [], []]


def test_a_given_prune_interval_goes_with_rebuilds_that_it_divides(tmp_path: Path) -> None:
    text = water_input.replace("[forces]\n", "[forces]\nprune_interval = 5\n")
    prepared = settled(write(tmp_path, text=text))
    lists = ASPECTS[1].others(prepared, 2)
    assert all(one.prune_interval == 5 and one.rebuild_interval % 5 == 0 for one in lists)


def test_intervals_beside_another() -> None:
    assert rebuilds_beside(16, 1) == [15, 18]
    assert rebuilds_beside(16, 4) == [12, 20]
    assert rebuilds_beside(4, 1) == [6]
    assert rebuilds_beside(60, 1) == [50]
    assert prunes_beside(16, 4, 1) == [2, 8]
    assert prunes_beside(16, 4, 4) == [8]
    assert prunes_beside(16, 16, 1) == [8]
    assert prunes_beside(1, 1, 1) == []


def turns(folder: Path, rounds: int = 3) -> Turns:
    return Turns(folder, {}, rounds, None, lambda _line: None)


def test_jobs_run_in_turns_the_slow_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    times = {
        "first": iter([9.0, 2.0, 4.0, 3.0]),
        "near": iter([1.8, 3.8, 3.3]),
        "slow": iter([2.3]),
    }

    def seconds(_turns: Turns, entrant: Entrant, _expected: float) -> float:
        order.append(entrant.what)
        return next(times[entrant.what])

    monkeypatch.setattr(Turns, "_seconds", seconds)
    entrants = [Entrant(name, b"", 10) for name in times]
    first, near, slow = turns(tmp_path).time("three", entrants, 1.0)
    assert order == ["first", "first", "near", "slow", "first", "near", "first", "near"]
    assert (first.ratio, first.least, first.most, first.seconds) == (1, 1, 1, 3)
    assert math.isclose(near.ratio, 0.95)  # of 0.9, 0.95 and 1.1
    assert math.isclose(near.least, 0.9)
    assert math.isclose(near.most, 1.1)
    assert not near.is_faster  # not in each round
    assert slow.rounds == 1


def fastest(what: str) -> float:
    """Return times for which other patches, rarer pruning and fewer pencils are best."""
    better = {"1 x 2 x 2, 2 pair": 0.8, "Å every 6;": 0.9, "2 x 2 pencils": 0.95}
    return math.prod(factor for words, factor in better.items() if words in f"{what};")


def test_the_fastest_of_each_aspect_is_taken(water: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Turns, "_seconds", timed_by(fastest))
    lines: list[str] = []
    found = tune(water, pes=2, rounds=2, on_line=lines.append)
    assert [choice.aspect for choice in found.choices] == ["patches", "pair list", "mesh"]
    assert found.keys == {
        "forces.rebuild_interval": 24,
        "forces.prune_interval": 6,
        "patches.grid": [1, 2, 2],
        "patches.pair_computes": 2,
        "mesh.pencils": [2, 2],
    }
    assert found.whole is not None
    assert math.isclose(found.whole.ratio, 0.8 * 0.9 * 0.95)
    assert keys_of(settled(with_keys_found(water, found.keys))) == found.keys
    assert any("pair list, round 2 of 2" in line for line in lines)
    text = found.text()
    assert "0.684 of the time" in text
    assert "[patches]\ngrid = [1, 2, 2]\npair_computes = 2\n" in text
    assert "other programs run here" not in text


def test_nothing_changes_for_less_than_noise(water: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = timed_by(lambda what: 0.99 if "2 x 2 pencils" in what else 1.0)
    monkeypatch.setattr(Turns, "_seconds", rule)
    found = tune(water, pes=2, rounds=2)
    assert found.keys == {}
    assert found.whole is None
    assert "Leave the input as it is" in found.text()


def test_a_gain_that_stays_away_is_dropped(water: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Fast only as long as the words are those of pencils alone.
    rule = timed_by(lambda what: 0.9 if what == "2 x 2 pencils" else 1.0)
    monkeypatch.setattr(Turns, "_seconds", rule)
    found = tune(water, pes=2, rounds=2)
    assert found.choices[-1].taken > 0
    assert found.keys == {}


def test_a_busy_machine_is_named(water: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(100, 1000))
    monkeypatch.setattr(Turns, "_seconds", timed_by(lambda _what: next(times) / 100))
    assert "other programs run here" in tune(water, pes=2, rounds=3).text()


def test_the_command_writes_an_input(tmp_path: Path, accepted: Callable[..., Result]) -> None:
    # Keys of all but the pencils are given, so that three jobs are timed.
    given = GIVEN.replace("[mesh]\npencils = [1, 2]\n", "")
    lists = "[forces]\nrebuild_interval = 12\nprune_interval = 4\n"
    text = water_input.replace("[forces]\n", lists)
    path = write(tmp_path, given + '[minimise]\nmethod = "steepest-descent"\nsteps = 5\n', text)
    before = path.read_bytes()
    out = tmp_path / "fast.toml"
    words = ["--pes", "1", "--rounds", "2", "--steps", "12", "--out", out, "--json"]
    done = accepted("tune", path, *words)
    found: dict[str, Any] = json.loads(done.stdout)
    (choice,) = found["choices"]
    assert choice["aspect"] == "mesh"
    assert all(one["seconds"] > 0 for one in choice["timings"])
    intervals = ["forces.rebuild_interval", "forces.prune_interval"]
    assert found["given"] == [*intervals, "patches.grid", "patches.pair_computes"]
    assert path.read_bytes() == before
    assert out.exists() == bool(found["keys"])
    if out.exists():
        assert fg.check(out).as_dict()["pencil_grid"] == found["keys"]["mesh.pencils"]
    assert sorted(one.name for one in tmp_path.iterdir() if one.suffix == ".h5") == []


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--rounds", "0"], "too few rounds"),
        (["--steps", "0"], "too few steps"),
        (["--pes", "0"], "too few worker threads"),
        (["--map", "blocks"], "there is no such map"),
        (["--out", "/tmp/another.toml"], "is in another folder"),
        (["--out", "water.xml"], "is there already"),
        (["--out", "water.toml", "--overwrite"], "is what is being read"),
    ],
)
def test_bad_options_are_refused_before_any_run(
    water: Path,
    words: list[str],
    complaint: str,
    refused: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(water.parent)
    assert complaint in refused("tune", water.name, *words)


def complaint_of(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        tune(path, pes=1)
    return str(caught.value)


def test_what_has_no_division_to_choose_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path)
    still = water_input[: water_input.index("[dynamics]")]
    path.write_text(still)
    assert "has no dynamics" in complaint_of(path)
    path.write_text(water_input + '[[stages]]\nname = "a"\n[stages.dynamics]\nsteps = 10\n')
    assert "has stages" in complaint_of(path)
    path.write_text(water_input.replace('"8 Å"', '"90 Å"'))
    assert "too long for this box" in complaint_of(path)
    path.write_text(water_input)
    job = fg.load(path, tmp_path / "water.h5")
    assert "is a job" in complaint_of(Path(job))


def test_vacuum_leaves_nothing_to_vary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Turns, "_seconds", timed_by(lambda _what: 1.0))
    path = tmp_path / "vacuum.toml"
    path.write_text(
        '[system]\nkind = "classical"\ntopology = "openmmtools:AlanineDipeptideVacuum"\n'
        '[dynamics]\ntimestep = "1 fs"\nsteps = 100\ntemperature = "300 K"\n'
    )
    found = tune(path, pes=1)
    assert isinstance(found, Tuned)
    assert found.keys == {}
    assert "Leave the input as it is" in found.text()
