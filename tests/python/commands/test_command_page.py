# SPDX-License-Identifier: BSD-3-Clause
"""`show --html`: one file that loads nothing, with every text of others escaped."""

import json
import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import h5py
import numpy as np
import pytest
from stand_ins import write_energies

import finegrain as fg
from finegrain.classical.staged_run import write_list
from finegrain.errors import EXIT_RESOURCE
from finegrain.files.seal import seal
from finegrain.kinds.page import page_of

pytestmark = pytest.mark.pictures

ATTACK = '<script>alert("a")</script> & <b>four'


class Reader(HTMLParser):
    """Takes in what a browser would: tags, what they load, headings, text."""

    closed = ("meta", "img", "br")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loaded: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        assert not self._open, f"never closed: {self._open}"

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in self.closed:
            self._open.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href", "data", "action"):
                self.loaded.append(value)
            assert not name.startswith("on"), "a handler of events"

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.closed:
            self._open.pop()

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.text += data + "\n"


@pytest.fixture
def run(engine, job, accepted):
    accepted("run", job.name, "--pes", "2")
    return Path("runs/four")


def change_job(run, **attributes):
    with h5py.File(run / "job.h5", "r+") as file:
        file.attrs.update(attributes)
    seal(run / "job.h5")


def test_a_page_is_one_file_that_loads_nothing(run, accepted):
    write_energies(run / "energies.csv", rows=300)
    said = accepted("show", run, "--html").stdout
    assert said.startswith("runs/four/report.html  ")
    page = (run / "report.html").read_text()
    found = Reader(page)
    assert all(one.startswith(("data:", "#")) for one in found.loaded)
    assert not re.findall(r"url\((?!#)", page)
    assert "@import" not in page
    names = set(re.findall(r'https?://[^"<>\s]*', page))
    assert names <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    for words in (
        "Four waters",
        "Energies",
        "Distances",
        "Where the time went",
        "pair forces",
        "References",
    ):
        assert words in found.text
    # Rows 150 to 299 of 300 + i: a straight line, whose blocks never become independent.
    assert re.search(r"temperature \(K\)\s+52[45]\s+at least 1\d\s", found.text)
    assert found.tags.count("svg") >= 2
    own = re.findall(r'\bid="([^"]+)"', page)
    assert len(own) == len(set(own))


def test_texts_of_others_stay_text(run, accepted):
    change_job(run, title=ATTACK, input_text=f"# {ATTACK}\n")
    result = json.loads((run / "result.json").read_text())
    result["warnings"], result["title"] = [ATTACK], ATTACK
    result["phases"][0]["name"] = ATTACK
    (run / "result.json").write_text(json.dumps(result))
    odd = run.parent / "<img src=x onerror=alert(1)>"
    run.rename(odd)
    accepted("show", odd, "--html")
    page = (odd / "report.html").read_text()
    found = Reader(page)
    assert found.tags.count("script") <= 1
    assert "img" not in found.tags
    assert found.text.count(ATTACK) >= 5  # title twice, warning, phase, input
    assert "<img src=x" not in page
    assert Reader(fg.open_run(odd)._repr_html_()).tags.count("script") == 0


def test_a_file_of_others_is_not_replaced(run, accepted, refused):
    mine = Path("mine.html")
    mine.write_text("<p>mine</p>")
    assert "is there already" in refused("show", run, "--html", "--out", mine)
    assert mine.read_text() == "<p>mine</p>"
    accepted("show", run, "--html", "--out", mine, "--overwrite")
    accepted("show", run, "--html", "--out", mine)  # a page of finegrain is made again
    (run / "report.html").write_text("notes of mine")
    assert "is there already" in refused("show", run, "--html")
    assert "belongs to the run" in refused(
        "show", run, "--html", "--out", run / "run.log", "--overwrite"
    )
    assert "no such folder" in refused("show", run, "--html", "--out", "nowhere/a.html")
    assert "only with --html" in refused("show", run, "--out", "a.html")
    assert "only with --html" in refused("show", run, "--overwrite")


def test_a_pipe_of_that_name_is_not_opened(run, refused):
    os.mkfifo(run / "report.html")
    assert run / "report.html" not in fg.open_run(run).directory.results()
    assert "is there already" in refused("show", run, "--html")


def test_a_new_run_removes_the_page_and_no_file_of_others(run, accepted, job):
    accepted("show", run, "--html")
    accepted("run", job.name, "--overwrite")
    assert not (run / "report.html").exists()
    (run / "report.html").write_text("notes of mine")
    accepted("run", job.name, "--overwrite")
    assert (run / "report.html").read_text() == "notes of mine"


def test_a_folder_without_a_run_has_no_page(tmp_path, monkeypatch, refused):
    monkeypatch.chdir(tmp_path)
    assert "no such folder" in refused("show", "nowhere", "--html")
    Path("empty").mkdir()
    assert "no run of finegrain" in refused("show", "empty", "--html")
    assert not list(Path("empty").iterdir())


def test_a_folder_that_cannot_be_written_is_said(run, refused):
    assert "/proc/report.html" in refused(
        "show", run, "--html", "--out", "/proc/report.html", status=EXIT_RESOURCE
    )


def test_a_run_in_progress_and_one_without_rows_have_pages(run):
    (run / "result.json").unlink()
    assert "ended without a result" in page_of(run)
    (run / "energies.csv").write_text("step,time (ps),potential energy (kJ/mol)\n")
    assert "Energies" not in Reader(page_of(run)).text
    for name in ("energies.csv", "trajectory.h5", "checkpoint.h5", "energies.png"):
        (run / name).unlink()
    assert "Four waters" in page_of(run)
    (run / "energies.csv").write_text("step,time (ps)\n1,two\n")
    assert "is not a table of numbers" in Reader(page_of(run)).text
    (run / "trajectory.h5").write_bytes(b"no HDF5")
    with pytest.raises(fg.InputError, match="cannot be read as HDF5"):
        page_of(run)


def test_rows_without_numbers_leave_gaps(run):
    lines = (run / "energies.csv").read_text().splitlines()
    lines[3] = "20,0.04,nan,nan,nan,inf"
    (run / "energies.csv").write_text("\n".join(lines) + "\n")
    assert "temperature (K)" in Reader(page_of(run)).text
    lines[1:] = [f"{row},0.0{row},nan,nan,nan,nan" for row in range(6)]
    (run / "energies.csv").write_text("\n".join(lines) + "\n")
    assert "temperature (K)" not in Reader(page_of(run)).text


@pytest.fixture
def staged(run):
    for name in ("1-heat", "2-press"):
        shutil.copytree(run, Path("staged") / name)
    write_list(Path("staged"), [("1-heat", False), ("2-press", True)])
    return Path("staged")


def test_stages_share_one_page(staged, accepted):
    answer = json.loads(accepted("show", staged, "--html", "--json").stdout)
    assert answer["file"] == "staged/report.html"
    text = Reader((staged / "report.html").read_text()).text
    assert answer["bytes"] == (staged / "report.html").stat().st_size
    for words in ("Through all stages", "1-heat", "2-press", "References"):
        assert words in text
    assert text.count("Where the time went") == 2
    shown = Reader(fg.open_run(staged)._repr_html_())
    assert "svg" in shown.tags
    assert "script" not in shown.tags


def test_long_runs_have_small_pages(staged):
    random = np.random.default_rng(2)
    for folder in staged.glob("*-*"):
        rows = "".join(
            f"{i},{0.01 * i:.3f},{a:.6f},{b:.6f},0,{300 + a:.6f}\n"
            for i, (a, b) in enumerate(random.normal(size=(20_000, 2)))
        )
        head = (folder / "energies.csv").read_text().splitlines()[0]
        (folder / "energies.csv").write_text(f"{head}\n{rows}")
    assert len(page_of(staged)) < 1_000_000


def test_a_page_beyond_the_limit_is_refused(staged, monkeypatch, refused):
    monkeypatch.setattr("finegrain.kinds.page.MOST_BYTES", 1000)
    said = refused("show", staged, "--html")
    assert "too large" in said
    assert "staged/1-heat" in said
    assert not (staged / "report.html").exists()


@pytest.mark.nightly
def test_a_browser_shows_the_page(run, accepted, tmp_path):
    import subprocess

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), "")
    if not browser:
        pytest.skip("no Chromium is installed, which would show the page")
    accepted("show", run, "--html")
    picture = tmp_path / "page.png"
    page = (run / "report.html").resolve().as_uri()
    words = ["--headless", "--no-sandbox", "--disable-gpu", f"--screenshot={picture}", page]
    subprocess.run([browser, *words], check=True, capture_output=True, timeout=300)
    from matplotlib.image import imread

    # White paper with ink: a page that failed would have one colour.
    shown = imread(picture)[..., :3]
    assert shown.max() > 0.9
    assert (shown < 0.3).any()
