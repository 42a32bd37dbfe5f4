# SPDX-License-Identifier: BSD-3-Clause
"""The default number of workers is that of cores, as the engine counts them."""

import os
from pathlib import Path

import pytest

from finegrain.engine.engine import usable_cores


@pytest.mark.parametrize(
    ("siblings", "cores"),
    [
        ({0: "0", 1: "1", 2: "2", 3: "3"}, 4),
        ({0: "0,2", 1: "1,3", 2: "0,2", 3: "1,3"}, 2),
        ({0: "0-3", 1: "0-3", 2: "0-3", 3: "0-3"}, 1),
        ({0: "0,4", 1: "1", 3: "3"}, 4),  # nothing is known of processor 2
    ],
)
def test_hardware_threads_of_one_core_count_once(
    siblings: dict[int, str], cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for processor, text in siblings.items():
        folder = tmp_path / f"cpu{processor}" / "topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(text + "\n")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3})
    assert usable_cores(tmp_path) == cores


def test_processors_that_this_process_may_not_use_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {2, 3})
    assert usable_cores(tmp_path) == 2
