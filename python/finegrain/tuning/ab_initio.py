# SPDX-License-Identifier: BSD-3-Clause
"""What can be tuned about an input for ab initio dynamics: blocks of orbitals, parts of waves.

The ground state is found once; all timed runs start from its orbitals.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from finegrain import api
from finegrain.ab_initio.division import fineness
from finegrain.ab_initio.input.load import load_input
from finegrain.ab_initio.preparation.division import Division, choose_division
from finegrain.ab_initio.preparation.job import checked_image, job_image
from finegrain.ab_initio.preparation.prepare import Prepared, prepare_input
from finegrain.errors import InputError, InputNote, ResourceError
from finegrain.runs.options import How
from finegrain.toml_input.source import InputFile
from finegrain.tuning.in_turns import Say
from finegrain.tuning.search import Aspect, Tunable

_timed = 5  # divisions at most, those with about as many objects as PEs
_coarsest = 64  # orbitals of a block


def tunable(
    path: InputFile,
    folder: Path,
    how: How,
    _pes: int,
    say: Say,
    *,
    allow_scripts: bool,  # noqa: ARG001 - as for classical inputs
) -> Tunable:
    """Return the checked input, with its own division, from the ground state of its ions.

    Parameters
    ----------
    folder : Path
        Where the ground state may be written.
    """
    given = load_input(path)
    if given.model.dynamics.kind == "ground-state":
        hint = 'add a section [dynamics], such as with kind = "car-parrinello"'
        raise InputError("has no dynamics that could be timed", where=given.source.name, hint=hint)
    prepared = prepare_input(given)
    (folder / "start.h5").write_bytes(checked_image(prepared))
    say("finding the ground state first")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        start = api.run(folder / "start.h5", folder / "start", steps=1, overwrite=True, **how)
    if not start.finished:
        raise ResourceError("was stopped while it looked for the ground state", hint="start again")
    ground = given.model.ground_state.model_copy(update={"start": str(folder / "start")})
    output = given.model.output.model_copy(update={"orbitals": False})
    given.model = given.model.model_copy(update={"ground_state": ground, "output": output})
    return Tunable(
        own=replace(prepare_input(given), division=prepared.division),
        aspects=ASPECTS,
        image=job_image,
        interval=lambda _division: 1,
        keys=keys_of,
        seconds=float(start.result["seconds_per_step"]),
    )


def keys_of(prepared: Prepared) -> dict[str, Any]:
    """Return the keys that give an input the division of `prepared`."""
    division = prepared.division
    return {
        "objects.state_grain": division.state_grain,
        "objects.wave_parts": division.wave_parts,
        "objects.density_parts": division.density_parts,
    }


def _other_orbitals(prepared: Prepared, pes: int) -> list[Division]:
    """Return divisions into other blocks of orbitals, or into other parts of their waves."""
    division, asked = prepared.division, prepared.given.model.objects
    bands, most = _bands(prepared), fineness.most_wave_parts(prepared.waves)
    blocks = {division.state_grain}
    if asked.state_grain is None:
        blocks |= {
            fineness.state_grain(bands, number) for number in (fineness.usual_pes, pes, 2 * pes)
        }
        blocks |= {2 * -(-division.state_grain // 4), min(2 * division.state_grain, _coarsest)}
    divisions = []
    for orbitals in sorted(one for one in blocks if one <= bands):
        objects = fineness.enough_for(_spins(prepared), orbitals, 1)
        parts = {division.wave_parts}
        if asked.wave_parts is None:
            parts |= {1, -(-pes // objects), -(-2 * pes // objects)}
        divisions += [(orbitals, count, objects * count) for count in sorted(parts)]
    near = [one for one in divisions if one[1] <= most and pes / 2 <= one[2] <= 2 * pes]
    near.sort(key=lambda one: max(one[2] / pes, pes / one[2]))
    changes = [
        {"state_grain": orbitals, "wave_parts": parts, "pes": pes} for orbitals, parts, _ in near
    ]
    return list(_divisions(prepared, changes))[:_timed]


def _other_densities(prepared: Prepared, pes: int) -> list[Division]:
    """Return divisions into other parts of the density."""
    division, asked = prepared.division, prepared.given.model.objects
    if asked.density_parts is not None:
        return []
    most, parts = fineness.most_density_parts(prepared.waves), division.wave_parts
    wanted = [pes, 2 * pes, 2 * division.density_parts, division.density_parts // 2]
    counts = [parts * max(1, round(min(count, most) / parts)) for count in wanted]
    changes = [{"density_parts": count} for count in counts if count <= most]
    return list(_divisions(prepared, changes))


def _divisions(prepared: Prepared, changes: Iterable[dict[str, int]]) -> Iterable[Division]:
    """Yield the divisions with some keys changed, each once, that the input can have."""
    seen = [prepared.division]
    given, division = prepared.given, prepared.division
    own = {"state_grain": division.state_grain, "wave_parts": division.wave_parts}
    for change in changes:
        objects = given.model.objects.model_copy(update=own | change)
        model = given.model.model_copy(update={"objects": objects})
        other = replace(given, model=model, problems=[])
        found = choose_division(other, _bands(prepared), prepared.waves)
        if not other.problems and found.density_parts % found.wave_parts == 0 and found not in seen:
            seen.append(found)
            yield found


def _bands(prepared: Prepared) -> int:
    return max(*_spins(prepared), 1)


def _spins(prepared: Prepared) -> tuple[int, int]:
    return prepared.spins.up, prepared.spins.down


def _orbitals_in_words(division: Division) -> str:
    return f"blocks of {division.state_grain} orbitals, {division.wave_parts} parts of waves"


def _densities_in_words(division: Division) -> str:
    return f"{division.density_parts} parts of the density"


ASPECTS = (
    Aspect("orbitals", _other_orbitals, _orbitals_in_words),
    Aspect("density", _other_densities, _densities_in_words),
)
