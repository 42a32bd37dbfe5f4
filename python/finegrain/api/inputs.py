# SPDX-License-Identifier: BSD-3-Clause
"""Inputs into jobs: load, check, prepare; the usual folder of results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from finegrain.base.arguments import (
    PathOrObject,
    as_path,
    checked_ranks_to_count,
    refuse_count,
)
from finegrain.classical.building.choices import Wishes
from finegrain.classical.building.prepare import ligand_files, prepared_files
from finegrain.classical.building.report import Prepared, system_file
from finegrain.errors import InputError, Problem
from finegrain.files.whole import replace_file
from finegrain.kinds.new_job import write_job
from finegrain.kinds.python_input import AnyInput, needs_a_name, opened_input
from finegrain.kinds.registry import has_stages, kind_of_input, kind_of_job, open_job
from finegrain.runs.folder.directory import RunDirectory
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.runs.job import JobFile
from finegrain.runs.preparation import our_errors
from finegrain.runs.report import InputReport
from finegrain.toml_input.given import directory_of


def load(
    input: AnyInput,  # noqa: A002 - the user's word
    out: PathOrObject | None = None,
    *,
    overwrite: bool = False,
    allow_scripts: bool = False,
) -> JobFile:
    """Read an input and the files it names into a job.

    Parameters
    ----------
    input : path or dict
        A TOML input, an existing job, a `Job` or a `Run`; a job is opened unchanged. Or a dict with
        the keys of TOML, see `run`.
    out : path, optional
        Where to write the job; by default ``NAME.job.h5`` in the current folder, which replaces a
        job of that name. For a dict it has to be given.
    overwrite : bool
        Replace the file `out` if it exists; otherwise that is an error. The files of a run are
        never replaced.
    allow_scripts : bool
        Execute Python code in the user's own force field files; otherwise such files are refused.

    Returns
    -------
    Job or AbInitioJob
        Atoms, masses, charges, positions and settings, and the file that the engine reads.

    Raises
    ------
    InputError
        With every problem of the input, each with its line, value, limit and remedy; or if `out`
        exists and `overwrite` is not given.
    """
    if out is None:
        needs_a_name(input, "the job", 'give out="NAME.job.h5"')
    with opened_input(input, "input" if out is None else plain_name(as_path(out))) as source:
        if isinstance(source, Path) and source.suffix == ".h5":
            return open_job(source)
        target = as_path(out) if out is not None else Path(f"{source.stem}.job.h5")
        ours = out is None and target.is_file() and bool(open_job(target).path)
        inputs = (source,) if isinstance(source, Path) else ()
        refuse_to_replace(target, overwrite=overwrite or ours, inputs=inputs, option="out")
        write_job(source, target, allow_scripts=allow_scripts)
        return open_job(target)


def check(
    input: AnyInput,  # noqa: A002 - the user's word
    *,
    ranks: int | None = None,
    allow_scripts: bool = False,
) -> InputReport:
    """Read an input and all files that it names, as a run would, and write nothing.

    Parameters
    ----------
    input : path, Job, Run or dict
        A TOML input, a job, or a dict with the keys of TOML, see `run`.
    ranks : int, optional
        Count also what each of so many processes would send in a step, with either assignment of
        pairs. Only for a classical TOML input.
    allow_scripts : bool
        Execute Python code in the user's own force field files; otherwise such files are refused.

    Returns
    -------
    InputReport
        Description of the run: atoms, cutoffs, mesh, division into objects, and for a TOML input
        memory. ``text()`` is for reading, ``as_dict()`` for programs. For an input with stages it
        describes each stage. A job gives a shorter report.

    Raises
    ------
    InputError
        With every problem of the input, each with its line, value, limit and remedy.
    """
    ranks = checked_ranks_to_count(ranks)
    with opened_input(input) as source:
        if isinstance(source, Path) and source.suffix == ".h5":
            kind = kind_of_job(source)
            refuse_count(ranks, "a job")
            return kind.describe_job(source)
        kind = kind_of_input(source)
        if not kind.counts_messages:
            refuse_count(ranks, f"the kind {kind.name}")
        with our_errors():
            return kind.check(source, allow_scripts=allow_scripts, ranks=ranks)


def default_directory(input: AnyInput) -> Path:  # noqa: A002 - the user's word
    """Return the default folder of results."""
    with opened_input(input) as path:
        if isinstance(path, Path):
            return _default_directory(path)
        if not (wanted := directory_of(path)):
            needs_a_name(input, "its folder", 'give out="runs/NAME"')
        return as_path(wanted)


def _default_directory(path: Path) -> Path:
    if path.name == "job.h5":  # in the folder of a run, whose name is more useful
        if RunDirectory(path.parent).log.exists():
            return path.parent  # wherever the command is given, this run is not started again
        return Path("runs") / path.resolve().parent.name
    if path.suffix != ".h5":
        if has_stages(path):
            wanted = directory_of(path)
        else:
            wanted = kind_of_input(path).load(path, strict=False).model.output.directory
        if wanted:
            return as_path(wanted)
    return Path("runs") / plain_name(path)


def plain_name(source: Path) -> str:
    """Return the name of an input or a job without its endings."""
    return source.name.removesuffix(".h5").removesuffix(".toml").removesuffix(".job")


def prepare(
    structure: PathOrObject,
    out: PathOrObject | None = None,
    *,
    overwrite: bool = False,
    on_progress: Callable[[str], None] | None = None,
    **wishes: Unpack[Wishes],
) -> Prepared:
    """Make a complete system and its staged input from a raw structure.

    PDBFixer adds missing residues and atoms, OpenMM's Modeller hydrogens, water and ions.

    Parameters
    ----------
    structure : path
        A PDB or mmCIF file of proteins or nucleic acids, with their ligands; or an SDF or MOL2
        file of a ligand alone.
    out : path, optional
        The input to write, by default ``NAME.toml`` in the current folder. The system is written
        beside it, as ``NAME-system.pdb``, or ``.cif`` if it has more than 99,999 atoms.
    overwrite : bool
        Replace these files if they exist; otherwise that is an error.
    on_progress : callable, optional
        Gets a line of text for each part that may take minutes, such as the charges of a ligand.
    forcefield : str
        "amber14" (the default), "amber19" or "charmm36", as OpenMM has them.
    water : str, optional
        A model of water that the force field has; by default TIP3P, with "amber19" OPC.
    box : str
        "dodecahedron" (the default), "cube" or "octahedron".
    membrane : str, optional
        The lipid of a membrane about z = 0 in the xy plane, in which the structure has to be
        oriented: "POPC", "POPE", "DLPC", "DLPE", "DMPC", "DOPC" or "DPPC".
    padding : str
        Least thickness of water on each side of the solute; by default "10 Å", or more if the
        cutoff needs a larger box.
    salt : str
        Concentration of sodium chloride besides the ions that make the system neutral, by default
        "0.15 mol/l".
    ph : float
        The pH for which hydrogens are added, 7 by default.
    temperature : str
        Temperature of the stages, "300 K" by default.
    neutral : bool
        Add ions until the system is neutral, which is the default.
    crystal_waters : str
        "keep" (the default) or "drop".
    leave_out : sequence of str
        Names of residues to leave out, such as ligands without parameters.
    ligand : sequence of str
        What the residues of a name are: "LIG=ligand.sdf", "LIG=ligand.mol2" or "LIG=smiles:CCO".
        They get GAFF2 with AM1-BCC charges, and a file ``NAME-LIG.xml`` beside the system.
    ligand_charge : sequence of str
        The net charge of a ligand, such as "LIG=-1", if its file does not say it.
    state : sequence of str
        Protonation of single residues, such as "A:57=HIE".
    gaps : str
        With "build", the default, residues that are missing inside a chain are built. With "cut"
        the chain gets two ends there.
    model : int
        The model to take, counted from 1.
    seed : int
        Seed for the places of ions and for the run; the same seed makes the same files.

    Returns
    -------
    Prepared
        What was found, done and left out. ``text()`` is for reading, ``as_dict()`` for programs.

    Raises
    ------
    InputError
        With every problem of the file and the arguments; nothing is written then.
    ResourceError
        If pdbfixer, or for ligands rdkit or AmberTools, is not installed.

    Examples
    --------
    >>> made = fg.prepare("1aki.pdb", padding="12 Å")  # doctest: +SKIP
    >>> run = fg.run(made.input)  # doctest: +SKIP
    """
    source = as_path(structure)
    target = as_path(out) if out is not None else Path(f"{source.stem}.toml")
    others = ligand_files(source, target, wishes)
    problems = _refused(source, target, others, overwrite)
    files = prepared_files(source, target, wishes, problems, on_progress)
    system = files.report.system
    refuse_to_replace(system, overwrite=overwrite, inputs=(source,))
    for file, text in files.ligands.items():
        replace_file(file, text.encode())
    replace_file(system, files.system.encode())
    replace_file(target, files.input.encode())
    return files.report


def _refused(source: Path, target: Path, others: list[Path], overwrite: bool) -> list[Problem]:
    """Return what is wrong with the names of the files that `prepare` will write."""
    problems = []
    if target.suffix != ".toml":
        hint = f"such as --out {target.with_suffix('.toml').name}"
        what = "is no name of an input, which ends with .toml"
        problems.append(Problem(what, str(target), hint=hint))
    system = system_file(target)
    names = dict.fromkeys((target, system, system.with_suffix(".cif"), *others))
    for file in names:
        try:
            refuse_to_replace(file, overwrite=overwrite, inputs=(source,))
        except InputError as error:
            problems += [one for one in error.problems if one not in problems]
    return problems
