# SPDX-License-Identifier: BSD-3-Clause
"""The engine in processes that SimGrid simulates: the same bits, and the machine's own clock."""

import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from engine_jobs import WATER_FORCES, make_job

from finegrain import _engine
from finegrain.machines.description import Allocation, MachineDescription, Processor
from finegrain.machines.networks import Torus
from finegrain.planning import known_machine
from finegrain.planning.simulated import SimulatedStep, simulated_step

ROOT = Path(__file__).resolve().parents[4]
PROGRAMS = ROOT / "build" / "simulated"
ENGINE = PROGRAMS / "engine" / "app" / "finegrain-engine-smpi"

sys.path.insert(0, str(ROOT / "bench" / "machines"))
from machines import MACHINES  # noqa: E402  (a folder of scripts, not a package)

pytestmark = pytest.mark.nightly  # `make test-nightly` builds these programs


def start(
    folder: Path, machine: str, nodes: int, *words: object, speed: object = ""
) -> subprocess.CompletedProcess[str]:
    platform, hosts = MACHINES[machine].write(folder, nodes)
    command = ["smpirun", "-np", str(nodes), "-platform", str(platform), "-hostfile", str(hosts)]
    more = {"FINEGRAIN_SIMULATED_SPEED": str(speed)} if speed else {}
    return subprocess.run(
        [*command, *MACHINES[machine].options(), *map(str, words)],
        env=os.environ | {"TMPDIR": str(folder)} | more,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def simulate(folder: Path, machine: str, nodes: int, *words: object, speed: object = "") -> str:
    done = start(folder, machine, nodes, *words, speed=speed)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(folder: Path, nodes: int, job: Path, steps: int, speed: object = "") -> dict[str, Any]:
    words = (ENGINE, job, "--out", folder / "out", "--steps", steps, "--json", "--overwrite")
    lines = simulate(folder, "bluegene-q", nodes, *words, speed=speed).splitlines()
    results = [json.loads(line)["result"] for line in lines if line.startswith('{"result"')]
    assert len(results) == 1
    found: dict[str, Any] = results[0]
    return found


@pytest.mark.parametrize("machine", MACHINES)
def test_eight_simulated_nodes_end_where_one_process_does(tmp_path: Path, machine: str) -> None:
    job = make_job(tmp_path / "job", "water", WATER_FORCES, {"steps": 20})
    out = simulate(tmp_path, machine, 8, ENGINE, job.path, "--out", tmp_path / "here", "--quiet")
    there = _engine.run(str(job.path), str(tmp_path / "there"))
    assert f"state_digest {there['state_digest']}" in out


# No rebuild but the first, no pruning and no energies between the two lengths of runs below.
PLAIN = WATER_FORCES | {"rebuild_interval": 20, "prune_interval": 5}
SHORT, LONG = 6, 14


def test_computing_takes_simulated_time_and_changes_no_bits(tmp_path: Path) -> None:
    job = make_job(tmp_path / "job", "water", PLAIN, {"steps": 20})
    free = run(tmp_path, 8, job.path, 20)
    first, second = (run(tmp_path, 8, job.path, 20, speed=0.1) for _ in range(2))
    there = _engine.run(str(job.path), str(tmp_path / "there"))
    assert free["state_digest"] == first["state_digest"] == there["state_digest"]
    assert first == second
    assert first["seconds_per_step"] > 2 * free["seconds_per_step"]


@pytest.mark.parametrize("speed", [0.1, 2.0])
def test_a_step_of_one_node_takes_its_counted_work(tmp_path: Path, speed: float) -> None:
    job = make_job(tmp_path / "job", "water", PLAIN, {"steps": 20})
    estimate = _engine.estimate_steps("job", job.path.read_bytes(), 1)[0]
    assert estimate["parts"]["bonded forces"] == 0  # all waters are rigid
    # So the bonded computes, one for each patch, have nothing to do. The estimate counts them as
    # objects, for 1.9 us each (engine/forces/costs/work_times.hpp).
    expected = estimate["core_seconds"] - 1.9e-6 * math.prod(job.settings["patch_grid"])
    short, long = (run(tmp_path, 1, job.path, steps, speed=speed) for steps in (SHORT, LONG))
    walls = [one["seconds_per_step"] * one["steps"] for one in (short, long)]
    step = (walls[1] - walls[0]) / (LONG - SHORT)
    # The estimate finds pairs by cells, as near as in pair_counts_test.cpp.
    tolerance = 0.05 * estimate["parts"]["pair forces"] / speed
    assert step == pytest.approx(expected / speed, abs=tolerance)
    # All of it is in entries, where phases show it.
    work = [
        sum(row["seconds"] for row in one["phases"] if row["name"] != "idle")
        for one in (short, long)
    ]
    assert (work[1] - work[0]) / (LONG - SHORT) == pytest.approx(step, rel=1e-3)


def test_steps_are_simulated_for_a_machine_of_finegrain_map(tmp_path: Path) -> None:
    job = make_job(tmp_path / "job", "water", PLAIN, {"steps": 20})
    machine = MachineDescription(
        name="ring",
        network=Torus((32,), (True,)),
        allocation=Allocation(tuple(range(8)), (1,) * 8),
        processor=Processor(core_speed=0.5, send_time=1.0, receive_time=1.0),
        link_bandwidth=(1.8,),
        link_latency=(1000.0,),
    )
    near, far = (
        simulated_step(job.path, one, steps=(SHORT, LONG), engine=ENGINE)
        for one in (machine, machine.with_nodes(range(0, 32, 4), 1))
    )
    assert near.state_digest == far.state_digest
    assert near.messages == far.messages
    # A hop takes a millisecond, which is more than all else, and there are four times as many. On
    # the ring the longest ways have 7 and 16 of them.
    assert far.seconds > 1.5 * near.seconds
    assert near.phases["idle"] > 0.5 * near.seconds
    assert sum(near.phases.values()) == pytest.approx(near.seconds, rel=0.02)


def test_machines_that_are_no_cluster_of_simgrid_are_simulated_by_their_routes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = make_job(tmp_path / "job", "water", PLAIN, {"steps": 20})
    ring = MachineDescription(
        name="ring",
        network=Torus((9,), (True,)),  # of an odd length: there is one shortest way
        allocation=Allocation(tuple(range(8)), (1,) * 8),
        processor=Processor(core_speed=0.5, send_time=1.0, receive_time=1.0),
        link_bandwidth=(1.8,),
        link_latency=(100.0,),
    )
    line = replace(ring, network=Torus((9,), (False,)))

    def step_on(machine: MachineDescription) -> SimulatedStep:
        return simulated_step(job.path, machine, steps=(SHORT, LONG), engine=ENGINE)

    as_cluster, as_line = step_on(ring), step_on(line)
    titan = step_on(known_machine("titan", 8))  # with two nodes at a router
    monkeypatch.setattr("finegrain.planning.simulated.cluster_of", lambda machine: None)
    by_routes = step_on(ring)
    digests = {one.state_digest for one in (by_routes, as_cluster, as_line, titan)}
    assert len(digests) == 1
    assert by_routes.seconds == pytest.approx(as_cluster.seconds, rel=0.01)
    # The ends of the line are 7 hops from each other, and 2 on the ring.
    assert as_line.seconds > 1.1 * as_cluster.seconds


@pytest.mark.parametrize("speed", ["fast", "0", "-1", "1 2", "inf"])
def test_speeds_that_are_none_are_refused(tmp_path: Path, speed: str) -> None:
    job = make_job(tmp_path / "job", "water", PLAIN, {"steps": 2})
    words = (ENGINE, job.path, "--out", tmp_path / "out")
    done = start(tmp_path, "bluegene-q", 1, *words, speed=speed)
    assert done.returncode != 0
    assert "FINEGRAIN_SIMULATED_SPEED" in done.stderr
    assert speed in done.stderr


def transform(folder: Path, by: str) -> dict[str, Any]:
    program = PROGRAMS / "bench" / "simulated" / "transform_table"
    words = (16, "pencils", "8x8", by, "both", 1, 1)
    result: dict[str, Any] = json.loads(simulate(folder, "bluegene-q", 8, program, *words))
    return result


def test_simulated_times_are_the_same_each_time(tmp_path: Path) -> None:
    first, second = transform(tmp_path, "exchanges"), transform(tmp_path, "exchanges")
    assert first == second
    assert first["us"] > 0
    assert first["error"] < 1e-12


def test_many_to_many_takes_less_time_than_messages(tmp_path: Path) -> None:
    assert transform(tmp_path, "exchanges")["us"] < transform(tmp_path, "messages")["us"]


@pytest.mark.parametrize("shape", [("slabs", "8"), ("pencils", "2x4"), ("bricks", "2x2x2")])
def test_any_decomposition_is_transformed(tmp_path: Path, shape: tuple[str, str]) -> None:
    program = PROGRAMS / "bench" / "simulated" / "transform_table"
    words = (16, *shape, "messages", "forward", 0.25, 1)
    result = json.loads(simulate(tmp_path, "bluegene-l", 8, program, *words))
    # exchanges: between slabs one, pencils two, from bricks over lines of three axes to bricks four
    assert result["exchanges"] == {"slabs": 1, "pencils": 2, "bricks": 4}[shape[0]]
    assert result["error"] < 1e-12
