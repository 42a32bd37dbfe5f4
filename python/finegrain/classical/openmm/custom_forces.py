# SPDX-License-Identifier: BSD-3-Clause
"""Parts of OpenMM's custom forces, which have a formula and parameters with names."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
from numpy.typing import NDArray


def parts_of(force: ET.Element) -> list[str]:
    """Return the formula without spaces, then its definitions in alphabetical order."""
    parts = [part for part in re.sub(r"\s+", "", force.get("energy", "")).split(";") if part]
    return parts[:1] + sorted(parts[1:])


def parameters_of(force: ET.Element, kind: str, children: str) -> dict[str, NDArray[np.float64]]:
    """Return the parameters of each particle, bond or torsion, by name.

    Parameters
    ----------
    kind, children : str
        Such as "Bond" and "Bonds".
    """
    names = [child.get("name", "") for child in force.findall(f"Per{kind}Parameters/Parameter")]
    members = list(force.find(children) or ())
    return {
        name: np.array([float(member.attrib[f"param{place}"]) for member in members])
        for place, name in enumerate(names, 1)
    }
