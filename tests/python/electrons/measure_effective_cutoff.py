# SPDX-License-Identifier: BSD-3-Clause
"""Silicon with a constant effective cutoff by Quantum ESPRESSO's pw.x: energy, forces and stress.

Run this file to make effective_cutoff_figures.json; it needs pw.x (Debian: quantum-espresso), whose
`ecfixed`, `qcutz` and `q2sigma` are in Ry.
"""

import json
from pathlib import Path

import measure_pw
from reference_systems import silicon_dojo

stored = Path(__file__).with_name("effective_cutoff_figures.json")
STEP = {"ecfixed": 11.0, "qcutz": 20.0, "q2sigma": 3.0}

_usual_input = measure_pw.pw_input


def _input_with_step(*arguments: object, **options: object) -> str:
    lines = "".join(f"  {name} = {value}\n" for name, value in STEP.items())
    return _usual_input(*arguments, **options).replace("&system\n", "&system\n" + lines)


if __name__ == "__main__":
    measure_pw.pw_input = _input_with_step
    figures = {"program": measure_pw.version(), "Ry": STEP} | measure_pw.compute(silicon_dojo())
    stored.write_text(json.dumps(figures, indent=1) + "\n")
