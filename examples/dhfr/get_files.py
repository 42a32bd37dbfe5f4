# SPDX-License-Identifier: BSD-3-Clause
"""Copy the AMBER files of the DHFR benchmark, which come with openmmtools, next to this script."""

import importlib.util
import shutil
import sys
from pathlib import Path

package = importlib.util.find_spec("openmmtools")
if package is None or package.origin is None:
    sys.exit("openmmtools is not installed; it contains the files: pip install openmmtools")
here = Path(__file__).resolve().parent
for name in ("JAC.prmtop", "JAC.inpcrd"):
    if not (here / name).exists():
        shutil.copyfile(Path(package.origin).parent / "data/dhfr" / name, here / name)
