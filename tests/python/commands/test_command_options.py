# SPDX-License-Identifier: BSD-3-Clause
"""Options of commands and of the Python functions: each is either known everywhere or refused."""

import inspect
from pathlib import Path

import pytest
from stand_ins import write_energies

import finegrain as fg
from finegrain import _engine
from finegrain.api import default_directory
from finegrain.errors import EXIT_INPUT, EXIT_RESOURCE
from finegrain.kinds.registry import template
from finegrain.runs.energy_charts import draw_energies
from finegrain.runs.options import OPTIONS, How
from finegrain.terminal import benchmark
from finegrain.terminal.commands import running

HOW = set(How.__annotations__)


def test_run_and_resume_take_the_same_options_on_the_command_line_too():
    for command in (running.run, running.resume):
        options = set(inspect.signature(command).parameters)
        assert HOW - options == {"on_progress"}, command
    for function in (fg.run, fg.resume):  # there is no second list of them
        assert not HOW & set(inspect.signature(function).parameters)
        assert all(f"    {name} : " in (fg.run.__doc__ or "") for name in HOW)


def test_the_engine_knows_every_option_and_each_of_its_own_is_an_option():
    engine = {word for _, word, _, _ in _engine.run_options()}
    ours = {"--" + name.replace("_", "-") for name, option in OPTIONS.items() if option.engine}
    given_otherwise = {"--resume", "--steps", "--no-profile"}
    assert ours == engine - given_otherwise
    assert given_otherwise < engine


def test_an_unknown_option_is_a_type_error_before_anything_is_written(engine, job, tmp_path):
    with pytest.raises(TypeError, match="pess"):
        fg.run(job, tmp_path / "new", pess=2)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("run", "four.job.h5", "--out", ""),
        ("run", "four.job.h5", "--out="),
        ("run", ""),
        ("run", "four.job.h5", "--map", ""),
        ("show", ""),
        ("init", "water", "--out", ""),
        ("energy", "four.job.h5", "--forces", ""),
        ("convert", "here", "--to", "xyz", "--out", "  "),
        ("bench", "--out", ""),
        ("",),
    ],
)
def test_an_empty_name_is_refused_and_nothing_is_written(engine, job, refused, words):
    before = set(Path().rglob("*"))
    assert "empty" in refused(*words)
    assert set(Path().rglob("*")) == before
    assert not engine.calls


def test_an_empty_name_is_refused_from_python_too(engine, job):
    for wrong in ("", " ", "a\0b"):
        with pytest.raises(fg.InputError):
            fg.run(job, wrong)
    assert not engine.calls


def test_the_home_folder_is_found_as_in_a_shell(engine, job, accepted, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    accepted("run", job.name, "--out=~/by option")
    accepted("show", "~/by option")
    assert fg.run(job, "~/from python").path == tmp_path / "home" / "from python"
    for name in ("by option", "from python"):
        assert (tmp_path / "home" / name / "job.h5").exists()
    text = template("water").replace("[output]", '[output]\ndirectory = "~/by input"')
    Path("in.toml").write_text(text, encoding="utf-8")
    assert default_directory("in.toml") == tmp_path / "home" / "by input"
    assert not Path("~").exists()


def test_the_home_of_nobody_is_refused(engine, job, command, refused):
    nobody = "~nobody_of_this_name"
    assert "no home folder of that user" in refused("run", job.name, "--out", f"{nobody}/x")
    assert "no such folder" in command("show", f"./{nobody}").stderr


@pytest.mark.parametrize("ranks", [(), ("--ranks", "1"), ("--ranks", "2")])
@pytest.mark.parametrize("name", ["lam", "OpenMPI", "auto "])
def test_an_mpi_that_is_none_is_refused_for_any_number_of_processes(
    engine, job, refused, ranks, name
):
    for words in (f"run {job.name}", f"energy {job.name}", "bench", "bench --peers", "resume here"):
        said = refused(*words.split(), "--mpi", name, *ranks)
        assert "--mpi" in said
        assert "openmpi, mpich" in said
    assert not engine.calls


def test_figures_of_a_benchmark_replace_nothing_unasked(
    engine, job, accepted, refused, monkeypatch
):
    monkeypatch.setattr(benchmark, "dhfr_job", lambda folder: fg.Job(job))
    words = ("bench", "--steps", "60", "--warm-up", "40", "--out", "figures.json")
    Path("figures.json").write_text("mine")
    assert "--overwrite" in refused(*words)
    assert Path("figures.json").read_text() == "mine"
    assert not engine.calls
    accepted(*words, "--overwrite")
    assert "ns_per_day" in Path("figures.json").read_text()


def test_forces_under_the_usual_name_replace_only_forces(engine, job, command, accepted, refused):
    usual = Path("four.job.forces.npz")
    usual.write_text("mine")
    assert "--overwrite" in refused("energy", job.name)
    assert usual.read_text() == "mine"
    accepted("energy", job.name, "--overwrite")
    assert command("energy", job.name).exit_code == 0  # an earlier evaluation


def test_init_writes_only_where_it_may(engine, job, refused):
    Path("folder").mkdir()
    for target in ("folder", "absent/new.toml", job.name):
        before = job.read_bytes()
        assert target in refused("init", "water", "--out", target)
        assert job.read_bytes() == before
    assert not Path("absent").exists()


@pytest.mark.parametrize("name", ["x" * 300, "absent/x", "four.job.h5/x", "/dev/full", "b\udcff"])
def test_a_name_that_no_file_can_have_is_the_users_to_correct(engine, job, refused, name):
    for word in ("check", "run", "energy", "show", "resume", "trace", "cite"):
        assert "report" not in refused(word, name)
    assert "report" not in refused("convert", name, "--to", "xyz")
    assert not engine.calls


@pytest.mark.parametrize("name", ["x" * 300, "four.job.h5/x", "/proc/x", "b\udcff", "four.job.h5"])
def test_a_name_that_cannot_be_written_is_no_defect_and_nothing_is_run(engine, job, command, name):
    before = job.read_bytes()
    for words in (
        ("run", job.name, "--out", name),
        ("init", "water", "--out", name),
        ("bench", "--out", name),
    ):
        if words[0] == "bench" and name in ("/proc/x", "x" * 300):
            continue  # known only when it is written
        done = command(*words)
        assert done.exit_code in (EXIT_INPUT, EXIT_RESOURCE), (words, done.output)
        assert "report" not in done.stderr
    assert not engine.calls
    assert job.read_bytes() == before


@pytest.mark.pictures
def test_a_title_with_dollars_is_drawn_as_it_stands(tmp_path):
    write_energies(tmp_path / "energies.csv", rows=3)
    draw_energies(tmp_path / "energies.csv", tmp_path / "energies.png", r"100 $\foo{ $x_{")
    assert (tmp_path / "energies.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("value", ["1e3", "nan", "many", "１２.5", "0x10"])
def test_what_is_no_number_is_refused_in_plain_words(engine, job, refused, value):
    for words in (("run", job.name, "--pes"), ("bench", "--steps"), ("trace", "here", "--from")):
        if words[0] == "trace" and value in ("1e3", "nan"):
            continue  # times are no whole numbers
        said = refused(*words, value)
        assert f"{words[-1]}    takes a " in said
        assert "Input should be" not in said
        assert "parse" not in said
    assert not engine.calls


def test_a_run_of_no_steps_is_prolonged_by_some(engine, job, accepted, refused):
    accepted("run", job.name, "--out", "here", "--steps", "0")
    assert "finegrain resume here --steps 1000" in refused("resume", "here")


def test_an_option_unlike_any_other_gets_no_word_that_misleads(engine, job, refused):
    assert "did you mean" not in refused("check", job.name, "--zzzzzz", "2")
