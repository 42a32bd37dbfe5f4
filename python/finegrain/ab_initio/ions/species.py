# SPDX-License-Identifier: BSD-3-Clause
"""The pseudopotential of each element of a run: the user's files, or those that are found."""

from __future__ import annotations

from pathlib import Path

from finegrain.ab_initio.input.functional import functional_problem, pseudopotential_name
from finegrain.ab_initio.input.load import AbInitioInput
from finegrain.base.arguments import as_path
from finegrain.errors import InputError, Problem, nearest
from finegrain.pseudopotentials import (
    Pseudopotential,
    find_pseudopotential,
    read_pseudopotential,
)
from finegrain.pseudopotentials.atom_in_waves import AtomInWaves, occupied_shells
from finegrain.pseudopotentials.elements import SYMBOLS

_key = "electrons.pseudopotentials"
_rydberg = 0.5
_rounding = 1 + 1e-9
# Lost by an atom [hartree]; differences of energies then lose about a millihartree.
_most_lost = 0.02


def choose_species(given: AbInitioInput, elements: tuple[str, ...]) -> dict[str, Pseudopotential]:
    """Return the pseudopotential of each element; what is wrong goes to the problems of `given`.

    Elements without a usable one are missing in the result.
    """
    electrons = given.model.electrons
    if functional_problem(given.source, electrons.functional) is not None:
        return {}  # reported already; without a functional no file fits
    if electrons.pseudopotentials == "auto":
        found = _found(given, elements)
    else:
        found = _named(given, elements)
    for element, pseudo in found.items():
        _check_cutoff(given, element, pseudo)
    return found


def _found(given: AbInitioInput, elements: tuple[str, ...]) -> dict[str, Pseudopotential]:
    electrons = given.model.electrons
    folders = [given.path_of(name) for name in electrons.pseudopotential_folders]
    missing = [folder for folder in folders if not folder.is_dir()]
    for folder in missing:
        key = "electrons.pseudopotential_folders"
        problem = given.source.problem(key, "no such folder", limit=str(folder))
        given.problems.append(problem)
    if missing:
        return {}
    chosen = {}
    for element in elements:
        try:
            wanted = pseudopotential_name(electrons.functional)
            chosen[element] = find_pseudopotential(element, wanted, folders)
        except InputError as error:
            given.problems += [_placed(given, _key, problem) for problem in error.problems]
    return chosen


def _named(given: AbInitioInput, elements: tuple[str, ...]) -> dict[str, Pseudopotential]:
    electrons, source = given.model.electrons, given.source
    files: dict[str, str] = electrons.pseudopotentials
    chosen: dict[str, Pseudopotential] = {}
    for element in files:
        if element not in elements:
            what = "the structure has no such element"
            if element not in SYMBOLS:
                what = "is no element"
            hint = f"take it out; elements of the structure are {', '.join(elements)}"
            place = f"{_key}.{element}"
            given.problems.append(Problem(what, source.place(place), place, hint=hint))
    for element in elements:
        if element not in files:
            hint = f'add {element} = "FILE" to the table, or write pseudopotentials = "auto"'
            what = f"has no file for {element}"
            given.problems.append(Problem(what, source.place(_key), _key, hint=hint))
            continue
        try:
            chosen[element] = _read(given, element, files[element])
        except InputError as error:
            place = f"{_key}.{element}"
            given.problems += [_placed(given, place, problem) for problem in error.problems]
    return chosen


def _read(given: AbInitioInput, element: str, name: str) -> Pseudopotential:
    """Read a file; a plain name that is not beside the input may be that of an installed file."""
    electrons = given.model.electrons
    path = given.path_of(name)
    if not path.exists():
        path = _installed(name) or path
    if not path.exists():
        raise InputError("no such file", value=name, hint=_meant(path, name))
    return read_pseudopotential(
        path,
        element,
        pseudopotential_name(electrons.functional),
        other_functional=electrons.allow_other_functional,
    )


def _meant(path: Path, name: str) -> str:
    """Return the file that a name was most likely meant for, or where files were looked for."""
    from finegrain.pseudopotentials.finder import default_folders

    beside = path.parent
    folders = [] if as_path(name).name != name else default_folders()
    found = {one.name for one in beside.glob("*")} if beside.is_dir() else set()
    for folder in folders:
        found |= {one.name for one in folder.rglob("*") if one.is_file()}
    spelled = {one.lower(): one for one in sorted(found)}
    if close := nearest(path.name, spelled):
        return f'did you mean "{spelled[close]}"?'
    places = ", ".join(str(folder) for folder in [beside, *folders])
    return f"give the path of a pseudopotential file; searched {places}"


def _installed(name: str) -> Path | None:
    """Return the file of this name in the folders where pseudopotentials are installed."""
    from finegrain.pseudopotentials.finder import default_folders

    if as_path(name).name != name:
        return None
    for folder in default_folders():
        found = sorted(path for path in folder.rglob(name) if path.is_file())
        if found:
            return found[0]
    return None


def _placed(given: AbInitioInput, key: str, problem: Problem) -> Problem:
    """Return a problem of a file with the place of the key that names it, too."""
    value = given.source.written(key) or key
    if problem.value and problem.value != value:
        value = f"{value}: {problem.value}"
    what = f"{problem.where}: {problem.what}" if problem.where else problem.what
    hint = problem.hint.replace(
        "say that another functional is meant (other_functional)",
        "accept it with [electrons] allow_other_functional = true",
    )
    return Problem(what, given.source.place(key), value, problem.limit, hint)


def _check_cutoff(given: AbInitioInput, element: str, pseudo: Pseudopotential) -> None:
    electrons = given.model.electrons
    least = pseudo.recommended_cutoff
    if electrons.allow_low_cutoff:
        return
    if least is None:
        _check_against_the_atom(given, element, pseudo)
        return
    if electrons.cutoff.value * _rounding >= least:
        return
    what = f"is too low for the pseudopotential of {element}"
    limit = f"{least / _rydberg:g} Ry, by {pseudo.path.name}"
    hint = _remedy(given, f"{least / _rydberg:g} Ry")
    given.problems.append(given.source.problem("electrons.cutoff", what, limit=limit, hint=hint))


def _remedy(given: AbInitioInput, enough: str) -> str:
    cutoff = given.source.with_value("electrons.cutoff", enough)
    rough = given.source.with_value("electrons.allow_low_cutoff", True)
    return f"try {cutoff}; for a rough test: {rough}"


def _check_against_the_atom(given: AbInitioInput, element: str, pseudo: Pseudopotential) -> None:
    """Say what a cutoff costs, because the file recommends none; an error if nothing is bound."""
    electrons, name = given.model.electrons, pseudo.path.name
    if not occupied_shells(pseudo):
        given.notes.append(
            f"{name} ({element}) recommends no cutoff, and which electrons it has is not known: "
            "compare energies at rising cutoffs"
        )
        return
    atom = AtomInWaves.of(pseudo)
    lost = atom.lost(electrons.cutoff.value)
    if lost <= _most_lost:
        return
    enough = f"{atom.cutoff_for(_most_lost) / _rydberg:g} Ry"
    remedy = _remedy(given, enough)
    if atom.binds(electrons.cutoff.value):
        given.notes.append(
            f"cutoff = {electrons.cutoff} is low for {name} ({element}): with these waves its free "
            f"atom loses about {lost:.2g} hartree, more than {_most_lost:g}; {remedy}"
        )
        return
    what = (
        f"is too low for the pseudopotential of {element}: the electrons of an atom are not bound"
    )
    limit = f"{enough}, for {name}"
    given.problems.append(given.source.problem("electrons.cutoff", what, limit=limit, hint=remedy))
