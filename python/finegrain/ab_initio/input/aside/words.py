# SPDX-License-Identifier: BSD-3-Clause
"""Words of files of other programs that ASE's readers drop, by ASE's name of the format.

A pattern matches what a note shows. If it has a group, this is a number, and 0 says nothing.

References
----------
The manuals of pw.x (INPUT_PW), CASTEP (keywords of .cell), magCIF, FHI-aims (geometry.in), ABINIT,
CP2K and Gaussian. The manuals of NWChem, GAMESS (US), Octopus, ONETEP, Elk, exciting and DFTB+.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from finegrain.ab_initio.input.unknown_keys import NO_CHARGE

# Why a word is not used, or which key does the same. Words of "" have no key here.
REASONS: Mapping[str, str] = MappingProxyType(
    {
        "charge": f"{NO_CHARGE}, and the cell is neutral",
        "spin": 'for spin give [electrons] spin = "collinear", with multiplicity or '
        "magnetization, and starting_moments",
        "points": "the Gamma point is the only one; repeat the cell instead",
        "occupations": "orbitals are full or empty",
        "functional": "[electrons] functional says which one",
        "dispersion": "[electrons] dispersion adds it",
        "hubbard": "there is no Hubbard U",
        "boundary": '[system] boundary = "isolated" leaves images out',
        "pressure": "[dynamics] pressure and cell set it",
        "velocities": "velocities are read from extended XYZ and from trajectories of ASE",
        "masses": "[system] masses sets them",
        "": "",
    }
)

_number = r"([-+]?[\d.]+(?:[eEdD][-+]?\d+)?)"
_not_gamma = r"(?=\d)(?!1\s+1\s+1\s+0\s+0\s+0)[\d \t]+"
_not_one_point = r"(?!1\s+1\s+1\b)\d+\s+\d+\s+\d+"

# Each format has pairs of a reason and a pattern.
_patterns: dict[str, tuple[tuple[str, str], ...]] = {
    "espresso-in": (
        ("charge", rf"\btot_charge\s*=\s*{_number}"),
        ("spin", r"\bnspin\s*=\s*[24]"),
        ("spin", rf"\btot_magnetization\s*=\s*{_number}"),
        ("spin", rf"\bstarting_magnetization\(\s*\d+\s*\)\s*=\s*{_number}"),
        ("spin", r"\b(?:noncolin|lspinorb)\s*=\s*\.t(?:rue)?\."),
        ("points", rf"^\s*K_POINTS\s*[{{(]?\s*automatic\s*[)}}]?\s*\n[ \t]*{_not_gamma}"),
        ("points", r"^\s*K_POINTS\s*[{(]?\s*(?:tpiba|crystal)\w*"),
        ("occupations", r"\boccupations\s*=\s*'(?:smearing|tetrahedra\w*|from_input)'"),
        ("functional", r"\binput_dft\s*=\s*'[^']*'"),
        ("dispersion", r"\bvdw_corr\s*=\s*'(?!none')[^']*'"),
        ("hubbard", r"^\s*HUBBARD\b[^\n]*|\blda_plus_u\s*=\s*\.t(?:rue)?\."),
        ("boundary", r"\bassume_isolated\s*=\s*'(?!none')[^']*'"),
        ("pressure", rf"\bpress\s*=\s*{_number}"),
        ("velocities", r"^\s*ATOMIC_VELOCITIES\b"),
        ("", r"^\s*(?:ATOMIC_FORCES|CONSTRAINTS|OCCUPATIONS|SOLVENTS)\b"),
        ("", r"\b(?:tefield|lelfield|gate)\s*=\s*\.t(?:rue)?\."),
    ),
    "castep-cell": (
        ("spin", rf"\bspin\s*[=:]\s*{_number}"),
        ("points", rf"^\s*kpoints?_mp_grid\s*[:=]?\s*{_not_one_point}"),
        ("points", r"^\s*%BLOCK\s+KPOINTS?_LIST"),
        ("hubbard", r"^\s*%BLOCK\s+HUBBARD_U"),
        ("pressure", r"^\s*%BLOCK\s+EXTERNAL_PRESSURE"),
        ("velocities", r"^\s*%BLOCK\s+IONIC_VELOCITIES"),
        ("", r"^\s*%BLOCK\s+(?:CELL|NONLINEAR)_CONSTRAINTS|^\s*FIX_ALL_CELL\b[^\n]*"),
        ("", r"^\s*%BLOCK\s+(?:SPECIES_POT|EXTERNAL_EFIELD|SEDC\w*)"),
    ),
    "cif": (
        ("spin", r"^\s*_atom_site_moment(?=[._])"),
        ("spin", r"^\s*_space_group_magn(?=[._])"),
        ("", r"^\s*_atom_type_oxidation_number"),
    ),
    "vasp": (("", r"^\s*Lattice velocities[^\n]*"),),
    "aims": (
        ("", r"^\s*(?:empty|pseudocore|multipole|homogeneous_field)\b[^\n]*"),
        ("", r"^\s*(?:hessian_block|hessian_file|constraint_region)\w*"),
    ),
    "abinit-in": (
        ("charge", rf"\b(?:cell)?charge\s+{_number}"),
        ("spin", rf"\bspinmagntarget\s+{_number}|\bnspden\s+[24]|\bnsppol\s+2"),
        ("points", rf"\bngkpt\s+{_not_one_point}"),
        ("occupations", r"\boccopt\s+[3-8]"),
        ("functional", r"\bixc\s+-?\d+"),
        ("velocities", r"^\s*vel\b"),
        ("", r"\bnatfix\w?\s+[1-9]\d*"),
    ),
    "cp2k-restart": (
        ("charge", rf"^\s*CHARGE\s+{_number}"),
        ("spin", r"^\s*MULTIPLICITY\s+(?!1\b)[1-9]\d*|^\s*(?:UKS|LSD)\b(?!\s+F)[^\n]*"),
        ("points", r"^\s*&KPOINTS\b"),
        ("velocities", r"^\s*&VELOCITY\b"),
        ("", r"^\s*&(?:CONSTRAINT|FIXED_ATOMS)\b"),
    ),
    "nwchem-in": (
        ("charge", rf"^\s*charge\s+{_number}"),
        ("spin", rf"^\s*nopen\s+{_number}|^\s*mult\s+(?!1\b)\d+"),
    ),
    "gamess-us-in": (
        ("charge", rf"\bICHARG\s*=\s*{_number}"),
        ("spin", r"\bMULT\s*=\s*(?!1\b)\d+"),
    ),
    "octopus-in": (
        ("charge", rf"\bExcessCharge\s*=\s*{_number}"),
        ("spin", r"\bSpinComponents\s*=\s*(?!unpolarized)\w+"),
        ("points", r"^\s*%KPoints\w*"),
    ),
    "onetep-in": (
        ("charge", rf"^\s*charge\s*[:=]?\s*{_number}"),
        ("spin", rf"^\s*spin\s*[:=]?\s*{_number}|^\s*spin_?polari[sz]ed\s*[:=]?\s*T\w*"),
    ),
    "elk-in": (
        ("charge", rf"^\s*chgexs\s*\n\s*{_number}"),
        ("spin", r"^\s*spinpol\s*\n\s*\.t(?:rue)?\."),
        ("points", rf"^\s*ngridk\s*\n\s*{_not_one_point}"),
    ),
    "exciting": (
        ("charge", rf'\bchgexs\s*=\s*"{_number}"'),
        ("spin", r"<spin\b[^>\n]*"),
        ("points", rf'\bngridk\s*=\s*"{_not_one_point}'),
    ),
    "dftb": (
        ("charge", rf"\bCharge\s*=\s*{_number}"),
        ("spin", r"\bSpinPolari[sz]ation\s*=\s*[A-Z]\w*"),
    ),
    "cjson": (
        ("charge", rf'"totalCharge"\s*:\s*{_number}'),
        ("spin", r'"totalSpinMultiplicity"\s*:\s*(?!1\b)\d+'),
    ),
    "sdf": (("charge", r"^M  CHG[^\n]*"), ("spin", r"^M  RAD[^\n]*")),
    "proteindatabank": (("charge", r"^(?:ATOM  |HETATM).{72}(?:[1-9][+-]|[+-][1-9])(?=\s|$)"),),
    # Results, from which a structure is often taken.
    "espresso-out": (
        ("spin", r"^\s*Starting magnetic structure"),
        ("points", r"\bnumber of k points=\s*(?!1\b)\d+"),
    ),
    "vasp-out": (
        ("spin", r"\bISPIN\s*=\s*2\b"),
        ("points", r"\bNKPTS\s*=\s*(?!1\b)\d+"),
    ),
    "vasp-xml": (("spin", r'"ISPIN">\s*2\b'),),
    "aims-output": (
        ("charge", rf"^\s*charge\s+{_number}[ \t]*$"),
        ("spin", r"^\s*spin\s+collinear"),
        ("points", rf"^\s*k_grid\s+{_not_one_point}"),
    ),
    "castep-castep": (
        ("charge", rf"^\s*net charge of system\s*:\s*{_number}"),
        ("spin", r"^\s*treating system as spin-polari[sz]ed"),
        ("points", rf"^\s*MP grid size for SCF calculation is\s+{_not_one_point}"),
    ),
    "gaussian-out": (
        ("charge", rf"^\s*Charge\s*=\s*{_number}(?=\s+Multiplicity)"),
        ("spin", r"\bMultiplicity\s*=\s*(?!1\b)\d+"),
    ),
    "nwchem-out": (
        ("charge", rf"^\s*Charge\s*:\s*{_number}"),
        ("spin", r"^\s*Spin multiplicity:\s*(?!1\b)\d+"),
    ),
    "orca-output": (
        ("charge", rf"^\s*Total Charge\s+Charge\s+\.+\s+{_number}"),
        ("spin", r"^\s*Multiplicity\s+Mult\s+\.+\s+(?!1\b)\d+"),
    ),
    "gamess-us-out": (
        ("charge", rf"\bCHARGE OF MOLECULE\s*=\s*{_number}"),
        ("spin", r"\bSPIN MULTIPLICITY\s*=\s*(?!1\b)\d+"),
    ),
    "xsd": (("charge", rf'\bFormalCharge="{_number}'), ("spin", rf'\bFormalSpin="{_number}')),
}
_patterns["mol"] = _patterns["sdf"]

FORMATS: Mapping[str, tuple[tuple[str, re.Pattern[str]], ...]] = MappingProxyType(
    {
        name: tuple((why, re.compile(text, re.MULTILINE | re.IGNORECASE)) for why, text in rows)
        for name, rows in _patterns.items()
    }
)

# What a note shows instead of the text that matches.
SHOWN: Mapping[str, str] = MappingProxyType(
    {"proteindatabank": "charges in columns 79 and 80 of its atoms"}
)

# Where a comment begins; other formats have none that could be taken for a word.
COMMENTS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("espresso-in", "castep-cell", "abinit-in", "cp2k-restart"), "!#"),
        **dict.fromkeys(("aims", "cif", "nwchem-in", "octopus-in", "dftb"), "#"),
        **dict.fromkeys(("onetep-in", "elk-in"), "!#"),
    }
)
