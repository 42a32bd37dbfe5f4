# SPDX-License-Identifier: BSD-3-Clause
"""Output to a terminal: only letters that it has, and no control codes."""

import codecs
import io
import json
import warnings

import h5py
import pytest

import finegrain as fg
from finegrain.base.visible import json_text, plain_letters, visible
from finegrain.errors import InputNote
from finegrain.files.seal import seal
from finegrain.words.report import error_text

RED = "\x1b[31mred\x9b0m"
SHOWN = "\\x1b[31mred\\x9b0m"


@pytest.mark.parametrize("text", [RED, "9 Å", "run\udcff", "🧪\u202e", "\x7f\u2028"])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_means_the_same_in_every_encoding_and_commands_nothing(text, encoding):
    made = json_text({"title": text}, encoding)
    made.encode(encoding)
    assert visible(made) == made
    assert json.loads(made) == {"title": text}


@pytest.mark.parametrize(
    ("text", "plain"),
    [("9 Å, 64³", "9 A, 643"), ("✓ Öl → 5 µm", "+ Ol -> 5 um"), ("水", "?"), ("\udcff", "\\udcff")],
)
def test_ascii_has_plain_letters_for_what_it_lacks(text, plain):
    codecs.register_error("test.plain", plain_letters)
    assert text.encode("ascii", "test.plain").decode() == plain


def test_no_message_of_any_kind_passes_codes_on(engine, job, command, tmp_path):
    with h5py.File(job, "r+") as file:
        file.attrs["title"] = RED
    seal(job)
    folder = tmp_path / RED
    warnings.simplefilter("always")
    for words in (
        ("run", job.name, "--out", folder),
        ("show", folder),
        ("show", folder, "--json"),
        ("convert", folder, "--to", "xyz"),
        ("energy", job.name, "--forces", f"{RED}.npz"),
        ("init", "water", "--out", f"{RED}.toml"),
        ("check", job.name),
        ("cite", folder),
        ("run", f"{RED}.h5"),
        ("run", f"{RED}.h5", "--json"),
        ("show", RED),
        ("run", job.name, "--map", RED),
        (RED,),
        ("run", job.name, f"--{RED}"),
        ("resume", folder),
        ("init", RED),
        ("bench", RED),
    ):
        done = command(*words)
        assert "\x1b" not in done.output, words
        assert "\x9b" not in done.output, words
    assert "\x1b" not in str(fg.Run(folder)) + repr(fg.Run(folder)) + repr(fg.Job(job))
    assert "\x1b" not in fg.Run(folder)._repr_html_()
    assert SHOWN in str(fg.InputError("wrong", where=RED))
    assert SHOWN in error_text(fg.InputError("wrong", where=RED))


def test_a_note_passes_no_codes_on(engine, job, command, monkeypatch):
    def noted(*_words: object, **_options: object) -> None:
        warnings.warn(f"title {RED}", InputNote, stacklevel=1)
        raise fg.InputError("wrong")

    monkeypatch.setattr("finegrain.api.check", noted)
    done = command("check", job.name)
    assert f"note: title {SHOWN}" in done.stderr


def test_a_progress_line_that_cannot_be_written_ends_no_run():
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

    with fg.ProgressLine(Full(), 2.0) as line:
        line.interval_s = 0.0
        for step in range(3):
            line({"step": step, "steps": 3})
