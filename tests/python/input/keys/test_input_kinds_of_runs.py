# SPDX-License-Identifier: BSD-3-Clause
"""The choice of the kind of run, with a kind that only these tests know."""

import types
from pathlib import Path
from typing import Any

import h5py
import pytest

import finegrain as fg
from finegrain import _engine
from finegrain.base.kind_names import KIND_NAMES
from finegrain.classical.kind import Classical
from finegrain.kinds import registry as kinds
from finegrain.kinds.new_job import write_job
from finegrain.toml_input import problems


class Counted:
    """The report of an input that asks to count."""

    def text(self) -> str:
        return "counts to ten\n"

    def as_dict(self) -> dict[str, Any]:
        return {"counts": 10}


class Counting(Classical):
    """A kind that differs in its input."""

    name = "counting"
    templates = ("ten",)

    def load(self, path: Path, *, strict: bool = True) -> Any:
        output = types.SimpleNamespace(directory="counted")
        return types.SimpleNamespace(model=types.SimpleNamespace(output=output))

    def check(self, path: Path, *, allow_scripts: bool, ranks: int | None = None) -> Any:
        return Counted()

    def make_job(
        self, path: Path, out: Path, *, allow_scripts: bool, runs_here: bool = True
    ) -> None:
        Path(out).write_text("ten")

    def template(self, name: str) -> str:
        return f"count to {name}\n"


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(kinds.KINDS, "counting", Counting)
    monkeypatch.setattr(problems, "KIND_NAMES", (*KIND_NAMES, "counting"))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "ten.toml"
    path.write_text('[system]\nkind = "counting"\n')
    return path


def test_the_engine_and_the_package_have_the_same_kinds() -> None:
    assert [*kinds.KINDS] == _engine.kinds()
    assert [*kinds.KINDS] == [*KIND_NAMES]
    assert [kinds.kind_named(name).name for name in kinds.KINDS] == [*KIND_NAMES]


@pytest.mark.usefixtures("counting")
def test_an_input_goes_to_its_kind(source: Path, tmp_path: Path) -> None:
    assert fg.check(source).as_dict() == {"counts": 10}
    write_job(source, tmp_path / "job.h5")
    assert (tmp_path / "job.h5").read_text() == "ten"
    assert fg.api.default_directory(source) == Path("counted")
    assert kinds.template("ten") == "count to ten\n"


@pytest.mark.usefixtures("counting")
def test_an_unknown_kind_of_input_is_refused_with_those_that_are_known(source: Path) -> None:
    source.write_text('[system]\nkind = "quantum"\ntopology = "a.prmtop"\ncutof = 1\n')
    with pytest.raises(fg.InputError) as caught:
        fg.check(source)
    kind = next(one for one in caught.value.problems if "kind" in one.value)
    assert kind.value == "system.kind = quantum"
    assert kind.hint == 'one of "classical", "ab-initio", "counting"'
    assert len(caught.value.problems) > 1  # the other problems are told, too


def test_a_job_of_an_unknown_kind_is_refused_by_name(source: Path, tmp_path: Path) -> None:
    with h5py.File(tmp_path / "job.h5", "w") as file:
        file.attrs.update(format="finegrain-job", version=1, kind="counting")
    with pytest.raises(fg.InputError) as caught:
        fg.Job(tmp_path / "job.h5")
    (problem,) = caught.value.problems
    assert (problem.value, problem.limit) == ("counting", "classical, ab-initio")
