# SPDX-License-Identifier: BSD-3-Clause
"""Damaged inputs, structures and pseudopotentials of ab initio runs: refused in words, or a job.

No status 4, no words of Python in a message. FINEGRAIN_EFFORT multiplies the cases.
"""

import io
import os
import random
from pathlib import Path

import h5py
import numpy as np
import pytest
from ab_initio_systems import INPUT, with_lines, write_files
from mutations import mutate
from oracle import text_faults

from finegrain.ab_initio.preparation.job import job_image
from finegrain.ab_initio.preparation.prepare import prepare
from finegrain.errors import FinegrainError
from finegrain.words.report import as_finegrain_error, error_text

_effort = int(os.environ.get("FINEGRAIN_EFFORT", "1"))
_text = with_lines(INPUT.replace('O = "GTH_POTENTIALS"', 'O = "made.upf"'), "objects")
_text = _text.replace("20 Ry", "8 Ry") + "state_grain = 2\nwave_parts = 2\ndensity_parts = 4\n"
_text += '\n[ground_state]\ntolerance = "1e-6 hartree"\niterations = 100\nstart = "random"\n'


def faults(folder: Path, name: str, number: int) -> tuple[int, str]:
    """Return status and faults of one damaged file."""
    write_files(folder)
    (folder / "water.toml").write_text(_text)
    damaged = mutate(random.Random(f"{name} {number}"), (folder / name).read_bytes())
    (folder / name).write_bytes(damaged.contents)
    try:
        image = job_image(prepare(folder / "water.toml"))
    except Exception as raised:
        error = as_finegrain_error(raised)
        found = text_faults(error.exit_status, error_text(error))
        if not isinstance(raised, FinegrainError):
            found.append(f"{type(raised).__name__}: {raised}")
        told = f"{name}, case {number}, {damaged.kind}: {damaged.done}: {found}\n"
        return error.exit_status, told + error_text(error) if found else ""
    with h5py.File(io.BytesIO(image)) as file:
        position = file["ions/position"][...]
        fine = np.isfinite(position).all() and file["electrons"].attrs["bands"] > 0
    return 0, "" if fine else f"{name}, case {number}: {damaged.done}: a job without sense"


@pytest.mark.parametrize("name", ["water.toml", "water.xyz", "GTH_POTENTIALS", "made.upf"])
def test_damaged_files_are_refused_in_words_or_make_a_job(tmp_path: Path, name: str) -> None:
    count = (5 if name == "made.upf" else 15) * _effort
    found = [faults(tmp_path, name, number) for number in range(count)]
    statuses = {status for status, _ in found}
    assert statuses <= {0, 1}
    assert statuses == {0, 1}, "some are refused and some accepted"
    faulty = [told for _, told in found if told]
    assert not faulty, "\n\n".join(faulty[:20])
