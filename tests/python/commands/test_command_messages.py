# SPDX-License-Identifier: BSD-3-Clause
"""Text for the user: errors, progress, tables, compared with stored texts."""

import io
import json

import pytest

from finegrain.base.option_words import as_arguments
from finegrain.errors import InputError, NumericsError, Problem
from finegrain.words.progress import ProgressLine, ns_per_day, progress_line
from finegrain.words.report import duration, error_json, error_text, file_size, phase_table

TWO_PROBLEMS = InputError(
    [
        Problem("unknown key", "water.toml:14", "forces.cutof", hint="did you mean forces.cutoff?"),
        Problem(
            "too long for this box",
            "water.toml:9",
            "forces.cutoff = 12 Å",
            "9.32 Å, half the shortest box height (18.64 Å)",
            "try a cutoff of 9 Å, or a box of at least 24.1 Å",
        ),
    ],
    source="water.toml",
)
TWO_PROBLEMS.outcome = "nothing was run"


def test_two_problems_look_like_the_model(golden):
    golden("error_two_problems.txt", error_text(TWO_PROBLEMS))


def test_a_numerical_error_names_step_and_atom(golden):
    error = NumericsError(
        "the force is not finite",
        where="step 1,840, atom 17 (H1 of HOH 5, chain B)",
        hint='minimise first: [minimise] method = "l-bfgs"\nor take a shorter time step',
    )
    error.outcome = "the last good checkpoint is runs/water/checkpoint.h5"
    golden("error_numerics.txt", error_text(error))


def test_a_long_value_gets_its_own_line(golden):
    value = "job.h5, trajectory.h5, energies.csv, run.log, result.json, checkpoint.h5"
    error = InputError("holds the results of an earlier run", where="runs/dhfr", value=value)
    golden("error_long_value.txt", error_text(error))


def test_json_of_an_error_has_every_part():
    answer = json.loads(json.dumps(error_json(TWO_PROBLEMS)))["error"]
    assert (answer["kind"], answer["exit_status"], answer["source"]) == ("input", 1, "water.toml")
    assert answer["problems"][1]["limit"].startswith("9.32 Å")
    assert "limit" not in answer["problems"][0]


def test_minimisation_shows_evaluations_energy_and_force():
    progress = {"step": 0, "steps": 100, "evaluations": 12}
    progress |= {"potential": -25171.4, "largest_force": 1234.0}
    assert progress_line(progress, timestep_fs=2.0) == (
        "minimising: 12 evaluations   potential -25,171 kJ/mol   largest force 1,234 kJ/mol/nm"
    )


def test_the_progress_line_is_the_one_promised():
    progress = {"step": 42000, "steps": 100000, "temperature": 299.83, "energy_drift": 3.1e-7}
    line = progress_line(progress, timestep_fs=2.0, pace=1 / 682.87)
    assert line == (
        "step 42,000/100,000  42%  118 ns/day  85 s left   T 299.8 K   drift 3.1e-07 kJ/mol/ps/atom"
    )


def test_the_progress_line_of_a_box_that_changes_has_density_and_pressure():
    progress = {"step": 1, "steps": 2, "temperature": 300.0, "density": 998.24, "pressure": -1234.5}
    stream = io.StringIO()
    for box, words in ((True, "   998.2 kg/m3   -1,234 bar"), (False, "T 300.0 K\n")):
        with ProgressLine(stream, 2.0, box=box) as line:
            line(progress)
        assert words in stream.getvalue()


def test_rate_of_one_second_a_step():
    # 2 fs a second is 2e-6 ns times 86,400 seconds a day.
    assert ns_per_day(2.0, 1.0) == pytest.approx(0.1728, rel=1e-15)


def test_a_file_gets_a_plain_line_a_minute():
    now = [0.0]
    stream = io.StringIO()
    with ProgressLine(stream, 2.0, clock=lambda: now[0]) as line:
        for second in range(0, 150, 10):
            now[0] = second
            line({"step": 10 * second, "steps": 10000})
    lines = stream.getvalue().splitlines()
    shown = ["step 600/10,000", "step 1,200/10,000", "step 1,400/10,000"]
    assert [text.split("  ")[0] for text in lines] == shown
    assert "\r" not in stream.getvalue()
    # Ten steps a second, 8,600 to go.
    assert "14 min left" in lines[-1]


def test_a_terminal_gets_one_line_in_place():
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    with ProgressLine(stream, 2.0) as line:
        line({"step": 5, "steps": 10})
        line({"step": 10, "steps": 10})
    assert stream.getvalue().splitlines()[-1].endswith("step 10/10  100%") or "step 10/10" in (
        stream.getvalue()
    )


def test_quiet_is_quiet():
    stream = io.StringIO()
    with ProgressLine(stream, 2.0, quiet=True) as line:
        line({"step": 5, "steps": 10})
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        *((0, "0 s"), (89, "89 s"), (90, "2 min"), (3600, "60 min")),
        *((7800, "2 h 10 min"), (7200, "2 h"), (273600, "3 d 4 h")),
    ],
)
def test_durations_are_in_usual_words(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(("count", "text"), [(0, "0 B"), (999, "999 B"), (1.25e6, "1.2 MB")])
def test_file_sizes(count, text):
    assert file_size(count) == text


def test_time_per_phase(golden):
    result = {
        "steps": 5000,
        "seconds": 6.0,  # of the last thousand steps
        "seconds_per_step": 0.006,
        "pes": 2,
        "phases": [
            {"name": "pair forces", "seconds": 9.0, "calls": 14000},
            {"name": "mesh", "seconds": 3.0, "calls": 8000},
        ],
    }
    golden("phases.txt", phase_table(result))


def test_the_bare_command_prints_its_help(refused):
    said = refused()
    assert said.startswith("Usage: finegrain")
    assert "resume" in said


def test_a_second_interrupt_leaves_at_once(engine, job, command, monkeypatch):
    """The engine's thread would keep an interpreter alive until its next rebuild."""
    left: list[int] = []

    def leave(status: int) -> None:
        left.append(status)
        raise SystemExit(status)

    def impatient(*_words: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os._exit", leave)
    monkeypatch.setattr("finegrain.runs.simulate.run_job", impatient)
    done = command("run", str(job), "--out", "out")
    assert left == [130]
    assert done.exit_code == 130
    assert "interrupted" in done.stderr


@pytest.mark.parametrize(
    ("command", "python"),
    [
        (
            "choose another folder with --out, or replace the results with --overwrite",
            "choose another folder with out, or replace the results with overwrite=True",
        ),
        (
            "the name is of another format; --out a/b.xtc",
            'the name is of another format; out="a/b.xtc"',
        ),
        ("take a frame of its trajectory: --frame -1", "take a frame of its trajectory: frame=-1"),
        ("--to xtc: has no velocities", 'to="xtc": has no velocities'),
        ("--memory-checkpoint-steps needs --ranks N", "memory_checkpoint_steps needs ranks=N"),
        (
            "continue it: finegrain resume runs/x --steps 20\nor take --hours 2.5.",
            "continue it: finegrain resume runs/x --steps 20\nor take hours=2.5.",
        ),
        (
            "install it: `tools/setup.sh --bench`, or --out",
            "install it: `tools/setup.sh --bench`, or out",
        ),
        (
            "docker run --shm-size 1g; --cfg=smpi/x; --outer",
            "docker run --shm-size 1g; --cfg=smpi/x; --outer",
        ),
    ],
)
def test_options_in_errors_are_arguments_in_python(command, python):
    assert as_arguments(command) == python
    error = InputError("wrong", hint=command)
    assert str(error) == f"wrong; {python}"
    assert command.splitlines()[0] in error_text(error)


def test_errors_know_the_options_that_there_are():
    """Each word that a message may have for Python is an option of some command."""
    import typer.main

    from finegrain.base import option_words
    from finegrain.terminal.cli import app

    commands = typer.main.get_command(app).commands.values()
    options = {name for one in commands for option in one.params for name in option.opts}
    known = (*option_words._FLAGS, *option_words._WITH_VALUE)
    assert {f"--{name}" for name in known} <= options
    flags = {f"--{name}" for name in option_words._FLAGS}
    for one in commands:
        for option in one.params:
            assert all(option.is_flag for name in option.opts if name in flags)
