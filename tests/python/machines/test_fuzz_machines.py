# SPDX-License-Identifier: BSD-3-Clause
"""Damaged texts of every kind are read, or refused in words; nothing else happens."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from machine_texts import ALL
from mutations import mutate
from test_slurm import TREE
from test_traffic import MARKET, PLAIN

from finegrain.errors import InputError
from finegrain.machines import read_machine, read_matrix, read_topology, slurm_hosts

MUTANTS = 60  # of each text
BLOCKS = "BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\nBlockSizes=2,4\n"
TEXTS: dict[str, tuple[Callable[[Path], Any], str]] = {
    **{kind: (read_machine, text) for kind, text in ALL.items()},
    "tree": (read_topology, TREE),
    "blocks": (read_topology, BLOCKS),
    "plain": (read_matrix, PLAIN),
    "market": (read_matrix, MARKET + "3 3 2\n1 2 7.5\n3 1 1e3\n"),
}


def check(read: Callable[[Any], Any], given: Any, done: str) -> bool:
    """Read; return whether it was accepted. A refusal says what, where, and what to do."""
    try:
        read(given)
    except InputError as error:
        found = error.problems
    else:
        return True
    assert found, done
    for problem in found:
        assert problem.what, done
        assert problem.where, (done, problem)
        text = str(problem)
        assert not any(word in text for word in ("Traceback", "pydantic", "NoneType")), text
    return False


@pytest.mark.parametrize("name", TEXTS)
def test_damaged_files(tmp_path, name):
    read, text = TEXTS[name]
    chance = random.Random(f"machines {name}")
    path = tmp_path / "file"
    accepted = 0
    for _ in range(MUTANTS):
        mutant = mutate(chance, text.encode())
        path.write_bytes(mutant.contents)
        accepted += check(read, path, mutant.done)
    assert 0 < accepted < MUTANTS  # both ends are reached


def test_damaged_environments():
    chance = random.Random("slurm")
    accepted = 0
    for _ in range(4 * MUTANTS):
        lists = [b"nid[001-004,007],gpu12", b"4(x3),2(x3)"]
        damaged = chance.randrange(2)
        lists[damaged] = mutate(chance, lists[damaged]).contents
        nodes, tasks = (one.decode("utf-8", "surrogateescape") for one in lists)
        environment = {"SLURM_JOB_NODELIST": nodes, "SLURM_TASKS_PER_NODE": tasks}
        accepted += check(slurm_hosts, environment, f"{nodes!r} {tasks!r}")
    assert 0 < accepted < 4 * MUTANTS
