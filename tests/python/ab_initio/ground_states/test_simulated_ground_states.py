# SPDX-License-Identifier: BSD-3-Clause
"""Ground states on simulated nodes: the bits of one process, and times that are charged."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ab_initio_systems import INPUT

from finegrain import _engine
from finegrain.ab_initio.preparation.job import make_job
from finegrain.machines.description import Allocation, MachineDescription
from finegrain.machines.networks import OneNode
from finegrain.planning import predict_step
from finegrain.planning.simulated import simulated_step

ROOT = Path(__file__).resolve().parents[4]
ENGINE = ROOT / "build" / "simulated" / "engine" / "app" / "finegrain-engine-smpi"

sys.path.append(str(ROOT / "bench" / "machines"))
from descriptions import description_of  # noqa: E402  (a folder of scripts, not a package)
from machines import MACHINES  # noqa: E402

ONE_NODE = MachineDescription("one node", network=OneNode(), allocation=Allocation((0,), (1,)))
# By kind of arithmetic, in ps (engine/runtime/simulated/operation_times.hpp).
HEADER = ROOT / "engine" / "runtime" / "simulated" / "operation_times.hpp"
(_numbers,) = re.findall(r"operation_picoseconds\{([^}]*)\}", HEADER.read_text())
OPERATION_TIMES = tuple(map(float, _numbers.split(",")))

pytestmark = pytest.mark.nightly  # `make test-nightly` builds the engine for them

CUT = """
[objects]
state_grain = 1
wave_parts = 2
density_parts = 8
pair_groups = 2
tile_grain = 2
pair_chunks = 3
plane_pieces = 2
"""

MOVES = """
[dynamics]
kind = "car-parrinello"
timestep = "0.1 fs"
steps = 3
fictitious_mass = 400
temperature = "0 K"
"""


@pytest.fixture
def job(folder: Path) -> Path:
    """A water whose objects are small."""
    (folder / "water.toml").write_text(INPUT + CUT)
    make_job(folder / "water.toml", folder / "job.h5")
    return folder / "job.h5"


def simulate(job: Path, costs: str, *more: str) -> subprocess.CompletedProcess[str]:
    machine, nodes = MACHINES["bluegene-l"], 8
    platform, hosts = machine.write(job.parent, nodes)
    command = ["smpirun", "-np", str(nodes), "-platform", str(platform), "-hostfile", str(hosts)]
    words = [str(ENGINE), str(job), "--out", str(job.parent / "out"), "--quiet", "--overwrite"]
    return subprocess.run(
        [*command, *machine.options(), *words, "--json", *more],
        env=os.environ | {"TMPDIR": str(job.parent), "FINEGRAIN_SIMULATED_COSTS": costs},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def result(job: Path, costs: str, *more: str) -> dict[str, Any]:
    done = simulate(job, costs, *more)
    for line in done.stdout.splitlines():
        if line.startswith('{"result"'):
            found: dict[str, Any] = json.loads(line)["result"]
            return found
    raise AssertionError(done.stdout + done.stderr)


def test_simulated_nodes_find_the_ground_state_of_one_process(job: Path, tmp_path: Path) -> None:
    there = _engine.run(str(job), str(tmp_path / "there"))
    for map_ in ("plane", "hybrid", "torus-2x2x2-2"):
        assert result(job, "1 1 1", "--map", map_)["state_digest"] == there["state_digest"]


def test_an_iteration_takes_the_time_that_is_charged(job: Path) -> None:
    free, once, again, dear = (
        result(job, costs, "--steps", "2") for costs in ("0 0 0", "1 1 1", "1 1 1", "2 2 2")
    )
    assert once["seconds_per_step"] == again["seconds_per_step"]
    assert free["seconds_per_step"] < once["seconds_per_step"] < dear["seconds_per_step"]
    # Work of a node takes twice as long when it costs twice as much.
    parts = [{one["name"]: one["seconds"] for one in run["parts"]} for run in (once, dear)]
    name = "exchange and correlation"
    assert parts[1][name] == pytest.approx(2 * parts[0][name], rel=1e-6)  # ticks are nanoseconds


def test_ions_cost_what_a_fourth_number_says(folder: Path) -> None:
    (folder / "moving.toml").write_text(INPUT + CUT + MOVES)
    make_job(folder / "moving.toml", folder / "moving.h5")
    parts = [
        {one["name"]: one["seconds"] for one in result(folder / "moving.h5", costs)["parts"]}
        for costs in ("1 1 1", "1 1 1 1", "1 1 1 2")
    ]
    for name in ("ions: local potential and core", "ions: projectors", "ions: Ewald sum"):
        assert parts[0].get(name, 0) == 0
        assert parts[2][name] == pytest.approx(2 * parts[1][name], rel=1e-3)


@pytest.mark.parametrize("cell", ["fixed", "isotropic"])
@pytest.mark.parametrize("method", ["exact", "splines"])
@pytest.mark.parametrize("nodes", [1, 8])
def test_a_prediction_comes_near_the_simulated_step(
    folder: Path, nodes: int, method: str, cell: str
) -> None:
    """Steps of a dynamics are alike; an iteration of a search may need a second evaluation."""
    parts = f'nonlocal_part = "{method}"\nlocal_part = "{method}"\n'
    moves = f'{MOVES}cell = "{cell}"\n'
    (folder / "moving.toml").write_text(INPUT + parts + CUT + moves)
    make_job(folder / "moving.toml", folder / "moving.h5")
    machine = description_of(MACHINES["bluegene-l"], nodes) if nodes > 1 else ONE_NODE
    simulated = simulated_step(folder / "moving.h5", machine, engine=ENGINE).seconds
    # Messages between objects take no time there.
    times = [*OPERATION_TIMES, 0.0]
    contents = (folder / "moving.h5").read_bytes()
    predicted = predict_step("moving", contents, machine, operation_times=times).seconds
    assert predicted == pytest.approx(simulated, rel=0.02 if nodes == 1 else 0.2)


def test_costs_that_are_no_numbers_are_refused(job: Path) -> None:
    done = simulate(job, "1 much 1")
    assert done.returncode
    assert "FINEGRAIN_SIMULATED_COSTS" in done.stdout + done.stderr
