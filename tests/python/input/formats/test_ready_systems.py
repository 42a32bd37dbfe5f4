# SPDX-License-Identifier: BSD-3-Clause
"""The systems of openmmtools are made without the rest of the package, which stays whole."""

import subprocess
import sys
from pathlib import Path

INPUT = """\
[system]
kind = "classical"
topology = "openmmtools:AlanineDipeptideVacuum"
[forces]
electrostatics = "plain"
"""
READ = """\
import sys
import finegrain as fg
fg.check(sys.argv[1])
systems = sys.modules["openmmtools.testsystems"]
assert not {"openmmtools", "openmmtools.multistate", "pymbar"} & set(sys.modules)
"""
AND_WHOLE = """\
import openmmtools
assert openmmtools.testsystems is systems
assert openmmtools.__version__ and openmmtools.multistate
fg.check(sys.argv[1])
assert sys.modules["openmmtools"] is openmmtools
"""


def test_only_the_systems_are_imported(tmp_path: Path) -> None:
    source = tmp_path / "input.toml"
    source.write_text(INPUT)
    words = [sys.executable, "-c", READ + AND_WHOLE, str(source)]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
