# SPDX-License-Identifier: BSD-3-Clause
"""The examples at the end of ``finegrain --help`` and ``finegrain COMMAND --help``."""

from __future__ import annotations

FIRST_STEPS = (
    ("finegrain init water", "write an input to start from, water.toml"),
    ("finegrain check water.toml", "check it and describe the run"),
    ("finegrain run water.toml", "simulate; results in runs/water"),
    ("finegrain show runs/water", "the results"),
)

EXAMPLES = {
    "init": (
        ("finegrain init", "amber.toml, for AMBER files"),
        ("finegrain init gromacs --out protein.toml", ""),
    ),
    "prepare": (
        ("finegrain prepare 1aki.pdb", "1aki.toml and 1aki-system.pdb"),
        ('finegrain prepare 1aki.cif --forcefield charmm36 --padding "12 Å" --ph 6.5', ""),
        ("finegrain prepare complex.pdb --leave-out NAG --state A:57=HIE", ""),
        ("finegrain prepare channel.pdb --membrane POPC", "oriented, its middle at z = 0"),
        ("finegrain prepare complex.pdb --ligand LIG=ligand.sdf", "also MOL2, or LIG=smiles:CCO"),
        ('finegrain prepare water.xyz --liquid 64 --density "0.997 g/ml"', "for ab initio runs"),
    ),
    "check": (
        ("finegrain check water.toml", ""),
        ("finegrain check water.toml --verbose", "also why it is cut so, and parts of a step"),
        ("finegrain check water.toml --ranks 512", "also what each of 512 processes would send"),
    ),
    "job": (
        ("finegrain job water.toml", "water.job.h5"),
        ("finegrain job water.toml --out runs/job.h5", ""),
        ("finegrain job water.toml --slurm --nodes 2 --pes 16 --hours 12", "water.sbatch"),
    ),
    "tune": (
        ("finegrain tune water.toml", "about two minutes"),
        ("finegrain tune water.toml --pes 2 --out fast.toml", "the input with the keys found"),
    ),
    "run": (
        ("finegrain run water.toml", "results in runs/water"),
        ("finegrain run water.toml --out try --steps 1000 --pes 2", ""),
        ("finegrain run water.toml --ranks 4 --pes 1", "in four processes, with an MPI"),
    ),
    "resume": (
        ("finegrain resume runs/water", "continue a run that was stopped"),
        ("finegrain resume runs/water --steps 20000", "extend it to 20,000 steps"),
    ),
    "energy": (
        ("finegrain energy water.toml", "forces in water.forces.npz"),
        ("finegrain energy runs/water/job.h5 --forces forces.npz --json", ""),
    ),
    "relax": (
        ("finegrain relax molecule.toml", "runs/molecule-relaxed/relaxed.xyz"),
        ('finegrain relax silicon.toml --cell --force "0.005 eV/Å"', ""),
    ),
    "vibrations": (
        ("finegrain vibrations molecule.toml", "runs/molecule-vibrations"),
        ('finegrain vibrations molecule.toml --displacement "0.02 Å" --pes 2', ""),
    ),
    "show": (
        ("finegrain show runs/water", ""),
        ("finegrain show runs/water --html", "a page with pictures, runs/water/report.html"),
    ),
    "convert": (
        ("finegrain convert runs/water --to xtc", "runs/water/trajectory.xtc"),
        ('finegrain convert runs/water --to xyz --select "name O" --stride 5', ""),
        ("finegrain convert runs/water --to pdb --unwrap --out whole.pdb", ""),
    ),
    "wannier": (
        ("finegrain wannier runs/water", "runs/water/wannier.xyz, spreads and dipole moments"),
    ),
    "trace": (
        ("finegrain run water.toml --steps 500 --trace --overwrite", "first"),
        ("finegrain trace runs/water --plot threads.png", ""),
    ),
    "map": (
        ("finegrain map water.toml --machine machine.toml", "of `finegrain init machine`"),
        ("finegrain map water.toml --machine machine.toml --nodes 8 --out places", "rank files"),
        ("finegrain map --matrix traffic.txt --machine machine.toml", "for any program"),
    ),
    "predict": (
        ("finegrain predict water.toml --machine machine.toml", "of `finegrain init machine`"),
        ("finegrain predict water.toml --machine fat-tree --nodes 1 2 4 8 --divide", ""),
    ),
    "cite": (("finegrain cite runs/water > methods.bib", ""), ("finegrain cite", "all methods")),
    "bench": (
        ("finegrain bench", "about two minutes"),
        ("finegrain bench dhfr --peers --out figures.json", "with GROMACS and OpenMM"),
        ("finegrain bench fft --grid 64 --grid 48x64x96", "Fourier transforms"),
        ("finegrain bench fft --grid 64 --ranks 4 --advise", "how many processes help"),
    ),
    "engine": (("finegrain engine", ""), ("finegrain engine --mpi openmpi", "for its mpiexec")),
    "doctor": (("finegrain doctor", ""),),
}


def help_of_examples(examples: tuple[tuple[str, str], ...], title: str = "Examples:") -> str:
    """Lay out examples with their comments as the end of a help text."""
    width = max(len(command) for command, _ in examples)
    lines = [
        f"  {command.ljust(width)}  # {comment}" if comment else f"  {command}"
        for command, comment in examples
    ]
    return "\n".join(["\b", title, *lines])
