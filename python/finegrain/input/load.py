# SPDX-License-Identifier: BSD-3-Clause
"""From a text file to a checked model; every problem in words that a user can act on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from finegrain.arguments import as_path
from finegrain.errors import InputError, Problem, nearest
from finegrain.input.baths import bath_problems
from finegrain.input.model import InputModel, sections
from finegrain.input.toml_source import TomlSource, read_toml, tables_of
from finegrain.kinds import KINDS


@dataclass
class Input:
    """A parsed input.

    `problems` holds problems of keys that are not needed to continue. The model then has their
    defaults, so that further problems may be found when the system is read. Nothing may be run
    while it is not empty.
    """

    source: TomlSource
    model: InputModel
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # notes of the readers
    allow_scripts: bool = False  # whether a force field may execute Python
    # of a stage: whether another is before it, whose positions and perhaps velocities it gets, and
    # the highest temperature there (hartree)
    follows: bool = False
    carries_velocities: bool = False
    temperature_before: float = 0.0

    @property
    def without_restraints(self) -> bool:
        """Whether the user wants none, not even those of the topology."""
        return self.source.data.get("restraints") == "none"

    def path_of(self, name: str) -> Path:
        """Return the path of a file in the input; relative names start at the input's folder."""
        return self.source.path.parent / as_path(name)

    def given(self, key: str) -> bool:
        """Return whether the user wrote `key`."""
        return key in self.source.lines

    def raise_problems(self) -> None:
        """Raise all problems found so far, in the order of their lines, if there are any."""
        if self.problems:
            raise InputError(in_order(self.problems), source=self.source.name)


def load_input(path: str | Path, *, strict: bool = True) -> Input:
    """Read an input file.

    Parameters
    ----------
    path : path
        A TOML file.
    strict : bool
        Raise if anything is wrong. Otherwise raise only if no further problems can be found before
        these are corrected, and return the problems in the result.

    Returns
    -------
    Input
        The checked model.

    Raises
    ------
    InputError
        With all problems of the file, each with line, value, limit and remedy.
    """
    source = read_toml(Path(path))
    if "stages" in source.data:
        what = "has stages, each of which is a job"
        hint = "`finegrain run` runs them one after the other, `finegrain check` checks them"
        raise InputError([Problem(what, source.place("stages.0"), hint=hint)], source=source.name)
    return load_source(source, strict=strict)


def directory_of(path: Path) -> str:
    """Return the folder that an input names for its results; empty if it names none."""
    output = read_toml(path).data.get("output")
    wanted = output.get("directory") if isinstance(output, dict) else None
    return wanted if isinstance(wanted, str) else ""


def load_source(source: TomlSource, *, strict: bool = True) -> Input:
    """Check a parsed input, as `load_input` does."""
    if found := _control_characters(source):
        raise InputError(found, source=source.name)
    data: dict[str, Any] = {
        section: dict(table) if isinstance(table, dict) else table
        for section, table in source.data.items()
        if (section, table) != ("restraints", "none")
    }
    problems: list[Problem] = []
    model = None
    # Each round removes the wrong keys, so that their defaults are used.
    for _ in range(3):
        try:
            model = InputModel.model_validate(data)
            break
        except ValidationError as error:
            details = error.errors(include_url=False)
            problems += [_in_words(source, detail) for detail in details]
            if not _take_out(data, [detail["loc"] for detail in details]):
                break
    if model is None:
        raise InputError(in_order(problems), source=source.name)
    problems += _contradictions(source, model)
    result = Input(source, model, problems)
    if strict:
        result.raise_problems()
    return result


_controls = [chr(code) for code in (*range(32), 127)]
_files = ("topology", "coordinates", "parameters", "forcefield", "reference")
_paths = (*_files, "directory", "include")


def _control_characters(source: TomlSource) -> list[Problem]:
    """Find text with a NUL, and file names with any control character."""
    found = []
    for section, table in tables_of(source.data):
        for key, value in table.items():
            texts = value if isinstance(value, list) else [value]
            refused = _controls if key in _paths else _controls[:1]
            if any(code in text for text in texts if isinstance(text, str) for code in refused):
                what = "holds a control character"
                found.append(source.problem(f"{section}.{key}", what, hint="take it out"))
    return found


def in_order(problems: list[Problem]) -> list[Problem]:
    """Return each problem once, in the order of their lines."""
    return sorted(dict.fromkeys(problems), key=_line)


def _line(problem: Problem) -> int:
    found = re.search(r":(\d+)$", problem.where)
    return int(found.group(1)) if found else 0


def _take_out(data: dict[str, Any], places: list[tuple[int | str, ...]]) -> bool:
    """Remove wrong optional keys; return whether the rest may be valid."""
    changed = False
    for place in places:
        section, key = str(place[0]), str(place[1]) if len(place) > 1 else ""
        table = data.get(section)
        known = sections[section].model_fields.get(key) if section in sections else None
        needed = known is not None and known.is_required()
        if section == "system" and (needed or not isinstance(table, dict)):
            continue
        if isinstance(table, dict) and key in table and not needed:
            del table[key]
            changed = True
        elif section in data and section != "system":
            del data[section]
            changed = True
    return changed


def _in_words(source: TomlSource, detail: Any) -> Problem:
    place = [str(part) for part in detail["loc"] if isinstance(part, str)]
    key, context = _key(detail["loc"]), detail.get("ctx", {})
    match detail["type"]:
        case "extra_forbidden":
            what = "unknown key" if len(place) > 1 else "unknown section"
            return Problem(what, source.place(key), key, hint=_meant(place))
        case "missing":
            if len(place) == 1:
                hint = f"add a [{key}] section; `finegrain init` shows one"
                return Problem("missing section", source.place(key), f"[{key}]", hint=hint)
            return Problem("missing key", source.place(key), key, hint=_example(place))
        case "quantity":
            limit = context.get("limit", "")
            return source.problem(key, context["what"], limit=limit, hint=context["hint"])
        case "literal_error":
            return source.problem(key, "not a known value", hint=_choices(detail))
        case "too_short" | "too_long":
            count = context.get("min_length") or context.get("max_length")
            return source.problem(key, f"needs {count} values", hint=_example(place))
        case "greater_than" | "greater_than_equal" | "less_than" | "less_than_equal":
            kind, limit = next(iter(context.items()))
            words = {"gt": "more than", "ge": "at least", "lt": "less than", "le": "at most"}
            return source.problem(key, "out of range", limit=f"{words[kind]} {_plain(limit)}")
        case "int_type" | "int_from_float":
            return source.problem(key, "not a whole number", hint=_example(place))
        case "bool_type":
            return source.problem(
                key, "not true or false", hint="write true or false, without quotes"
            )
        case "string_type":
            return source.problem(key, "not text", hint=_example(place) or "write it in quotes")
        case "float_type" | "finite_number":
            return source.problem(key, "not a number", hint=_example(place))
        case "list_type" if place == ["restraints"]:
            hint = 'start each group with a line [[restraints]]; restraints = "none" takes all out'
            return source.problem(key, "is no list of tables", hint=hint)
        case "model_type" | "model_attributes_type" | "dict_type":
            hint = f"start a section with a line [{key}]"
            return source.problem(key, "not a section", hint=hint)
        case _:
            return source.problem(key, str(detail["msg"]).lower(), hint=_example(place))


def _key(place: tuple[int | str, ...]) -> str:
    """Return the dotted key of a place: that of a table, or of a table in a list."""
    deep = 3 if len(place) > 1 and isinstance(place[1], int) else 2
    return ".".join(str(part) for part in place[:deep])


def _plain(number: float) -> str:
    """Return a limit in its usual form: 1,000,000 or 1e-15."""
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"


def _meant(place: list[str]) -> str:
    """Return the key that was most likely meant, in the same section or another."""
    if len(place) == 1:
        close = nearest(place[0], sections)
        return f"did you mean [{close}]?" if close else f"sections are {', '.join(sections)}"
    section, key = place[:2]
    own = list(sections[section].model_fields)
    if close := nearest(key, own):
        return f"did you mean {section}.{close}?"
    for other, model in sections.items():
        if key in model.model_fields:
            return f"{key} belongs in [{other}]"
    for other, model in sections.items():
        if close := nearest(key, model.model_fields):
            return f"did you mean {close} in [{other}]?"
    return f"keys of [{section}] are {', '.join(own)}"


_examples = {
    "forces.mesh": "such as [64, 64, 64]",
    "forces.spline_order": "one of 4, 5, 6, 8",
    "patches.grid": "such as [5, 5, 5]",
    "mesh.pencils": "such as [4, 4]",
}


def _example(place: list[str]) -> str:
    key = ".".join(place[:2])
    if key in _examples:
        return _examples[key]
    model = sections.get(place[0])
    known = model.model_fields.get(place[1]) if model and len(place) > 1 else None
    if known is None or not known.examples:
        return ""
    example = known.examples[0]
    shown = f'"{example}"' if isinstance(example, str) else str(example).replace("'", '"')
    return f"such as {place[1]} = {shown}"


def _choices(detail: Any) -> str:
    expected = re.findall(r"'([^']*)'", detail["ctx"]["expected"])
    if detail["loc"] == ("system", "kind"):
        expected = [*KINDS]
    if not expected:
        return f"one of {detail['ctx']['expected'].replace(' or ', ', ')}"
    close = nearest(str(detail["input"]), expected)
    listed = "one of " + ", ".join(f'"{word}"' for word in expected)
    return f'did you mean "{close}"? ({listed})' if close else listed


def _contradictions(source: TomlSource, model: InputModel) -> list[Problem]:
    """Find keys that exclude or need each other."""
    found: list[Problem] = []
    forces = model.forces
    for one, other in (("mesh", "mesh_spacing"), ("ewald_coefficient", "ewald_tolerance")):
        if getattr(forces, one) is not None and getattr(forces, other) is not None:
            what = f"given beside forces.{one}"
            found.append(source.problem(f"forces.{other}", what, hint="keep one of the two"))
    found += _unused(source, model)
    found += _restraints(source, model)
    if forces.cutoff and forces.switch and forces.switch.value >= forces.cutoff.value:
        limit = f"less than the cutoff, {forces.cutoff}"
        hint = 'switch = "off" cuts sharply'
        found.append(
            source.problem("forces.switch", "starts beyond the cutoff", limit=limit, hint=hint)
        )
    if (dynamics := model.dynamics) is not None:
        found += bath_problems(source, dynamics)
        if dynamics.velocities == "from-temperature" and dynamics.temperature is None:
            hint = 'add temperature = "300 K"'
            found.append(source.problem("dynamics.velocities", "needs a temperature", hint=hint))
    return found


def _restraints(source: TomlSource, model: InputModel) -> list[Problem]:
    """Find restraints without a force constant, or with one that holds nothing."""
    found: list[Problem] = []
    for place, wanted in enumerate(model.restraints):
        key, constants = f"restraints.{place}.force_constant", wanted.force_constant
        if wanted.atoms == [of_topology]:
            if constants is not None:
                what, hint = "is that of the topology", "take it out, or name other atoms"
                found.append(source.problem(key, what, hint=hint))
        elif constants is None:
            hint = 'such as force_constant = "1000 kJ/mol/nm^2"'
            found.append(Problem("missing key", source.place(key), key, hint=hint))
        elif len(constants) not in (1, 3):
            what, hint = f"holds {len(constants)} values", "one, or three: along x, y and z"
            found.append(source.problem(key, what, hint=hint))
        elif not any(constant.value for constant in constants):
            hint = "take the table out, or give a number above 0"
            found.append(source.problem(key, "holds no atom", hint=hint))
    return found


of_topology = "topology"  # [[restraints]] atoms = "topology": those that the topology restrains

# The keys for each kind of topology, besides those for all kinds.
_goes_with = {
    "openmmtools:NAME": ("coordinates",),
    ".prmtop": ("coordinates",),
    ".parm7": ("coordinates",),
    ".psf": ("coordinates", "parameters"),
    ".top": ("coordinates", "include", "define"),
    ".pdb": ("coordinates", "forcefield"),
    ".cif": ("coordinates", "forcefield"),
    ".pdbx": ("coordinates", "forcefield"),
    ".xml": ("coordinates",),
}


def _unused(source: TomlSource, model: InputModel) -> list[Problem]:
    """Find keys that have no effect beside another choice; silence would hide a mistake."""
    system, forces = model.system, model.forces
    kind = Path(system.topology).suffix.lower()
    if system.topology.startswith("openmmtools:"):
        kind = "openmmtools:NAME"
    used = _goes_with.get(kind)
    found: list[Problem] = []
    for key in ("coordinates", "parameters", "forcefield", "include", "define"):
        if used is not None and key not in used and getattr(system, key):
            kinds = ", ".join(name for name, keys in _goes_with.items() if key in keys)
            hint = f"take it out; it goes with {kinds}"
            what = f"has no use with a topology {kind}"
            found.append(source.problem(f"system.{key}", what, hint=hint))
    if system.frame is not None and not (system.coordinates or "").lower().endswith(".h5"):
        hint = 'take it out; it goes with coordinates = "runs/…/trajectory.h5"'
        found.append(source.problem("system.frame", "has no use without a trajectory", hint=hint))
    idle: list[str] = []
    if forces.electrostatics in ("plain", "reaction-field"):
        idle += ["mesh", "mesh_spacing", "spline_order", "ewald_coefficient", "ewald_tolerance"]
    if forces.electrostatics in ("plain", "pme"):
        idle.append("reaction_field_dielectric")
    return found + [
        source.problem(
            f"forces.{key}",
            f'has no use with electrostatics = "{forces.electrostatics}"',
            hint="take it out, or change forces.electrostatics",
        )
        for key in idle
        if getattr(forces, key) is not None
    ]
