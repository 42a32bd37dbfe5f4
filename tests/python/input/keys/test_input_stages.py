# SPDX-License-Identifier: BSD-3-Clause
"""Inputs with stages: which keys a stage has, and what is refused."""

from pathlib import Path

import pytest
from input_systems import water_input, write_waters

from finegrain.classical.input.template import template
from finegrain.classical.preparation.check import check_stages
from finegrain.classical.preparation.stages import Stage, prepare_stages
from finegrain.errors import InputError, Problem
from finegrain.units import hartree_in_kelvin

base = water_input.replace("[dynamics]", '[dynamics]\nensemble = "nvt"')
TWO = '[[stages]]\nname = "one"\n[stages.dynamics]\nsteps = {}\n\n[[stages]]\nname = "two"\n'
lines_of_base = len(base.splitlines())


def stages_of(folder: Path, more: str, text: str = base) -> list[Stage]:
    return prepare_stages(write_waters(folder, text + more))


def problems_of(folder: Path, more: str, text: str = base) -> list[Problem]:
    with pytest.raises(InputError) as caught:
        stages_of(folder, more, text)
    return caught.value.problems


def test_a_stage_replaces_keys_and_has_the_others_of_the_base(tmp_path: Path) -> None:
    more = TWO.format(5) + '[stages.dynamics]\ntimestep = "1 fs"\n[stages.forces]\ncutoff = "7 Å"\n'
    one, two = stages_of(tmp_path, more)
    assert [one.folder, two.folder] == ["1-one", "2-two"]
    first, second = one.prepared.given.model, two.prepared.given.model
    assert first.dynamics is not None
    assert second.dynamics is not None
    assert (first.dynamics.steps, first.dynamics.timestep.text) == (5, "2 fs")
    assert (second.dynamics.steps, second.dynamics.timestep.text) == (100, "1 fs")
    assert one.prepared.settings.cutoff > two.prepared.settings.cutoff
    assert second.dynamics.temperature == first.dynamics.temperature


def test_a_try_has_a_share_of_the_steps_and_as_many_rows(tmp_path: Path) -> None:
    """Steps are rounded up to a multiple of those between two forces of the mesh; none is zero."""
    text = base + "\n[output]\nenergy_interval = 50\ntrajectory_interval = 0\n"
    more = TWO.format(1000) + "[stages.dynamics]\nsteps = 1010\nlong_range_interval = 2\n"
    more += '[[stages]]\nname = "three"\n[stages.dynamics]\nsteps = 0\n'
    stages = prepare_stages(write_waters(tmp_path, text + more), scale=0.01)
    found = []
    for stage in stages:
        model = stage.prepared.given.model
        assert model.dynamics is not None
        found.append((model.dynamics.steps, model.output.energy_interval))
        assert model.output.trajectory_interval == 0
    assert found == [(10, 1), (12, 2), (0, 1)]


def test_a_try_is_refused_where_the_whole_run_would_be(tmp_path: Path) -> None:
    more = TWO.format(1000) + "[stages.dynamics]\nsteps = 1009\nlong_range_interval = 2\n"
    with pytest.raises(InputError, match="take 1010"):
        prepare_stages(write_waters(tmp_path, base + more), scale=0.01)


@pytest.mark.parametrize(("steps", "carries"), [(0, False), (5, True)])
def test_velocities_go_on_after_steps_only(tmp_path: Path, steps: int, carries: bool) -> None:
    one, two = stages_of(tmp_path, TWO.format(steps))
    assert not one.carries_velocities
    assert two.carries_velocities == carries
    assert (two.prepared.velocity is None) == (not carries)  # None: they are drawn


def test_a_stage_may_draw_velocities_again(tmp_path: Path) -> None:
    more = TWO.format(5) + '[stages.dynamics]\nvelocities = "from-temperature"\n'
    assert not stages_of(tmp_path, more)[1].carries_velocities


def test_lists_are_made_for_the_hottest_of_a_ramp_and_of_the_stage_before(tmp_path: Path) -> None:
    ramp = '[stages.dynamics]\ntemperature = ["400 K", "100 K"]\n'
    more = TWO.format(5) + ramp + '[[stages]]\nname = "three"\n'
    _, two, three = stages_of(tmp_path, more)
    assert two.prepared.division.temperature * hartree_in_kelvin == pytest.approx(400)
    assert three.prepared.division.temperature * hartree_in_kelvin == pytest.approx(400)
    assert two.prepared.temperature * hartree_in_kelvin == pytest.approx(400)


def test_restraints_of_a_stage_replace_all_others(tmp_path: Path) -> None:
    def held(atoms: str, head: str) -> str:
        return f'[[{head}]]\natoms = {atoms}\nforce_constant = "9 kJ/mol/nm^2"\n'

    more = held("1", "restraints") + held("2", "restraints") + TWO.format(5)
    more += held("[7, 8]", "stages.restraints") + held("9", "stages.restraints")
    more += '[[stages]]\nname = "free"\nrestraints = "none"\n[[stages]]\nname = "again"\n'
    found = [stage.prepared.system.restraints.atoms.tolist() for stage in stages_of(tmp_path, more)]
    assert found == [[0, 1], [6, 7, 8], [], [0, 1]]


@pytest.mark.parametrize(
    ("more", "line", "said"),
    [
        ("[[stages]]\n", 1, "missing key"),
        ('[[stages]]\nname = "a/b"\n', 2, "is no name of a stage"),
        ('[[stages]]\nname = "a"\n[[stages]]\nname = "A"\n', 4, "is the name of two stages"),
        ('[[stages]]\nname = "a"\n[stages.system]\nbox = 1\n', 3, "cannot change in a stage"),
        ('[[stages]]\nname = "a"\n[stages.dynamic]\nsteps = 1\n', 3, "unknown key of a stage"),
        ('[[stages]]\nname = "a"\ndynamics = 1\n', 3, "not a section"),
        ('[[stages]]\nname = "a"\n[stages.dynamics]\nstep = 1\n', 4, "unknown key"),
        ('[[stages]]\nname = "a"\n[stages.output]\ndirectory = "x"\n', 4, "cannot change in a"),
        ('[minimise]\n[[stages]]\nname = "a"\n', 1, "stands outside the stages"),
        ('[[stages]]\nname = "a"\n[[stages.restraints]]\natoms = "0"\n', 3, "missing key"),
        ('[stages]\nname = "a"\n', 1, "is no list of tables"),
        (TWO.format(5) + '[stages.dynamics]\nvelocities = "from-file"\n', 9, "are those of the"),
    ],
)
def test_wrong_stages_are_told_with_a_line(tmp_path: Path, more: str, line: int, said: str) -> None:
    found = [p for p in problems_of(tmp_path, more) if p.what.startswith(said)]
    assert [problem.where for problem in found] == [f"water.toml:{lines_of_base + line}"]


def test_problems_of_all_stages_are_reported_at_once_and_each_once(tmp_path: Path) -> None:
    more = TWO.format(-1) + '[stages.forces]\ncutoff = "90 Å"\n'
    text = water_input.replace('"300 K"', '"300"')
    found = problems_of(tmp_path, more, text)
    said = ["has no unit", "out of range", "too long for this box"]
    assert [problem.what for problem in found] == said
    assert len({problem.where for problem in found}) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('["100 K"]', "holds 1 values"),
        ('["100 K", "300"]', "has no unit"),
        ('["100 K", "-1 K"]', "must not be negative"),
    ],
)
def test_a_ramp_that_is_none_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (found,) = problems_of(tmp_path, TWO.format(5), water_input.replace('"300 K"', text))
    assert found.what == said


def test_a_ramp_needs_a_bath(tmp_path: Path) -> None:
    text = water_input.replace('"300 K"', '["100 K", "300 K"]')
    (found,) = problems_of(tmp_path, TWO.format(5), text)
    assert found.what == "a ramp needs Langevin dynamics"


def test_the_stages_of_the_template_are_an_input(tmp_path: Path) -> None:
    head, _, stages = template("openmm").partition("# [[restraints]]")
    lines = [line.removeprefix("#").removeprefix(" ") for line in stages.splitlines()]
    text = head[: head.index("[minimise]")] + "[[restraints]]" + "\n".join(lines) + "\n"
    text = text.replace("system.xml", "water.xml").replace("system.pdb", "water.pdb")
    text = text.replace('"solute heavy atoms"', '"heavy atoms"')
    report = check_stages(write_waters(tmp_path, text))
    assert list(report.stages) == ["1-minimise", "2-heat", "3-produce"]


def test_check_shows_the_temperature_of_every_stage_that_has_a_bath(tmp_path: Path) -> None:
    more = TWO.format(5) + '[stages.dynamics]\nensemble = "npt"\n'
    heat = base.replace('temperature = "300 K"', 'temperature = ["50 K", "300 K"]')
    second = '[stages.dynamics]\nensemble = "npt"\ntemperature = "300 K"\n'
    text = check_stages(write_waters(tmp_path, heat + TWO.format(5) + second)).text()
    assert "50 K to 300 K, linear over the steps" in text
    press = text.partition("2-two")[2]
    assert "temperature     300 K" in press
    assert "temperature: none" not in press
    text = check_stages(write_waters(tmp_path, base + more)).text()
    assert text.count("temperature     300 K") == 1
