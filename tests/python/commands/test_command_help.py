# SPDX-License-Identifier: BSD-3-Clause
"""Help: every command has working examples, and a mistyped word gets the nearest valid one."""

import shlex
from pathlib import Path

import pytest
from stand_ins import write_job

import finegrain as fg
from finegrain.kinds.registry import KINDS, kind_named
from finegrain.terminal import benchmark
from finegrain.terminal.cli import COMMANDS
from finegrain.terminal.commands.examples import EXAMPLES, FIRST_STEPS
from finegrain.terminal.commands.writing import KINDS_OF_INPUTS

# Other programs, an MPI, the real engine, a structure, a folder without a run.
NEEDS_MORE = {"--peers", "--ranks", "engine", "fft", "map", "predict", "prepare", "trace", "tune"}
NEEDS_MORE |= {"relax", "--slurm", "vibrations", "wannier"}


def in_help(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", [*COMMANDS, "help"])
def test_help_is_the_same_by_every_way_to_it(command, accepted, name):
    done = accepted(name, "--help")
    assert command(name, "-h").stdout == done.stdout
    assert command("help", name).stdout == done.stdout
    for example, comment in EXAMPLES.get(name, ()):
        assert f"  {example}" in done.stdout
        assert example.split()[1] in (name, "run")
        assert comment in done.stdout
    assert EXAMPLES.get(name) or name == "help"
    assert ("--json" in done.stdout) == (name != "help")


def test_the_help_of_init_names_all_kinds_of_inputs(command):
    known = [name for kind in KINDS for name in kind_named(kind).templates]
    assert KINDS_OF_INPUTS.replace(";", ",").split(", ") == [*known, "machine"]
    said = "".join(command("init", "--help").stdout.split())
    assert KINDS_OF_INPUTS.replace(" ", "") in said


def test_the_help_of_all_begins_with_first_steps(command, refused):
    done = command("--help")
    assert command("help").stdout == command("-h").stdout == done.stdout
    assert command().stderr == done.stdout
    refused()
    for example, _ in FIRST_STEPS:
        assert f"  {example}" in done.stdout


def test_every_example_works_as_it_stands(engine, job, accepted, monkeypatch):
    """With stand-ins for the engine and a reader, in the order in which they are printed."""
    monkeypatch.setattr(benchmark, "dhfr_job", lambda folder: fg.Job(job))

    def pretend(_source: Path, target: Path, **_options: object) -> None:
        write_job(target)

    monkeypatch.setattr("finegrain.kinds.new_job.write_job", pretend)
    monkeypatch.setattr("finegrain.api.inputs.write_job", pretend)
    monkeypatch.setattr("finegrain.api.running.write_job", pretend)
    tried = 0
    for example, _ in (*FIRST_STEPS, *(one for name in COMMANDS for one in EXAMPLES[name])):
        words = shlex.split(example.partition(" > ")[0])[1:]
        if NEEDS_MORE & set(words):
            accepted(words[0], "--help")
            continue
        if words == ["resume", "runs/water"]:
            Path("runs/water/result.json").unlink()  # as if it had been stopped
        again = ["--overwrite"] if words[:1] == ["run"] and Path("runs/water").exists() else []
        accepted(*words, *again)
        tried += 1
    assert tried > 12


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("sho", "runs/water"), "did you mean show?"),
        (("rum",), "did you mean run?"),
        (("water.toml",), "did you mean finegrain run water.toml?"),
        (("help", "konvert"), "did you mean convert?"),
        (("run", "x.toml", "--stepz", "5"), "did you mean --steps?"),
        (("check", "x.toml", "--jsno"), "did you mean --json?"),
        (("--verison",), "did you mean --version?"),
        (("init", "watr"), "did you mean water?"),
        (("run", "four.job.h5", "--balance", "greedi"), "did you mean greedy?"),
        (("convert", "here", "--to", "xct"), "did you mean xtc?"),
        (("bench", "dfhr"), "did you mean dhfr?"),
        (("run", "four.job.h5", "--mpi", "openmp"), "did you mean openmpi?"),
    ],
)
def test_a_slip_gets_the_nearest_word(engine, job, refused, words, hint):
    assert hint in in_help(refused(*words))
