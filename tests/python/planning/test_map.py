# SPDX-License-Identifier: BSD-3-Clause
"""The command `map`, and the page that shows it."""

import json
import re
import socket
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import finegrain as fg
from finegrain.ab_initio.preparation import memory as ab_initio
from finegrain.classical.preparation import memory as classical
from finegrain.engine.mpi import find_mpi
from finegrain.errors import ResourceError
from finegrain.kinds.new_job import write_job
from finegrain.machines import read_machine
from finegrain.machines.rank_files import KINDS
from finegrain.planning import USUAL_RELIEF, known_machines, plan_places, traffic_of_job
from finegrain.planning.report import CELLS, PICTURE, RANK_FILES
from finegrain.terminal.commands.examples import EXAMPLES

PAGE = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "plan.md"


@pytest.fixture
def here(tmp_path, monkeypatch, accepted):
    """Return an empty folder with the page's machine, and inputs of `finegrain init`."""
    monkeypatch.chdir(tmp_path)
    accepted("init", "water")
    accepted("init", "ice")
    ice = tmp_path / "ice.toml"
    ice.write_text(ice.read_text() + "\n[objects]\npes = 64\n")
    (machine,) = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "torus.toml").write_text(machine)
    return tmp_path


def test_the_page_can_be_followed(here, accepted):
    (here / "traffic.txt").write_text("".join(f"{i} {(i + 1) % 64} 1000\n" for i in range(64)))
    commands = re.findall(r"^finegrain (map .*)$", PAGE.read_text(), re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        text = accepted(*command.split()).stdout
        assert "of the bytes of the random one on its heaviest link" in text
    written = {path.name for path in (here / "places").iterdir()}
    assert written == {*RANK_FILES.values(), PICTURE, CELLS["patches"]}
    of_ice = {path.name for path in (here / "ice-places").iterdir()}
    assert of_ice == {*RANK_FILES.values(), PICTURE, CELLS["parts of orbitals"]}
    named = re.findall(r"`([\w.]+\.(?:slurm|openmpi|mpich|png))`", PAGE.read_text())
    assert set(named) == written | of_ice
    assert set(RANK_FILES) == set(KINDS)


def test_the_examples_of_the_help_work(here, accepted):
    (here / "traffic.txt").write_text("0 1 1000\n1 2 500\n")
    accepted("init", "machine")
    for example, _ in EXAMPLES["map"]:
        accepted(*example.split()[1:])
    assert read_machine("machine.toml").ranks == 32


def test_json_has_all_placements_and_phases(here, accepted):
    found = json.loads(accepted("map", "water.toml", "--machine", "torus.toml", "--json").stdout)
    assert found["ranks"] == 64
    placements = found["placements"]
    assert set(placements) == {"random", "native", "adapted"}
    assert found["relief"] == USUAL_RELIEF
    for one in placements.values():
        assert sorted(one["place_of_rank"]) == list(range(64))
        assert one["hop_bytes"] > 0
    assert placements["adapted"]["hop_bytes"] <= placements["native"]["hop_bytes"]
    assert placements["adapted"]["hop_bytes"] < placements["random"]["hop_bytes"]
    phases = found["phases"]
    # Some spreaders are not in the process of their patch.
    assert phases["positions"]["messages"] >= phases["pair forces"]["messages"] > 0
    assert phases["charges"]["messages"] == phases["potentials"]["messages"] > 0


def test_the_relief_is_that_of_the_command_and_the_help_names_the_usual_one(here, accepted):
    words = ("map", "water.toml", "--machine", "torus.toml", "--relief", "0.15")
    assert json.loads(accepted(*words, "--json").stdout)["relief"] == 0.15
    assert "15 % more hop-bytes" in accepted(*words).stdout
    assert f"({USUAL_RELIEF})" in accepted("map", "--help").stdout


def test_the_number_of_nodes_is_that_of_the_command(here, accepted):
    words = ("map", "water.toml", "--machine", "torus.toml", "--nodes", "4", "--json")
    assert json.loads(accepted(*words).stdout)["ranks"] == 4
    assert json.loads(accepted(*words, "--ranks-per-node", "2").stdout)["ranks"] == 8


@pytest.mark.parametrize("name", known_machines())
def test_machines_known_by_name_need_no_file(name, here, accepted):
    words = ("map", "water.toml", "--machine", name, "--nodes", "27", "--json")
    found = json.loads(accepted(*words).stdout)
    assert found["machine"] == name
    assert found["ranks"] == 27
    assert f"`{name}`" in PAGE.read_text() or f"--machine {name} " in PAGE.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("water.toml",), "a machine is needed"),
        (("--machine", "torus.toml"), "an input or a matrix is needed"),
        (("water.toml", "--machine", "torus.toml", "--matrix", "m.txt"), "and not both"),
        (("water.toml", "--machine", "none.toml"), "none.toml"),
        (("water.toml", "--machine", "torus.toml", "--nodes", "65"), "64"),
        (("water.toml", "--machine", "titan"), "add --nodes N"),
        (("water.toml", "--machine", "titn", "--nodes", "4"), "did you mean titan?"),
        (("water.toml", "--machine", "titan", "--nodes", "9999999"), "9999999"),
        (("water.toml", "--machine", "torus.toml", "--nodes", "0"), "--nodes"),
        (("water.toml", "--machine", "torus.toml", "--map", "near"), "there is no such map"),
        (("water.toml", "--machine", "torus.toml", "--relief", "2"), "is a share of the hop-bytes"),
        (("none.toml", "--machine", "torus.toml"), "none.toml"),
    ],
)
def test_what_cannot_be_is_refused(words, message, here, refused):
    assert message in refused("map", *words)


def test_files_are_replaced_only_on_request(here, accepted, refused):
    words = ("map", "water.toml", "--machine", "torus.toml", "--out", "places")
    accepted(*words)
    assert "is there already" in refused(*words)
    accepted(*words, "--overwrite")


def test_phases_of_an_ab_initio_job_are_those_of_the_page(here, accepted):
    words = ("map", "ice.toml", "--machine", "torus.toml")
    found = json.loads(accepted(*words, "--json").stdout)
    assert found["step"] == "iteration of the search"
    section = PAGE.read_text().partition("\n## Ab initio jobs\n")[2].partition("\n##")[0]
    cells = re.findall(r"^\| ([a-z, ]+) \| ", section, re.MULTILINE)
    named = {name for cell in cells for name in cell.split(", ")} - {"phase"}
    assert named == set(found["phases"])
    phases = found["phases"]
    assert phases["orbital rows"]["messages"] > 0
    # A sum may have to go on to its part of the density; the potential comes straight from there.
    assert 0 < phases["potential"]["messages"] <= phases["density sums"]["messages"]
    adapted, native = (found["placements"][name]["hop_bytes"] for name in ("adapted", "native"))
    assert 0 < adapted <= native
    text = accepted(*words).stdout
    assert "parts of orbitals" in text
    assert "in an iteration of the search" in text


def test_steps_of_a_dynamics_are_counted(here, accepted):
    text = (here / "ice.toml").read_text()
    keys = 'kind = "car-parrinello"\ntemperature = "300 K"\ntimestep = "0.1 fs"\nsteps = 1000\n'
    text = re.sub(r'^kind = "ground-state".*\n', keys, text, flags=re.MULTILINE)
    (here / "motion.toml").write_text(text)
    words = ("--machine", "torus.toml", "--nodes", "2", "--pes", "1", "--json")
    step = json.loads(accepted("map", "motion.toml", *words).stdout)
    search = json.loads(accepted("map", "ice.toml", *words).stdout)
    assert (step["step"], search["step"]) == ("step", "iteration of the search")
    # Both have one evaluation.
    for phase in ("orbital rows", "density sums", "potential", "projectors"):
        assert step["phases"][phase] == search["phases"][phase]
    # Forces of 24 ions are summed up in a step; in an iteration, products of remembered vectors.
    assert step["phases"]["sums"] != search["phases"]["sums"]


@pytest.mark.parametrize(
    ("name", "memory", "look"),
    [("water", classical, "map"), ("water", classical, "predict"), ("ice", ab_initio, "map")],
)
def test_a_job_may_be_too_large_for_this_machine(name, memory, look, here, accepted, monkeypatch):
    limits = []
    monkeypatch.setattr(memory, "allowed_memory", lambda: limits.append(1) or (1e3, "this has"))
    with pytest.raises(ResourceError, match="more memory than this has"):
        write_job(here / f"{name}.toml", here / "job.h5")
    assert limits
    accepted(look, f"{name}.toml", "--machine", "torus.toml", "--nodes", "2", "--pes", "1")


@pytest.mark.parametrize("order", ["block", "cyclic"])
def test_a_run_sends_on_its_adapted_places_what_was_counted(order, here):
    """Its objects are placed by host, and hosts are others there."""
    write_job(here / "water.toml", here / "job.h5")
    job = (here / "job.h5").read_bytes()
    text = (here / "torus.toml").read_text().replace("lengths = [4, 4, 4]", "lengths = [2, 2, 2]")
    text = text.replace("ranks_per_node = 1", f'ranks_per_node = 2\norder = "{order}"')
    (here / "two.toml").write_text(text)
    machine = read_machine("two.toml")
    native = np.array(machine.allocation.node_of_rank)
    counted = traffic_of_job("water", job, 16, hosts=native.tolist())
    plan = plan_places(machine, counted.whole, counted.positions, hosts_together=True)
    adapted = native[plan.placements["adapted"].place_of_rank]
    assert (adapted != native).any()
    again = traffic_of_job("water", job, 16, hosts=adapted.tolist())
    for name, phase in counted.phases.items():
        assert_array_equal(phase.sender, again.phases[name].sender)
        assert_array_equal(phase.bytes, again.phases[name].bytes)


@pytest.mark.skipif(not find_mpi("openmpi").usable, reason="Open MPI is not usable")
def test_ranks_start_where_the_rank_file_says(here, accepted):
    """The engine by hand, as the page has it: the same bits as in one process."""
    (here / "here.toml").write_text(
        f'[machine]\nkind = "torus"\nlengths = [1]\nhosts = ["{socket.gethostname()}"]\n'
        '[node]\ncores = 2\n[allocation]\nnodes = "all"\nranks_per_node = 2\n'
    )
    source = here / "water.toml"
    text = re.sub(r"(?m)^steps = .*$", "steps = 4", source.read_text())
    source.write_text(text.replace('method = "l-bfgs"', 'method = "none"'))
    accepted("map", "water.toml", "--machine", "here.toml", "--pes", "1", "--out", "places")
    job = fg.load(source, here / "job.h5")
    mpi = find_mpi("openmpi")
    words = [mpi.launcher, "--rankfile", "places/rankfile.openmpi", "-n", "2"]
    words += [mpi.executable, "job.h5", "--out", "two", "--pes", "1", "--pin", "none"]
    with mpi.environment() as variables:
        done = subprocess.run(
            [*map(str, words), "--json"],
            env=variables,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    (result,) = [event["result"] for event in events if "result" in event]
    assert result["ranks"] == 2
    assert result["state_digest"] == fg.run(job, here / "one", pes=1).state_digest
