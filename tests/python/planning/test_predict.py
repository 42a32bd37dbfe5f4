# SPDX-License-Identifier: BSD-3-Clause
"""The command `predict`, and the page that shows it."""

import json
import re
from pathlib import Path

import pytest

from finegrain.machines import read_machine
from finegrain.planning import Predictions, StepPrediction, predict_step, traffic_of_job
from finegrain.planning.prediction_report import PICTURE, what_holds
from finegrain.planning.simulated import SimulatedStep
from finegrain.terminal.commands.examples import EXAMPLES

PAGE = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "plan.md"


@pytest.fixture
def here(tmp_path, monkeypatch, accepted):
    """Return an empty folder with the input of `finegrain init water` and the page's machine."""
    monkeypatch.chdir(tmp_path)
    accepted("init", "water")
    (machine,) = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "torus.toml").write_text(machine)
    return tmp_path


@pytest.fixture
def found(here, accepted):
    """Return what the command says of one PE on each of some nodes."""

    def of(*words):
        words = ("predict", "water.toml", "--machine", "torus.toml", "--pes", "1", "--json", *words)
        return json.loads(accepted(*words).stdout)

    return of


@pytest.mark.usefixtures("here")
def test_the_page_can_be_followed(accepted):
    commands = re.findall(r"^finegrain (predict .*)$", PAGE.read_text(), re.MULTILINE)
    assert len(commands) == 2  # classical, and an input of `finegrain init ice`
    accepted("init", "ice")
    for command in commands:
        text = accepted(*command.split()).stdout
        rows = re.findall(r"^ *(\d+) +(\d+) +[\d.]+ +[\d.,-]+ +\d+ % ", text, re.MULTILINE)
        assert rows == [(str(n), str(n)) for n in (1, 2, 4, 8, 16)]
        assert "worth using" in text.splitlines()[-1]


@pytest.mark.usefixtures("here")
def test_the_examples_of_the_help_work(accepted):
    accepted("init", "machine")
    for example, _ in EXAMPLES["predict"]:
        accepted(*example.split()[1:])


def test_parts_add_up_to_the_step_on_every_number_of_nodes(found):
    steps = found("--nodes", "1", "2", "4", "8")["predictions"]
    assert [one["nodes"] for one in steps] == [1, 2, 4, 8]
    for one in steps:
        for parts in ("mean", "most", "path"):
            # Times are whole picoseconds; each part may have lost one.
            assert sum(one[parts].values()) == pytest.approx(one["seconds"], abs=1e-11)
        assert max(one["most"].values()) <= one["seconds"]
        # A PE on the average does its share of the work.
        work = sum(time for part, time in one["mean"].items() if part not in ("messages", "waits"))
        assert work == pytest.approx(one["core_seconds"] / one["pes"], rel=0.2)
    first = steps[0]
    assert first["messages"] == 0
    assert first["busiest_link"] == ""
    assert first["mean"]["waits"] == pytest.approx(0, abs=1e-3 * first["seconds"])
    # Only bonded computes that have nothing to do are in the sum alone.
    assert first["seconds"] == pytest.approx(first["core_seconds"], rel=0.02)
    assert [one["efficiency"] for one in steps] == pytest.approx(
        [first["seconds"] / one["nodes"] / one["seconds"] for one in steps]
    )


def test_a_core_that_is_half_as_fast_takes_twice_as_long(here, found):
    (fast,) = found("--nodes", "1")["predictions"]
    text = (here / "torus.toml").read_text().replace("cores = 16", "cores = 16\ncore_speed = 0.5")
    (here / "torus.toml").write_text(text)
    answer = found("--nodes", "1")
    (slow,) = answer["predictions"]
    assert slow["seconds"] == pytest.approx(2 * fast["seconds"], rel=1e-6)
    assert "core_speed" not in answer["assumed"]
    assert "send_time" in answer["assumed"]


def test_slow_messages_make_fewer_nodes_worth_using(here, found):
    numbers = ("--nodes", "1", "2", "4", "8", "16")
    usual = found(*numbers)
    slow = 'cores = 16\nsend_time = "100 us"\nreceive_time = "100 us"'
    text = (here / "torus.toml").read_text().replace("cores = 16", slow)
    (here / "torus.toml").write_text(text)
    slowed = found(*numbers)
    assert slowed["worth_nodes"] < usual["worth_nodes"]
    assert "held by messages" in slowed["sentence"]


def test_the_efficiency_that_is_worth_it_is_that_of_the_command(found):
    numbers = ("--nodes", "1", "2", "4", "8", "16")
    strict, loose = (found(*numbers, "--efficiency", x)["worth_nodes"] for x in ("0.9", "0.1"))
    assert strict < loose


def test_numbers_of_nodes_are_those_of_the_job_without_any(found):
    assert [one["nodes"] for one in found()["predictions"]] == [1, 2, 4, 8, 16, 32, 64]


def test_a_job_is_divided_anew_for_each_number_of_nodes(found):
    answer = found("--nodes", "1", "8", "--divide")
    own, divided = answer["predictions"], answer["divided"]
    assert own[0]["shape"] == own[1]["shape"]
    assert divided[0]["objects"] < divided[1]["objects"]
    # The input is divided for 8 PEs already.
    assert divided[1] == own[1] | {"efficiency": divided[1]["efficiency"]}
    assert divided[0]["seconds"] < own[0]["seconds"]


def test_simgrid_has_a_column_of_its_own(here, accepted, monkeypatch):
    """A stand-in for SimGrid; tests/python/engine/processes/test_simulated.py has the real one."""
    seen = []

    def stand_in(job, machine):
        seen.append((job.read_bytes()[:4], machine.ranks))
        return SimulatedStep(0.001234, {}, 0.0, "")

    monkeypatch.setattr("finegrain.planning.prediction.simulated_step", stand_in)
    words = ("predict", "water.toml", "--machine", "torus.toml", "--nodes", "1", "2")
    words += ("--pes", "1", "--simulate")
    text = accepted(*words).stdout
    assert re.search(r"waits +simulated$", text, re.MULTILINE)
    assert len(re.findall(r"% +1\.234$", text, re.MULTILINE)) == 2
    assert json.loads(accepted(*words, "--json").stdout)["simulated"] == [0.001234, 0.001234]
    assert seen == 2 * [(b"\x89HDF", 1), (b"\x89HDF", 2)]


def test_without_simgrid_the_remedy_is_named(here, refused, monkeypatch):
    monkeypatch.setenv("PATH", str(here))
    words = ("water.toml", "--machine", "torus.toml", "--nodes", "2", "--pes", "1", "--simulate")
    assert "make build-simulated" in refused("predict", *words, status=2)


def test_a_picture_is_replaced_only_on_request(here, accepted, refused):
    words = ("predict", "water.toml", "--machine", "torus.toml", "--nodes", "1", "2", "--out", "p")
    accepted(*words)
    assert (here / "p" / PICTURE).read_bytes().startswith(b"\x89PNG")
    assert "is there already" in refused(*words)
    accepted(*words, "--overwrite")


def test_more_pes_than_patches_are_named(here, accepted):
    text = accepted("predict", "water.toml", "--machine", "torus.toml", "--nodes", "1", "4").stdout
    assert "From 1 node on there are more PEs than the job's 8 patches. --divide shows" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("water.toml",), "a machine is needed"),
        (("water.toml", "--machine", "none.toml"), "none.toml"),
        (("water.toml", "--machine", "torus.toml", "--nodes", "1", "65"), "64"),
        (("water.toml", "--machine", "torus.toml", "--nodes", "0"), "--nodes"),
        (("water.toml", "--machine", "torus.toml", "--nodes", "1", "two"), "takes a whole number"),
        (("water.toml", "--machine", "titan"), "add --nodes N"),
        (("water.toml", "--machine", "titn", "--nodes", "4"), "did you mean titan?"),
        (("water.toml", "--machine", "torus.toml", "--efficiency", "1.5"), "at most 1"),
        (("water.toml", "--machine", "torus.toml", "--efficiency", "nan"), "at most 1"),
        (("water.toml", "--machine", "torus.toml", "--map", "near"), "there is no such map"),
        (("water.toml", "--machine", "torus.toml", "--pes", "0"), "--pes"),
        (("none.toml", "--machine", "torus.toml"), "none.toml"),
        (("water.toml", "--machine", "torus.toml", "--simulate"), "--ranks-per-node 1 --pes 1"),
        (("job.h5", "--machine", "torus.toml", "--nodes", "1", "--divide"), "divided already"),
    ],
)
@pytest.mark.usefixtures("here")
def test_what_cannot_be_is_refused(words, message, refused):
    assert message in refused("predict", *words)


@pytest.fixture
def ice(here, accepted):
    """Return the input of a ground state, of which each number of nodes has its own division."""
    accepted("init", "ice")
    (here / "ice.toml").write_text((here / "ice.toml").read_text() + "[objects]\npes = 8\n")
    return "ice.toml"


def predicted(accepted, *words):
    """Return what the command says of one PE on each of some nodes."""
    common = ("--machine", "torus.toml", "--pes", "1", "--json")
    return json.loads(accepted("predict", *words, *common).stdout)


def test_an_iteration_of_a_ground_state_is_predicted(ice, accepted):
    steps = predicted(accepted, ice, "--nodes", "1", "2", "4", "8")["predictions"]
    for one in steps:
        assert one["step"] == "iteration of the search"
        assert one["ns_per_day"] == 0
        assert list(one["path"]) == [
            "transforms",
            "products",
            "other work",
            "density transforms",
            "work for ions",
            "messages",
            "links",
            "waits",
        ]
        for parts in ("mean", "most", "path"):
            assert sum(one[parts].values()) == pytest.approx(one["seconds"], abs=1e-11)
    first, *more = steps
    assert first["messages"] == 0
    assert first["mean"]["waits"] == pytest.approx(0, abs=1e-3 * first["seconds"])
    assert first["seconds"] == pytest.approx(first["core_seconds"], rel=1e-6)
    for one in more:
        assert one["core_seconds"] == pytest.approx(first["core_seconds"], rel=0.1)
        assert first["seconds"] / one["pes"] < one["seconds"] < first["seconds"]
    text = accepted("predict", ice, "--machine", "torus.toml", "--nodes", "1", "2").stdout
    assert "ms an iteration" in text


def test_a_step_of_a_dynamics_of_electrons_is_predicted(here, accepted):
    accepted("init", "car-parrinello")
    (one,) = predicted(accepted, "car-parrinello.toml", "--nodes", "2")["predictions"]
    assert one["step"] == "step"
    assert one["timestep_fs"] == pytest.approx(0.1)
    assert one["ns_per_day"] == pytest.approx(0.1 * 86400e-6 / one["seconds"])


def test_an_ab_initio_job_is_divided_anew_for_each_number_of_nodes(ice, accepted):
    answer = predicted(accepted, ice, "--nodes", "1", "8", "--divide")
    own, divided = answer["predictions"], answer["divided"]
    assert divided[0]["objects"] < divided[1]["objects"]
    # The input is divided for 8 PEs already.
    assert divided[1] == own[1] | {"efficiency": divided[1]["efficiency"]}


def test_times_of_operations_may_be_given(here, ice, accepted):
    from finegrain.errors import InputError
    from finegrain.kinds.new_job import write_job

    write_job(here / ice, here / "ice.h5")
    machine = read_machine("torus.toml").with_first_nodes(1, 1)
    job = (here / "ice.h5").read_bytes()
    kinds = (
        "transforms",
        "products",
        "other work",
        "density transforms",
        "work for ions",
        "messages",
    )
    counts = []
    for kind in kinds:
        times = [1.0 if kind == one else 0.0 for one in kinds]
        found = predict_step("ice", job, machine, operation_times=times)
        assert found.mean[kind] == pytest.approx(found.seconds, rel=1e-6)
        counts.append(1e12 * found.seconds)
    # Operations are those that `finegrain map` counts.
    work = traffic_of_job("ice", job, 1, 1, hosts=[0], map="cost").work
    assert sum(counts[:5]) == pytest.approx(work.sum(), rel=1e-3)
    with pytest.raises(InputError, match="six times"):
        predict_step("ice", job, machine, operation_times=[1.0])


def test_the_sentence_names_the_key_of_the_kind(ice, accepted):
    words = (ice, "--nodes", "1", "16", "--divide", "--efficiency", "0.01")
    answer = predicted(accepted, *words)
    if answer["worth_pes"] is None:
        pytest.fail(answer["sentence"])
    assert f"[objects] pes = {answer['worth_pes']} in the input" in answer["sentence"]


def made_up(nodes, seconds, **other):
    """Return a prediction with a chain of its own."""
    path = other.pop("path", {"pair forces": seconds, "messages": 0.0, "links": 0.0, "waits": 0.0})
    fields = {
        "mean": path,
        "most": path,
        "path": path,
        "messages": 1.0,
        "bytes": 1.0,
        "busy_share": 0.0,
        "busiest_link": "X+ of (0)",
        "longest_task": 0.0,
        "part_of_longest": "pair forces",
        "step": "step",
        "cells": "patches",
        "shape": (2, 2, 2),
        "division": "4 pair computes each",
        "fit": "nothing",
        "objects": 68,
        "core_seconds": seconds,
        "imbalance": 1.0,
        "timestep_fs": 2.0,
    }
    return StepPrediction(nodes, nodes, seconds, **fields | other)


@pytest.mark.usefixtures("here")
def test_the_sentence_says_what_holds_more_nodes():
    links = {"pair forces": 1e-4, "messages": 1e-4, "links": 2e-4, "waits": 0.0}
    machine = read_machine("torus.toml")
    own = [made_up(1, 1e-3), made_up(2, 6e-4), made_up(4, 4e-4, path=links)]
    assert Predictions(machine, own).sentence() == (
        "4 nodes are worth using, with 62 % of the efficiency of 1; the next doubling is held by "
        "messages, 75 % of the longest chain (25 % at processors, 50 % on links)."
    )
    assert (
        Predictions(machine, own, least=0.8)
        .sentence()
        .startswith(
            "2 nodes are worth using, with 83 % of the efficiency of 1; 4 nodes are held by mess"
        )
    )
    faster = [made_up(1, 1e-3), made_up(2, 6e-4), made_up(4, 3e-4, shape=(2, 2, 4))]
    assert "and [patches] pes = 4 in the input" in Predictions(machine, own, faster).sentence()


def test_what_holds_a_step():
    assert what_holds(made_up(2, 1e-3, busy_share=0.9)) == (
        "the link X+ of (0), which is busy for 90 % of the time"
    )
    assert what_holds(made_up(2, 1e-3)) == "pair forces, 100 % of the longest chain"
    assert what_holds(made_up(2, 1e-3, longest_task=6e-4)) == (
        "pair forces, 100 % of the longest chain, most of it one object's 0.6 ms"
    )


def test_other_programs_can_call_it(here, accepted):
    from finegrain.kinds.new_job import write_job

    write_job(here / "water.toml", here / "job.h5")
    machine = read_machine("torus.toml").with_first_nodes(2, 1)
    found = predict_step("water", (here / "job.h5").read_bytes(), machine, 2)
    assert (found.nodes, found.pes, found.number_of_cells) == (2, 4, 8)
    assert found.ns_per_day == pytest.approx(found.timestep_fs * 86400e-6 / found.seconds)
    accepted("predict", "job.h5", "--machine", "torus.toml", "--nodes", "2")
