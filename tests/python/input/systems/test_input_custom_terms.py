# SPDX-License-Identifier: BSD-3-Clause
"""Terms of a CustomBondForce or a CustomAngleForce are read with all checks of an XML file."""

from pathlib import Path

import openmm
import pytest
from input_systems import Waters, problems_of, replace_in, write_waters

ENERGIES = {  # GROMOS's bonds and angles as OpenMM's reader of GROMACS's files writes them
    "Bond": ("0.25*k*(r^2-r0^2)^2", "r0"),
    "Angle": ("0.5*k*(cos(theta)-cos(theta0))^2", "theta0"),
}


def custom(child: str) -> openmm.Force:
    energy, rest = ENERGIES[child]
    force = getattr(openmm, f"Custom{child}Force")(energy)
    for name in (rest, "k"):
        getattr(force, f"addPer{child}Parameter")(name)
    atoms = (3, 6) if child == "Bond" else (3, 6, 9)
    getattr(force, f"add{child}")(*atoms, [1.25, 100.0])
    return force


@pytest.mark.parametrize("child", ["Bond", "Angle"])
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('param1="1.25"', 'param1="1_25"', "is not a plain number"),
        ('param1="1.25"', "", "lacks an attribute"),
        ('param1="1.25"', 'param1="1.25" param3="1"', "is no attribute of {child}"),
        ('p1="3"', 'p1="3.5"', "is not a whole number"),
        ("<{child}s>", "<{child}z>", "is no part of Custom{child}Force"),
    ],
)
def test_damaged_xml_is_told(
    tmp_path: Path, waters: Waters, child: str, old: str, new: str, said: str
) -> None:
    waters.system.addForce(custom(child))
    toml = write_waters(tmp_path, waters=waters)
    replace_in(tmp_path / "water.xml", old.format(child=child), new.format(child=child))
    if "{child}z" in new:
        replace_in(tmp_path / "water.xml", f"</{child}s>", f"</{child}z>")
    found = problems_of(toml)[0]
    assert found.what == said.format(child=child)
    assert found.where.startswith("water.xml:")
    assert found.hint
