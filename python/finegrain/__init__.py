# SPDX-License-Identifier: BSD-3-Clause
"""Molecular dynamics on fine-grained message-driven objects.

The functions do what the commands do:

``load``
    read an input and the files it names into a `Job`
``slurm_script``
    write a batch script that runs an input until it is complete
``prepare``
    make a system in water and its input from a raw PDB or mmCIF file
``prepare_liquid``
    pack copies of a molecule into a cell, for an ab initio run
``check``
    report everything that is wrong with an input, and describe the run
``run``, ``resume``
    simulate, and continue with the same bits; both return a `Run`
``energy``
    energies by term and forces, once
``relax``, ``vibrations``
    the geometry without forces, and the modes about it, of an ab initio input
``open_job``, ``open_run``
    open what was made before
``Run``, ``Trajectory``, ``GroundState``, ``read_energies``, ``convert``
    work with the results

`finegrain.ase.Finegrain` is a calculator for ASE, `finegrain.fft` has Fourier transforms.

Classical results are in nm, ps, kJ/mol, dalton and K. Ab initio results are in Hartree atomic units
where nothing else is said. Arrays are NumPy, with shape and unit in the docstrings. Errors are
exceptions of four kinds, each with all problems that were found.

Examples
--------
>>> import finegrain as fg
>>> run = fg.run("water.toml", steps=1000)  # doctest: +SKIP
>>> run.energies()["temperature (K)"].mean()  # doctest: +SKIP
"""

from __future__ import annotations

from finegrain.base import interrupts, least_memory  # noqa: F401 - come first; see there

# isort: split
from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.results.dynamics_run import DynamicsRun
from finegrain.ab_initio.results.ground_state_run import GroundStateRun
from finegrain.ab_initio.states.ground_state import GroundState
from finegrain.api import (
    check,
    energy,
    load,
    open_run,
    prepare,
    prepare_liquid,
    resume,
    run,
    slurm_script,
)
from finegrain.classical.job import Job
from finegrain.classical.run import Run
from finegrain.classical.staged_run import StagedRun
from finegrain.engine.machine import version
from finegrain.errors import (
    FinegrainError,
    InputError,
    InputNote,
    InternalError,
    NumericsError,
    Problem,
    ResourceError,
)
from finegrain.geometry.relaxation import Relaxation, relax
from finegrain.geometry.vibrations import Vibrations, vibrations
from finegrain.kinds.convert import convert
from finegrain.kinds.registry import open_job
from finegrain.runs.energies import read_energies
from finegrain.runs.energy_charts import plot_energies
from finegrain.runs.evaluation import Energies
from finegrain.runs.trajectory import Frame, Observable, Trajectory
from finegrain.words.progress import ProgressLine

__version__ = version()

__all__ = [
    "AbInitioJob",
    "DynamicsRun",
    "Energies",
    "FinegrainError",
    "Frame",
    "GroundState",
    "GroundStateRun",
    "InputError",
    "InputNote",
    "InternalError",
    "Job",
    "NumericsError",
    "Observable",
    "Problem",
    "ProgressLine",
    "Relaxation",
    "ResourceError",
    "Run",
    "StagedRun",
    "Trajectory",
    "Vibrations",
    "__version__",
    "check",
    "convert",
    "energy",
    "load",
    "open_job",
    "open_run",
    "plot_energies",
    "prepare",
    "prepare_liquid",
    "read_energies",
    "relax",
    "resume",
    "run",
    "slurm_script",
    "vibrations",
]
