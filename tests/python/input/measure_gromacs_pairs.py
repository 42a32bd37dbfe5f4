# SPDX-License-Identifier: BSD-3-Clause
"""Energies of small molecules from GROMACS: various nrexcl, pairs, exclusions and dihedrals.

Run this file to make gromacs_pairs.json; it needs `gmx_d`, GROMACS in double precision.
"""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

stored = Path(__file__).with_name("gromacs_pairs.json")

# A chain of six atoms with a branch on the third; neutral, so that shifts of the charges cancel.
charge = (0.25, -0.4, 0.3, -0.2, 0.35, -0.45, 0.15)
bonds = ((1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (3, 7))
ring = (*bonds, (6, 1))
two_bonds_apart_or_less = {(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (3, 7)} | {
    *((1, 3), (2, 4), (3, 5), (4, 6), (2, 7), (4, 7))
}
three_bonds_apart = ((1, 4), (1, 7), (2, 5), (3, 6), (5, 7))
edge = 20.0  # nm

_atom_types = {"A": (0.33, 0.4), "B": (0.28, 0.7)}  # sigma and epsilon
_bond_types = "A A 1 0.15 200000\nA B 1 0.15 200000\nB B 1 0.15 200000\n"
_pair_types = {"A A": (0.31, 0.21), "A B": (0.29, 0.33), "B B": (0.27, 0.4)}
_special = {"A B": (0.35, 0.25)}


def positions() -> np.ndarray:
    """Return a bent chain with its branch in the middle of the box, nm, shape (7, 3)."""
    rng = np.random.default_rng(11)
    chain = [(0.17 * i, 0.09 * (i % 2), 0.04 * i) for i in range(6)]
    place = np.array([*chain, (0.30, -0.17, 0.13)])
    return np.round(10 + place + rng.uniform(-0.01, 0.01, place.shape), 6)


def _parameters(rule: int, sigma: float, epsilon: float) -> str:
    """Return sigma and epsilon, or C6 and C12 where the combination rule wants these."""
    if rule != 1:
        return f"{sigma} {epsilon}"
    return f"{4 * epsilon * sigma**6:.12e} {4 * epsilon * sigma**12:.12e}"


def topology(
    nrexcl: int = 3,
    *,
    generate: str = "yes",
    pairs: tuple[tuple[int, int], ...] = three_bonds_apart,
    pair_types: bool = False,
    bonded: tuple[tuple[int, int], ...] = bonds,
    more: str = "",
    fudge: str = "0.5 0.8333",
    types: str = "",
    rule: int = 2,
    special: bool = False,
) -> str:
    """Return a whole topology of one molecule."""

    def pair_table(section: str, table: dict[str, tuple[float, float]]) -> str:
        rows = [f"{pair} 1 {_parameters(rule, *row)}" for pair, row in table.items()]
        return "\n".join([f"[ {section} ]", *rows, ""])

    atom_types = "\n".join(
        f"{name} {name} 6 12.0 0.0 A {_parameters(rule, *row)}" for name, row in _atom_types.items()
    )
    atoms = "\n".join(
        f"{i + 1} {'AB'[i % 2]} 1 MOL C{i + 1} {i + 1} {q} {12 + i}" for i, q in enumerate(charge)
    )
    return (
        f"[ defaults ]\n1 {rule} {generate} {fudge}\n"
        f"[ atomtypes ]\n{atom_types}\n"
        f"[ bondtypes ]\n{_bond_types}"
        + (pair_table("pairtypes", _pair_types) if pair_types else "")
        + (pair_table("nonbond_params", _special) if special else "")
        + types
        + f"[ moleculetype ]\nMOL {nrexcl}\n[ atoms ]\n{atoms}\n[ bonds ]\n"
        + "\n".join(f"{i} {j} 1" for i, j in bonded)
        + ("\n[ pairs ]\n" + "\n".join(f"{i} {j} 1" for i, j in pairs) if pairs else "")
        + f"\n{more}\n[ system ]\nmolecule\n[ molecules ]\nMOL 1\n"
    )


def cases() -> dict[str, str]:
    """Return topologies by name."""
    found = {f"nrexcl {n}, pairs": topology(n) for n in (1, 2, 3, 4, 5)}
    found |= {f"nrexcl {n}, no pairs": topology(n, pairs=()) for n in (0, 1, 2, 3, 4, 5)}
    found |= {
        "no gen-pairs": topology(generate="no", pair_types=True),
        "gen-pairs and pairtypes": topology(pair_types=True),
        "some pairs": topology(pairs=three_bonds_apart[:2]),
        "a far pair": topology(4, pairs=(*three_bonds_apart, (1, 5))),
        "pairs with parameters": topology(
            pairs=(), more="[ pairs ]\n1 4 1 0.3 0.5\n2 5 1\n3 6 1 0.25 0.1"
        ),
        "exclusions": topology(more="[ exclusions ]\n1 5 6\n6 7\n7 6"),
        "excluded pairs": topology(1, more="[ exclusions ]\n1 4 7\n2 5\n3 6\n5 7"),
        "a ring": topology(bonded=ring, pairs=((1, 4), (2, 5), (3, 6), (1, 7), (5, 7))),
        "constraints that bind": topology(
            bonded=bonds[1:], more="[ constraints ]\n1 2 1 0.15", pairs=()
        ),
        "constraints that do not": topology(
            bonded=bonds[1:], more="[ constraints ]\n1 2 2 0.15", pairs=()
        ),
        "defaults of three words": topology(fudge=""),
        "defaults of four words": topology(fudge="0.5"),
    }
    for rule in (1, 2, 3):
        found |= {
            f"comb-rule {rule}": topology(rule=rule),
            f"comb-rule {rule}, pairtypes": topology(rule=rule, pair_types=True),
            f"comb-rule {rule}, no gen-pairs": topology(rule=rule, pair_types=True, generate="no"),
            f"comb-rule {rule}, nonbond_params": topology(
                rule=rule, special=True, pairs=three_bonds_apart[:3]
            ),
            f"comb-rule {rule}, nonbond_params, no pairs": topology(
                1, rule=rule, special=True, pairs=()
            ),
        }
    dihedrals = {
        "periodic": "1 2 3 4 1 30 2.5 3\n2 3 4 5 9 180 4 2\n7 3 2 4 4 180 7 2",
        "Ryckaert-Bellemans": "1 2 3 4 3 9.28 12.16 -13.12 -3.06 26.24 -31.5\n"
        "6 5 4 3 3 1.5 -2.5 0.4 3.1 0 0",
        "Fourier": "2 3 4 5 5 3.1 -1.2 2.3 0.4",
        "harmonic": "1 2 3 4 2 -150 40\n7 3 2 4 2 200 30\n6 5 4 3 2 35.26439 25",
    }
    found |= {
        f"dihedrals, {name}": topology(more=f"[ dihedrals ]\n{rows}")
        for name, rows in dihedrals.items()
    }
    found["dihedrals, harmonic, by their outer types"] = topology(
        types="[ dihedraltypes ]\nA B 2 35.26 60\nA A 2 180 20\n",
        more="[ dihedrals ]\n1 2 3 4 2\n7 3 2 1 2\n6 5 4 3 2",
    )
    found["bonds and angles of GROMOS"] = topology(
        bonded=bonds[2:],
        more="[ bonds ]\n1 2 2 0.15 7.15e6\n2 3 2 0.16 5e6\n"
        "[ angles ]\n1 2 3 2 110 530\n3 4 5 2 120 560\n4 5 6 2 109.5 285",
    )
    found["CMAP"] = topology(types=cmap_types(), more="[ cmap ]\n1 2 3 4 5 1\n2 3 4 5 6 1")
    return found


def cmap_types(size: int = 24) -> str:
    """Return tables of both kinds of chains; the first dihedral changes slowly."""
    turn = 2 * np.pi * np.arange(size) / size - np.pi
    phi, psi = turn[:, None], turn[None, :]
    tables = {
        "A B A B A": 5 * np.sin(phi - 0.4) + 3 * np.cos(2 * psi + phi),
        "B A B A B": 4 * np.cos(phi) * np.sin(psi + 0.2) - 2 * np.sin(3 * phi),
    }
    text = "[ cmaptypes ]\n"
    for types, table in tables.items():
        rows = [" ".join(f"{value:.8f}" for value in row) for row in table]
        text += "\\\n".join([f"{types} 1 {size} {size}", *rows]) + "\n"
    return text


def write(folder: Path, text: str) -> None:
    """Write x.top and x.gro."""
    (folder / "x.top").write_text(text)
    rows = [
        f"{1:5d}MOL  {'C' + str(i + 1):>5s}{i + 1:5d}" + "".join(f"{x:11.6f}" for x in row)
        for i, row in enumerate(positions())
    ]
    box = f"{edge:.4f} " * 3
    (folder / "x.gro").write_text("\n".join(["one", f"{len(rows):5d}", *rows, box]) + "\n")


_mdp = """\
integrator = md
nsteps = 0
cutoff-scheme = Verlet
verlet-buffer-tolerance = -1
nstlist = 1
rlist = 9
rcoulomb = 9
rvdw = 9
coulombtype = reaction-field
epsilon-rf = 1
vdw-modifier = None
continuation = yes
nstcalcenergy = 1
nstenergy = 1
"""


def potential(text: str) -> float:
    """Return GROMACS's potential energy, kJ/mol."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, text)
        (folder / "x.mdp").write_text(_mdp)
        for words in (
            "grompp -f x.mdp -c x.gro -p x.top -o x.tpr -maxwarn 9",
            "mdrun -s x.tpr -e x.edr -g x.log -ntmpi 1 -ntomp 1 -nb cpu",
            "energy -f x.edr -o x.xvg -dp",
        ):
            subprocess.run(
                ["gmx_d", "-quiet", *words.split()],
                cwd=folder,
                input=b"Potential\n\n",
                check=True,
                capture_output=True,
            )
        return float((folder / "x.xvg").read_text().split()[-1])


def program() -> str:
    """Return the name and version of GROMACS."""
    version = subprocess.run(["gmx_d", "--version"], capture_output=True, text=True, check=True)
    row = next(line for line in version.stdout.splitlines() if line.startswith("GROMACS version"))
    return " ".join(row.split())


if __name__ == "__main__":
    answers = {name: potential(text) for name, text in cases().items()}
    table = {"program": program(), "unit": "kJ/mol", "potential": answers}
    stored.write_text(json.dumps(table, indent=2) + "\n")
