# SPDX-License-Identifier: BSD-3-Clause
"""One trajectory: equal digests on any number of threads, any map, with or without a restart.

Digests cover all bits of positions, velocities and box, so there are no tolerances here. Two more
threads than cores make the order of messages as irregular as possible.
"""

import itertools
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine_jobs import FAST_WATER_FORCES, digest, interrupted, make_job
from tilted_systems import truncated_octahedron, water_files

from finegrain import _engine
from finegrain.classical.job import Job

SMALL_FORCES = FAST_WATER_FORCES | {"mesh": [36, 36, 32]}
NVE = {"ensemble": "nve"}
LANGEVIN = {"ensemble": "nvt", "friction": "2 1/ps"}
OUTPUT = {"energy_interval": 15, "trajectory_interval": 25}
PES = (1, 2, 3, 4, 8)
MAPS = ("block", "hashed")
BALANCERS = ("refine", "greedy", "bisection", "random")


def expect_one_digest(job: Job, out: Path) -> None:
    """Run with every number of threads and both maps, with restarts and with moving objects."""
    expected = digest(job, out, pes=1)
    found = {(pes, name): digest(job, out, pes=pes, map=name) for pes in PES for name in MAPS}
    assert set(found.values()) == {expected}, found
    restarts = {
        "1 then 3": interrupted(job, out, 20, 1, 3),
        "8 then 2, another map": interrupted(job, out, 31, 8, 2, map="hashed"),
        "1 then 2, moving": interrupted(job, out, 20, 1, 2, balance="random", balance_steps=1),
    }
    assert set(restarts.values()) == {expected}, restarts
    assert digest(job, out, pes=3, map="mesh-1-alone") == expected
    moving = {name: digest(job, out, pes=3, balance=name, balance_steps=20) for name in BALANCERS}
    assert set(moving.values()) == {expected}, moving


@pytest.mark.parametrize("precision", ["mixed", "double"])
@pytest.mark.parametrize("dynamics", [NVE, LANGEVIN], ids=["nve", "langevin"])
def test_small_system(tmp_path: Path, dynamics: dict[str, Any], precision: str) -> None:
    """Alanine dipeptide in water, 60 steps: every number of threads with both maps."""
    job = make_job(
        tmp_path / "job",
        "AlanineDipeptideExplicit",
        SMALL_FORCES | {"precision": precision},
        dynamics | {"steps": 60},
        output=OUTPUT,
    )
    expect_one_digest(job, tmp_path / "out")


def test_portable_bits(tmp_path: Path) -> None:
    """They are of the job, other than the fast ones, and of any number of threads."""
    digests = {}
    for bits in ("fast", "portable"):
        job = make_job(
            tmp_path / bits,
            "AlanineDipeptideExplicit",
            SMALL_FORCES | {"bits": bits},
            LANGEVIN | {"steps": 40},
            output=OUTPUT,
        )
        for pes in (1, 3):
            out = tmp_path / f"{bits}-{pes}"
            result = _engine.run(str(job.path), str(out), pes=pes, pin="none")
            assert result["bits"] == bits
            digests.setdefault(bits, set()).add(result["state_digest"])
    assert all(len(found) == 1 for found in digests.values())
    assert digests["fast"] != digests["portable"]


def test_a_truncated_octahedron(tmp_path: Path) -> None:
    """Rigid water in a tilted cell with two patches on each axis."""
    section = water_files(tmp_path, truncated_octahedron(2.7), rigid=True)
    job = make_job(
        tmp_path / "job",
        "x.xml",
        SMALL_FORCES,
        LANGEVIN | {"steps": 60},
        output=OUTPUT,
        system={"kind": "classical"} | section,
    )
    assert np.all(np.asarray(job.settings["patch_grid"]) == 2)
    expect_one_digest(job, tmp_path / "out")


def test_two_restarts_are_as_good_as_none(tmp_path: Path) -> None:
    job = make_job(
        tmp_path / "job",
        "AlanineDipeptideExplicit",
        SMALL_FORCES,
        LANGEVIN | {"steps": 100},
        output=OUTPUT,
    )
    out = tmp_path / "out"
    expected = digest(job, out, pes=2)
    shutil.rmtree(out)
    checkpoint = out / "checkpoint.h5"
    _engine.run(str(job.path), str(out), pes=2, stop_after=20)
    _engine.run(str(job.path), str(out), pes=1, resume=str(checkpoint), stop_after=60)
    last = _engine.run(str(job.path), str(out), pes=2, resume=str(checkpoint))
    assert last["state_digest"] == expected


@pytest.mark.parametrize("dynamics", [NVE, LANGEVIN], ids=["nve", "langevin"])
def test_a_prolonged_run_is_the_long_run(tmp_path: Path, dynamics: dict[str, Any]) -> None:
    """The last step of the short run is not an energy step of the long run."""
    job = make_job(
        tmp_path / "job",
        "AlanineDipeptideExplicit",
        SMALL_FORCES,
        dynamics | {"steps": 80},
        output=OUTPUT,
    )
    out = tmp_path / "out"
    expected = digest(job, out, pes=2)
    shutil.rmtree(out)
    _engine.run(str(job.path), str(out), pes=2, steps=40)
    longer = _engine.run(str(job.path), str(out), pes=2, resume=str(out / "checkpoint.h5"))
    assert longer["state_digest"] == expected


def test_another_seed_is_another_trajectory(tmp_path: Path) -> None:
    """The digest detects the difference."""
    digests = {
        digest(
            make_job(
                tmp_path / f"job{seed}",
                "AlanineDipeptideExplicit",
                SMALL_FORCES,
                LANGEVIN | {"steps": 20, "seed": seed},
            ),
            tmp_path / "out",
            pes=2,
        )
        for seed in (1, 2)
    }
    assert len(digests) == 2


DHFR_FORCES = {
    "cutoff": "9 Å",
    "electrostatics": "pme",
    "mesh": [64, 64, 64],
    "spline_order": 4,
    "ewald_coefficient": "0.35 1/Å",
    "rebuild_interval": 20,
}


def test_dhfr(tmp_path: Path) -> None:
    """A protein in water, mixed precision, Langevin, 40 steps; the full matrix is below."""
    job = make_job(
        tmp_path / "job", "DHFRExplicit", DHFR_FORCES, LANGEVIN | {"steps": 40}, output=OUTPUT
    )
    out = tmp_path / "out"
    expected = digest(job, out, pes=2)
    assert digest(job, out, pes=3, map="hashed") == expected
    assert interrupted(job, out, 20, 1, 2) == expected


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("processors", "pairs"),
    [
        *itertools.product([512, 1024, 4096], [{"pairs": "half-shell"}, {"pairs": "midpoint"}]),
        (512, {"pairs": "midpoint", "cells": [8, 8, 16]}),
    ],
)
def test_dhfr_for_many_processors(tmp_path: Path, processors: int, pairs: dict[str, Any]) -> None:
    """A protein in water in hundreds to thousands of patches, on any number of threads."""
    job = make_job(
        tmp_path / "job",
        "DHFRExplicit",
        {"cutoff": "9 Å", "electrostatics": "pme", "rebuild_interval": 6},
        LANGEVIN | {"steps": 12},
        patches={"pes": processors, **pairs},
    )
    assert math.prod(job.settings["patch_grid"]) >= processors / 2
    out = tmp_path / "out"
    expected = digest(job, out, pes=1)
    assert digest(job, out, pes=3, map="hashed") == expected
    assert interrupted(job, out, 2, 2, 1) == expected


@pytest.mark.physics
@pytest.mark.parametrize("precision", ["mixed", "double"])
@pytest.mark.parametrize("dynamics", [NVE, LANGEVIN], ids=["nve", "langevin"])
def test_dhfr_full_matrix(tmp_path: Path, dynamics: dict[str, Any], precision: str) -> None:
    """200 steps on 1, 2, 3, 4 and 8 threads with two maps, with a restart in the middle."""
    job = make_job(
        tmp_path / "job",
        "DHFRExplicit",
        DHFR_FORCES | {"precision": precision},
        dynamics | {"steps": 200},
        output=OUTPUT,
    )
    out = tmp_path / "out"
    found = {(pes, name): digest(job, out, pes=pes, map=name) for pes in PES for name in MAPS}
    for first, second in ((1, 4), (2, 1), (8, 3)):
        found[first, f"then {second}"] = interrupted(job, out, 100, first, second)
    print(f"DHFR, 200 steps, {dynamics['ensemble']}, {precision}: {set(found.values())}")
    assert len(set(found.values())) == 1, found
