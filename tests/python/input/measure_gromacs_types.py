# SPDX-License-Identifier: BSD-3-Clause
"""Energies of small molecules from GROMACS: parameters by types, macros and virtual sites.

Run this file to make gromacs_types.json; it needs `gmx_d`, GROMACS in double precision.
"""

import json
from pathlib import Path

from measure_gromacs_pairs import bonds, cmap_types, potential, program, topology

stored = Path(__file__).with_name("gromacs_types.json")

_chain = "1 2 3 4"  # its types are A B A B, those of 2 3 4 5 are B A B A


def _dihedral(types: str, function: int, atoms: str = _chain) -> str:
    return topology(
        types=f"[ dihedraltypes ]\n{types}\n", more=f"[ dihedrals ]\n{atoms} {function}"
    )


def _of_types() -> dict[str, str]:
    found = {
        "fewest wildcards": _dihedral(
            "X B A X 9 0 5 2\nX B A B 9 10 7 3\nA B A B 9 20 3 1\nX X X X 9 0 9 1", 9
        ),
        "fewest wildcards, last in the file": _dihedral("A B A B 9 20 3 1\nX B A X 9 0 5 2", 9),
        "first of equals": _dihedral("A B A X 9 15 4 2\nX B A B 9 25 6 3", 9),
        "first of equals, the other order": _dihedral("X B A B 9 25 6 3\nA B A X 9 15 4 2", 9),
        "reversed": _dihedral("B A B A 9 20 3 1", 9),
        "reversed, with wildcards": _dihedral("X A B A 9 20 3 1\nX B A X 9 1 2 3", 9),
        "a block of lines": _dihedral("A B A B 9 20 3 1\nA B A B 9 30 4 2\nA B A B 9 40 5 3", 9),
        "a block that is reversed": _dihedral("B A B A 9 20 3 1\nB A B A 9 30 4 2", 9),
        "a block with wildcards": _dihedral("X B A X 9 20 3 1\nX B A X 9 30 4 2", 9),
        "a line twice in a block": _dihedral(
            "A B A B 9 20 3 1\nA B A B 9 30 4 2\nA B A B 9 20 3 1", 9
        ),
        "a line twice, the second reversed": _dihedral("A B A B 9 20 3 1\nB A B A 9 20 3 1", 9),
        "a line twice, far apart": _dihedral(
            "A B A B 9 20 3 1\nA A A A 9 1 1 1\nA B A B 9 20 3 1", 9
        ),
        "function 1 from types of 9": _dihedral("A B A B 9 20 3 1\nA B A B 9 30 4 2", 1),
        "function 9 from types of 1": _dihedral("A B A B 1 20 3 1", 9),
        "function 1 is replaced": _dihedral("A B A B 1 20 3 1\nA B A B 1 30 4 2", 1),
        "function 1 is replaced in its place": _dihedral(
            "A B A X 1 20 3 1\nX B A B 1 50 2 1\nA B A X 1 30 4 2", 1
        ),
        "function 1 replaces a block of 9": _dihedral(
            "A B A B 9 20 3 1\nA B A B 9 30 4 2\nA B A B 1 40 5 3", 9
        ),
        "function 1 is replaced by its reverse": _dihedral("A B A B 1 20 3 1\nB A B A 1 30 4 2", 1),
        "function 4 with wildcards": _dihedral("X X A B 4 180 6 2\nX B A X 4 170 7 2", 4),
        "function 4 beside 9": _dihedral("X B A X 4 180 6 2\nA B A B 9 20 3 1", 4),
        "function 2 with wildcards": _dihedral("A X X B 2 30 40\nX B A X 2 50 60", 2),
        "function 2, one wildcard": _dihedral("A X X B 2 30 40\nA B X B 2 50 60", 2),
        "function 3 with wildcards": _dihedral(
            "X B A X 3 1 2 3 4 5 6\nA B A X 3 2 -1 1 0.5 0.2 0.1", 3
        ),
        "function 3 from two types": _dihedral("A B 3 1 2 3 4 5 6\nB A 3 2 -1 1 0.5 0.2 0.1", 3),
        "function 5": _dihedral("A B A B 5 3.1 -1.2 2.3 0.4", 5),
        "function 9 from two types": _dihedral("B B 9 30 4 2\nB A 9 20 3 1", 9),
        "function 2 from two types": _dihedral("A B 2 30 40\nB A 2 50 60", 2),
        "own numbers before those of types": topology(
            types="[ dihedraltypes ]\nA B A B 9 20 3 1\nA B A B 9 30 4 2\n",
            more="[ dihedrals ]\n1 2 3 4 9 50 6 3",
        ),
        "no function": topology(
            types="[ dihedraltypes ]\nA B A B 1 20 3 1\n[ angletypes ]\nA B A 1 110 300\n",
            more="[ dihedrals ]\n1 2 3 4\n[ angles ]\n1 2 3",
        ).replace("1 2 1\n", "1 2\n"),
        "a bond type is replaced": topology(types="[ bondtypes ]\nB A 1 0.16 150000\n"),
        "types of bonds by function": topology(
            bonded=bonds[1:], types="[ bondtypes ]\nA B 2 0.16 7e6\n", more="[ bonds ]\n1 2 2"
        ),
        "types of angles by function": topology(
            types="[ angletypes ]\nA B A 1 100 300\nA B A 5 110 200 0.3 9000\nA B A 2 120 500\n"
            "B A B 2 115 400\nB A B 1 105 350\n",
            more="[ angles ]\n1 2 3 1\n2 3 4 2\n3 4 5 5",
        ),
        "an angle type is replaced": topology(
            types="[ angletypes ]\nA B B 1 100 300\nB B A 1 105 350\nA B A 1 99 9\nA B A 1 90 8\n",
            more="[ angles ]\n1 2 3 1",
        ),
        "a pair type is replaced": topology(
            types="[ pairtypes ]\nA B 1 0.29 0.33\nB A 1 0.31 0.2\n"
        ),
        "a special pair is replaced": topology(
            types="[ nonbond_params ]\nA B 1 0.35 0.25\nB A 1 0.32 0.3\n"
        ),
        "a special pair of one type": topology(types="[ nonbond_params ]\nA A 1 0.35 0.25\n"),
        "the first map counts": topology(
            types=cmap_types() + cmap_types().split("\n", 1)[1].replace("5.", "7.", 40),
            more="[ cmap ]\n1 2 3 4 5\n2 3 4 5 6 1",
        ),
        "bonded types have names of their own": topology(
            types="[ bondtypes ]\nC N 1 0.16 150000\nC C 1 0.15 1\nN N 1 0.15 1\n"
            "[ dihedraltypes ]\nC N C N 9 20 3 1\n",
            more="[ dihedrals ]\n1 2 3 4 9",
        )
        .replace("A A 6 12", "A C 6 12")
        .replace("B B 6 12", "B N 6 12")
        .replace("A A 1 0.15 200000\nA B 1 0.15 200000\nB B 1 0.15 200000\n", ""),
    }
    for kind in (1, 2):
        found[f"types of constraints, function {kind}"] = topology(
            bonded=bonds[1:],
            pairs=(),
            types="[ constrainttypes ]\nB A 1 0.18\nB A 2 0.19\n",
            more=f"[ constraints ]\n1 2 {kind}",
        )
    return found


def _of_macros() -> dict[str, str]:
    rows = "[ dihedrals ]\n1 2 3 4 9 {}"

    def case(head: str, row: str) -> str:
        return head + "\n" + topology(more=rows.format(row))

    return {
        "a macro of macros": case("#define one two 3\n#define two 20 4", "one"),
        "a macro keeps its place": case(
            "#define one 1 1 1\n#define two 20 4\n#define one two 3", "one"
        ),
        "a macro again": case("#define one 10 4 2\n#define one 20 5 1", "one"),
        "a macro of itself": case("#define A A\n#define one 10 4 2", "one"),
        "macros of each other": case("#define A B\n#define B A\n#define one 1 2 1", "one").replace(
            "A B 1 0.15", "A A 1 0.15"
        ),
        "a macro no more": case(
            "#define one 10 4 2\n#undef one\n#ifdef one\n#error\n#endif\n#define one 20 5 1", "one"
        ),
        "a branch in a branch": case(
            "#ifdef no\n#ifdef never\n#else\n#define one 1 2 1\n#endif\n#else\n"
            "#define one 20 5 1\n#endif",
            "one",
        ),
    }


_lengths = "[ bonds ]\n7 1 1 0.1 1000\n1 3 1 0.2 2000\n1 4 1 0.25 1500\n"


def _site(rows: str, more: str = "") -> str:
    """Return a chain of six atoms whose seventh is a site; all near it are excluded."""
    text = topology(
        bonded=bonds[:-1], pairs=(), more=f"{rows}\n{more}[ exclusions ]\n7 1 2 3 4 5\n"
    )
    assert text.count(" 18\n") == 1
    return text.replace(" 18\n", " 0\n")


def _of_sites() -> dict[str, str]:
    angles = "[ angles ]\n7 1 2 1 120 100\n7 1 3 1 125 100\n2 1 3 1 70 90\n7 1 4 1 115 100\n"
    angles += "2 1 4 1 80 90\n"
    bonded = _lengths + angles
    rows = {
        "1": "[ virtual_sites1 ]\n7 2 1",
        "2": "[ virtual_sites2 ]\n7 1 2 1 0.3",
        "2fd": "[ virtual_sites2 ]\n7 1 2 2 0.07",
        "3": "[ virtual_sites3 ]\n7 1 2 3 1 0.3 -0.2",
        "3fd": "[ virtual_sites3 ]\n7 1 2 3 2 0.4 -0.1",
        "3fad": "[ virtual_sites3 ]\n7 1 2 3 3 115 0.11",
        "3out": "[ virtual_sites3 ]\n7 1 2 3 4 -0.3 0.2 4.5",
        "4fd": "[ virtual_sites4 ]\n7 3 2 4 1 1 0.3 0.2 -0.1",
        "4fdn": "[ virtual_sites4 ]\n7 3 2 4 1 2 1.1 0.9 0.12",
        "n, places": "[ virtual_sitesn ]\n7 1 3 4 2 1",
        "n, masses": "[ virtual_sitesn ]\n7 2 3 4 2 1",
        "n, weights": "[ virtual_sitesn ]\n7 3 2 0.5 3 1.5 4 0.25",
        "n, one atom": "[ virtual_sitesn ]\n7 1 3",
        "2, old name": "[ dummies2 ]\n7 1 2 1 0.3",
    }
    found = {f"site {name}": _site(row) for name, row in rows.items()}
    free = {
        "3fd": "[ virtual_sites3 ]\n7 1 2 3 2",
        "3fad": "[ virtual_sites3 ]\n7 1 2 3 3",
        "3fad, mirrored": "[ virtual_sites3 ]\n7 1 2 3 -3",
        "3out": "[ virtual_sites3 ]\n7 1 2 3 4",
        "3out, mirrored": "[ virtual_sites3 ]\n7 1 2 3 -4",
    }
    found |= {f"site {name} by its geometry": _site(row, bonded) for name, row in free.items()}
    four = "[ bonds ]\n7 3 1 0.1 1000\n3 1 1 0.3 2000\n[ angles ]\n7 3 2 1 120 100\n"
    four += "7 3 4 1 125 100\n7 3 1 1 110 90\n"
    found["site 4fdn by its geometry"] = _site("[ virtual_sites4 ]\n7 3 2 4 1 2", four)
    dihedrals = "[ dihedrals ]\n7 1 2 3 9 20 5 2\n7 1 2 3 2 20 50\n7 1 2 3 3 1 2 3 4 5 6\n"
    dihedrals += "7 1 2 4 9 20 5 2\n"
    found["constant terms of 3fd"] = _site(rows["3fd"], bonded + dihedrals)
    found["constant terms of 3"] = _site(rows["3"], bonded + dihedrals)
    found["constant terms of 3fad"] = _site(rows["3fad"], bonded + dihedrals)
    return found


def cases() -> dict[str, str]:
    """Return topologies by name."""
    return _of_types() | _of_macros() | _of_sites()


if __name__ == "__main__":
    answers = {name: potential(text) for name, text in cases().items()}
    table = {"program": program(), "unit": "kJ/mol", "potential": answers}
    stored.write_text(json.dumps(table, indent=2) + "\n")
