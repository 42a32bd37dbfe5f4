# SPDX-License-Identifier: BSD-3-Clause
"""What `check` counts for a number of processes, with either assignment of pairs."""

import json
from pathlib import Path

import pytest
from ase.build import bulk
from ase.io import write as write_atoms
from input_systems import Waters, water_input, write_waters

import finegrain as fg
from finegrain.classical.preparation.messages import Messages, Sent
from finegrain.planning.job_traffic import traffic_of_job

RANKS = 27
PATCHES = """
[patches]
grid = [3, 3, 3]
pairs = "{pairs}"
pair_computes = 1
"""


def written(folder: Path, pairs: str) -> Path:
    folder.mkdir(exist_ok=True)
    return write_waters(folder, water_input + PATCHES.format(pairs=pairs), Waters(12, 3.728))


def sent_by(folder: Path, pairs: str) -> Sent:
    """Count from the job that an input with this assignment gives."""
    job = fg.load(written(folder, pairs), folder / "job.h5")
    traffic = traffic_of_job("job", job.path.read_bytes(), RANKS)
    of_pairs = [traffic.phases[phase] for phase in ("positions", "pair forces")]
    means = [
        sum(float(getattr(one, figure).sum()) for one in phases) / RANKS
        for phases in (of_pairs, list(traffic.phases.values()))
        for figure in ("messages", "bytes")
    ]
    return Sent(*means)


@pytest.mark.parametrize("pairs", ["half-shell", "midpoint"])
def test_both_assignments_are_counted_as_in_their_jobs(tmp_path: Path, pairs: str) -> None:
    report = fg.check(written(tmp_path / "own", pairs), ranks=RANKS)
    found = report.messages  # type: ignore[attr-defined]
    assert isinstance(found, Messages)
    assert (found.ranks, found.pairs, next(iter(found.by))) == (RANKS, pairs, pairs)
    for name, sent in found.by.items():
        expected = sent_by(tmp_path / name, name)
        assert vars(sent) == pytest.approx(vars(expected), rel=1e-12), name
    assert set(found.by) == {"half-shell", "midpoint"}


def test_midpoints_send_about_half_as_much_between_neighbours(tmp_path: Path, accepted) -> None:
    """A patch meets 7 neighbours by midpoints, and 13 by half shells, both ways.

    Some spreaders of charges and some cells are not where their patches are, and a patch sends
    there, too. How many are depends on the estimated work, so the limits are wide.
    """
    source = written(tmp_path, "half-shell")
    found = json.loads(accepted("check", source, "--ranks", RANKS, "--json").stdout)["messages"]
    half, middle = (found["by"][name] for name in ("half-shell", "midpoint"))
    assert half["messages"] == pytest.approx(26, rel=0.03)
    assert 14 <= middle["messages"] < 16
    assert middle["bytes"] == pytest.approx(7 / 13 * half["bytes"], rel=0.12)
    text = accepted("check", source, "--ranks", RANKS).stdout
    assert f"on average each of {RANKS} processes sends" in text
    assert f"for pairs by midpoints: {middle['messages']:.0f}, " in text
    assert f"{middle['bytes'] / half['bytes']:.2f} times as much" in text


def test_nothing_is_counted_unless_asked_for(tmp_path: Path, accepted) -> None:
    source = written(tmp_path, "midpoint")
    assert "processes sends" not in accepted("check", source).stdout
    assert json.loads(accepted("check", source, "--json").stdout)["messages"] is None


def test_thin_patches_are_counted_with_the_lists_of_the_input(tmp_path: Path) -> None:
    """No key fixes the lists, which are longer where that is faster, and reach further then."""
    found = {}
    for pairs in ("half-shell", "midpoint"):
        more = PATCHES.format(pairs=pairs).replace("[3, 3, 3]", "[8, 8, 8]")
        source = write_waters(tmp_path, water_input + more, Waters(12, 3.728))
        found[pairs] = fg.check(source, ranks=512).messages  # type: ignore[attr-defined]
    one, other = found.values()
    assert one.by["midpoint"].bytes < one.by["half-shell"].bytes
    for name in found:
        assert vars(one.by[name]) == pytest.approx(vars(other.by[name]), rel=1e-12), name


def test_processes_without_a_patch_are_told(tmp_path: Path, accepted) -> None:
    source = written(tmp_path, "half-shell")
    more = accepted("check", source, "--ranks", 4096).stdout
    assert "only 27 of them have a patch; [patches] pes = 4096 divides for all" in more
    assert "only" not in accepted("check", source, "--ranks", 27).stdout.split("messages")[1]
    assert "one process sends nothing" in accepted("check", source, "--ranks", 1).stdout


@pytest.mark.parametrize(
    ("ranks", "limit"), [("0", "at least 1"), ("-3", "at least 1"), ("70000", "65,536")]
)
def test_a_number_out_of_range_is_refused(tmp_path: Path, refused, ranks: str, limit: str) -> None:
    said = refused("check", written(tmp_path, "midpoint"), "--ranks", ranks)
    assert f"--ranks  {ranks}" in said
    assert limit in said
    assert "give a number of processes from 1 to 65,536" in said


def test_a_job_and_another_kind_are_refused(tmp_path: Path, refused) -> None:
    fg.load(written(tmp_path, "midpoint"), tmp_path / "job.h5")
    write_atoms(tmp_path / "si.xyz", bulk("Si", cubic=True))
    other = tmp_path / "si.toml"
    other.write_text('[system]\nkind = "ab-initio"\nstructure = "si.xyz"\n')
    for path, what in ((tmp_path / "job.h5", "a job"), (other, "the kind ab-initio")):
        said = refused("check", path, "--ranks", "4")
        assert f"messages of {what} are not counted" in said
        assert "finegrain map" in said
