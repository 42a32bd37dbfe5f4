# SPDX-License-Identifier: BSD-3-Clause
"""Counting what a large job's processes send takes little memory: atoms are not held twice."""

import subprocess
import sys
from pathlib import Path

import pytest

import finegrain as fg

RANKS = 1024
# 1.5 million atoms. It took 100 MiB on 2026-12-01; their positions alone are 36 MB.
MOST_MIB = 150
INPUT = """\
[system]
kind = "classical"
topology = "openmmtools:DHFRExplicit"
repeat = [4, 4, 4]
[forces]
cutoff = "9 Å"
electrostatics = "pme"
[dynamics]
ensemble = "nve"
timestep = "2 fs"
steps = 10
temperature = "300 K"
[patches]
pes = {ranks}
"""
COUNT = """\
import sys
from pathlib import Path
from finegrain.planning import traffic_of_job
def peak():
    (line,) = (one for one in open("/proc/self/status") if one.startswith("VmHWM"))
    return float(line.split()[1]) / 1024
contents = Path(sys.argv[1]).read_bytes()
before = peak()
found = traffic_of_job("job", contents, int(sys.argv[2]))
assert len(found.work) == int(sys.argv[2])
print(peak() - before)
"""


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore:the net charge")
def test_counting_takes_little_memory(tmp_path: Path) -> None:
    source, job = tmp_path / "input.toml", tmp_path / "job.h5"
    source.write_text(INPUT.format(ranks=RANKS), encoding="utf-8")
    fg.load(source, job)
    words = [sys.executable, "-c", COUNT, str(job), str(RANKS)]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert 1 < float(done.stdout) < MOST_MIB
