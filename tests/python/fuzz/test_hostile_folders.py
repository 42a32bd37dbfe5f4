# SPDX-License-Identifier: BSD-3-Clause
"""Folders of results that somebody has changed on purpose: refused in words.

Nothing outside them is read or changed, and no command waits for a pipe.
"""

import json
import mmap
import os
import random
import re
import shutil
import socket
import struct
import time
import warnings
from pathlib import Path

import h5py
import numpy as np
import pytest
import results
from oracle import text_faults
from seeds import formats
from worker import job_of

import finegrain as fg
from finegrain.classical.staged_run import StagedRun
from finegrain.engine.left_by_mpi import sweep_left
from finegrain.errors import InputError, InputNote
from finegrain.files.seal import seal
from finegrain.terminal.cli import app

# A command that hangs takes for ever; one that does not takes about a second here.
SOON_S = 10.0


def status_of(*words: str) -> int:
    """Return the exit status of a command."""
    start = time.monotonic()
    try:
        app(list(words), prog_name="finegrain")
        status = 0
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else int(left.code is not None)
    assert time.monotonic() - start < SOON_S
    return status


def change(path: Path, name: str, value: object) -> None:
    """Change a table or an attribute of a sealed file, and seal it again."""
    with h5py.File(path, "r+") as file:
        if name in file:
            file[name][0] = value
        else:
            file.attrs[name] = value
    seal(path)


def forge_journal(folder: Path, base: int, end: int, page: int) -> None:
    entry = b"FGJOURN1" + struct.pack("<5Q", 1, 0, base, end, 1)
    entry += struct.pack("<Q", page) + bytes(1024)
    entry += struct.pack("<Q", results.checksum(entry))
    (folder / "trajectory.h5.journal").write_bytes(entry)


@pytest.mark.parametrize("page", [2**54 - 1, 2**44, 2**63])
def test_a_journal_with_a_page_beyond_the_file_is_none(folder: Path, page: int) -> None:
    size = (folder / "trajectory.h5").stat().st_size
    forge_journal(folder, size, size, page)
    assert fg.resume(folder, pes=1).finished


@pytest.mark.parametrize("end", [2**64 - 1, 2**63])
def test_a_journal_of_a_file_of_absurd_size_is_none(folder: Path, end: int) -> None:
    forge_journal(folder, (folder / "trajectory.h5").stat().st_size, end, 0)
    assert fg.resume(folder, pes=1).finished


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("position", [np.nan, 0, 0]),
        ("position", [np.inf, 0, 0]),
        ("position", [1e30, 0, 0]),
        ("velocity", [np.nan, 0, 0]),
        ("step", np.int64(-1)),
        ("step", np.int64(2**62)),
        ("outputs", np.array([0, -1, 0])),
        ("outputs", np.array([0, 2**62, 0])),
        ("division_patches", np.array([2**20, 1, 1])),
        ("division_patches", np.array([128, 128, 64])),
        ("bath", np.full(8, np.nan)),
    ],
)
def test_a_sealed_checkpoint_of_no_run_is_refused(folder: Path, name: str, value: object) -> None:
    change(folder / "checkpoint.h5", name, value)
    with pytest.raises(InputError):
        fg.resume(folder, pes=1)


def test_a_job_with_a_million_empty_patches_is_refused(folder: Path) -> None:
    with h5py.File(folder / "job.h5", "r+") as file:
        file["settings"].attrs["patch_grid"] = np.array([128, 128, 64])
    seal(folder / "job.h5")
    with pytest.raises(InputError):
        fg.run(folder / "job.h5", folder.parent / "again", pes=1)


def lead_out(path: Path, table: str, how: str, target: Path) -> None:
    with h5py.File(path, "r+") as file:
        shape, kind = file[table].shape, file[table].dtype
        del file[table]
        if how == "link":
            file[table] = h5py.ExternalLink(str(target), "/table")
        elif how == "storage":
            size = int(np.prod(shape)) * kind.itemsize
            file.create_dataset(table, shape, kind, external=[(str(target), 0, size)])
        else:
            layout = h5py.VirtualLayout(shape=shape, dtype=kind)
            layout[...] = h5py.VirtualSource(str(target), "table", shape=shape)
            file.create_virtual_dataset(table, layout)


@pytest.mark.parametrize("how", ["link", "storage", "virtual"])
@pytest.mark.parametrize("target", ["/dev/zero", "pipe"])
def test_files_that_lead_to_other_files_are_refused(folder: Path, how: str, target: str) -> None:
    os.mkfifo(folder.parent / "pipe")
    place = folder.parent / target  # an absolute name stays as it is
    job, out = folder / "job.h5", str(folder.parent / "again")
    lead_out(job, "atoms/position", how, place)
    seal(job)
    assert status_of("check", str(job)) == 1
    assert status_of("run", str(job), "--out", out, "--pes", "1") == 1
    lead_out(folder / "trajectory.h5", "particles/all/position/value", how, place)
    with pytest.raises(InputError, match=r"other files"):
        fg.Trajectory(folder / "trajectory.h5")


@pytest.mark.parametrize("how", ["link", "storage", "virtual"])
def test_a_checkpoint_that_leads_to_other_files_is_refused(folder: Path, how: str) -> None:
    lead_out(folder / "checkpoint.h5", "position", how, Path("/dev/zero"))
    seal(folder / "checkpoint.h5")
    assert status_of("resume", str(folder), "--pes", "1") == 1


def test_a_filter_from_a_library_is_refused(folder: Path) -> None:
    with h5py.File(folder / "trajectory.h5", "r+") as file:
        how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        how.set_chunk((1,))
        how.set_filter(32_000, h5py.h5z.FLAG_OPTIONAL, (1,))
        h5py.h5d.create(file.id, b"x", h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((1,)), how)
    with pytest.raises(InputError, match="filter"):
        fg.Trajectory(folder / "trajectory.h5")


@pytest.mark.parametrize(
    "name",
    ["run.log", "energies.csv", "trajectory.h5", ".engine.lock", ".lock", "trajectory.h5.journal"],
)
def test_no_file_is_written_through_a_link(folder: Path, name: str) -> None:
    victim = folder.parent / "victim"
    victim.write_bytes(b"mine")
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(victim)
    assert status_of("resume", str(folder), "--pes", "1", "--quiet") in (0, 1, 2)
    assert victim.read_bytes() == b"mine"


@pytest.mark.parametrize("name", ["job.h5", "checkpoint.h5", "trajectory.h5", "result.json"])
def test_a_file_of_a_run_is_not_read_through_a_link_out_of_its_folder(
    folder: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    victim = folder.parent / "victim"
    (folder / name).rename(victim)  # sound, so that only the link is wrong
    (folder / name).symlink_to(victim)
    before = victim.read_bytes()
    quick = ["--pes", "1", "--quiet"]
    out = str(folder.parent / "out.xtc")
    for words in (
        ["show", str(folder)],
        ["resume", str(folder), *quick],
        ["convert", str(folder), "--to", "xtc", "--out", out],
    ):
        assert status_of(*words) == 1
        assert "a link out of the folder" in " ".join(capfd.readouterr().err.split())
    assert victim.read_bytes() == before


def test_the_folder_of_a_run_may_be_a_link_to_another_disk(folder: Path) -> None:
    place = folder.parent / "elsewhere"
    place.symlink_to(folder)
    (folder / "run.log").rename(folder / "first.log")
    (folder / "run.log").symlink_to("first.log")  # within the folder: nothing else is read
    assert status_of("show", str(place)) == 0


@pytest.mark.parametrize("kind", ["pipe", "socket", "zero", "folder"])
@pytest.mark.parametrize(
    "words",
    [
        *(["show"], ["show", "--json"], ["resume", "--pes", "1"], ["convert", "--to", "xtc"]),
        *(["trace"], ["wannier"], ["cite"]),
    ],
    ids="-".join,
)
def test_no_command_waits_for_what_is_no_plain_file(
    folder: Path, kind: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in list(folder.iterdir()):
        file.unlink()
        if kind == "pipe":
            os.mkfifo(file)
        elif kind == "zero":
            file.symlink_to("/dev/zero")
        elif kind == "folder":
            file.mkdir()
        else:
            monkeypatch.chdir(folder)  # the name of a socket is short
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(file.name)
    (folder / "stages.json").unlink(missing_ok=True)
    assert status_of(words[0], str(folder), *words[1:]) in (1, 2)


@pytest.mark.parametrize("kind", ["pipe", "zero", "folder"])
@pytest.mark.parametrize("command", ["check", "run", "energy", "tune"])
def test_no_command_waits_for_an_input_that_is_no_plain_file(
    tmp_path: Path, kind: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("in.toml", "job.h5"):
        if kind == "pipe":
            os.mkfifo(tmp_path / name)
        elif kind == "zero":
            (tmp_path / name).symlink_to("/dev/zero")
        else:
            (tmp_path / name).mkdir()
        assert status_of(command, name) in (1, 2)


@pytest.mark.parametrize("name", ["checkpoint.h5.part", "result.json.part", "trace.0.bin.part"])
def test_unfinished_files_are_not_written_through_a_link(folder: Path, name: str) -> None:
    victim = folder.parent / "victim"
    victim.write_bytes(b"mine")
    (folder / name).symlink_to(victim)
    assert status_of("resume", str(folder), "--pes", "1", "--quiet", "--trace") == 0
    assert victim.read_bytes() == b"mine"


@pytest.mark.parametrize(
    "name",
    [
        *("job.h5", "checkpoint.h5", "trajectory.h5", "trajectory.h5.journal", "result.json"),
        *("energies.csv", "run.log", "stages.json", ".lock", ".engine.lock"),
    ],
)
def test_pipes_in_place_of_files_do_not_make_commands_wait(folder: Path, name: str) -> None:
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    assert status_of("show", str(folder)) in (0, 1, 2)
    assert status_of("resume", str(folder), "--pes", "1", "--quiet") in (0, 1, 2)


def test_an_input_that_is_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "in.toml")
    assert status_of("check", str(tmp_path / "in.toml")) == 1


def write_stages(folder: Path, stages: object) -> None:
    content = {"format": "finegrain-stages", "stages": stages}
    (folder / "stages.json").write_text(json.dumps(content))


@pytest.mark.parametrize(
    "name", ["../victim", "..", ".", "", "/etc", "a/b", "a\0b", "a\nb", "x" * 300, "link"]
)
def test_a_stage_has_a_plain_folder_in_the_run(folder: Path, seeds: Path, name: str) -> None:
    victim = folder.parent / "victim"
    shutil.copytree(folder, victim)
    (folder / "link").symlink_to(victim)
    write_stages(folder, [{"folder": name, "carries": True}])
    there = sorted(victim.iterdir())
    for words in (["resume", str(folder)], ["show", str(folder)]):
        assert status_of(*words) == 1
    text = (seeds / "amber" / "in.toml").read_text()
    staged = seeds / "amber" / "stages.toml"
    staged.write_text(text + '\n[[stages]]\nname = "heat"\n')
    status_of("run", str(staged), "--out", str(folder), "--overwrite", "--pes", "1", "--quiet")
    staged.unlink()
    assert sorted(victim.iterdir()) == there


def test_three_thousand_stages_are_refused_at_once(folder: Path) -> None:
    write_stages(folder, [{"folder": f"{i}-heat", "carries": True} for i in range(3000)])
    assert status_of("show", str(folder)) == 1


def test_a_folder_is_that_of_one_stage(folder: Path) -> None:
    write_stages(folder, [{"folder": "1-heat", "carries": True}] * 2)
    with pytest.raises(InputError, match="two stages"):
        StagedRun(folder)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[(name, None) for name in ("steps", "atoms", "timestep_fs", "warnings", "phases")],
        *[("steps", value) for value in ("x", -1, 1e400, [], 2**70, 1.5, True)],
        *[("phases", value) for value in (3, [3], [{"name": "x"}], [{"seconds": "y"}], "ab")],
        *[("warnings", value) for value in (3, [3], "text", {})],
        *[("temperature", value) for value in ("hot", [], float("nan"), 10**400)],
        *[("state_digest", 3), ("finished", "yes"), ("title", [])],
    ],
)
def test_odd_figures_are_refused_in_words(folder: Path, name: str, value: object) -> None:
    path = folder / "result.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), name: value}))
    for words in (["show", str(folder)], ["show", str(folder), "--json"]):
        assert status_of(*words) == 1


def test_a_text_that_is_null_is_empty(folder: Path) -> None:
    path = folder / "result.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "state_digest": None}))
    assert "None" not in str(fg.open_run(folder))


@pytest.mark.parametrize("name", ["result.json", "stages.json", "energies.csv", "run.log"])
def test_odd_bytes_are_told(folder: Path, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / name).write_bytes(bytes(range(256)) * 40)
    for words in (["show", str(folder)], ["resume", str(folder), "--pes", "1", "--quiet"]):
        status = status_of(*words)
        assert not text_faults(status, capfd.readouterr().err)


@pytest.mark.parametrize("text", ["[" * 100_000, "1" * 10_000, "[]", "", "\ufffe", "null"])
@pytest.mark.parametrize("name", ["result.json", "stages.json"])
def test_text_that_is_no_result_is_refused_in_words(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    assert status_of("show", str(folder)) == 1


def test_a_run_of_another_version_is_not_resumed(folder: Path) -> None:
    change(folder / "job.h5", "finegrain_version", "0.0.7")
    with pytest.raises(InputError, match=r"0\.0\.7.*another version"):
        fg.resume(folder, pes=1)


def test_a_run_that_goes_on_with_other_vector_instructions_says_so(folder: Path) -> None:
    log = folder / "run.log"
    text, changed = re.subn(r"(?m)^(\s*SIMD target [ .]*)\S.*$", r"\1SSE0", log.read_text())
    assert changed
    log.write_text(text)
    with pytest.warns(InputNote, match=r"computed with SSE0.*not those of a run without a stop"):
        assert fg.resume(folder, pes=1).finished


def test_a_run_that_goes_on_with_the_same_vector_instructions_does_not(folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputNote)
        assert fg.resume(folder, pes=1).finished


def test_a_job_of_another_version_runs_with_a_note(folder: Path) -> None:
    change(folder / "job.h5", "finegrain_version", "0.0.7")
    with pytest.warns(InputNote, match=r"made by finegrain 0\.0\.7"):
        fg.run(folder / "job.h5", folder.parent / "again", pes=1, steps=5)


@pytest.mark.parametrize("kind", list(formats))
def test_every_file_of_a_seed_is_read(seeds: Path, tmp_path: Path, kind: str) -> None:
    for file in sorted((seeds / kind).iterdir()):
        copy = tmp_path / file.name
        shutil.copytree(seeds / kind, copy)
        (copy / file.name).write_bytes(b"\0 nothing of the kind")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert job_of(copy) is None, f"{file.name} is not read"


def test_folders_of_mpi_are_swept_once_their_maker_is_gone(tmp_path: Path) -> None:
    most = int(Path("/proc/sys/kernel/pid_max").read_text())  # no process has this number
    left, new = tmp_path / f"finegrain-mpi-{most}-old", tmp_path / f"finegrain-mpi-{most}-new"
    alive, other = tmp_path / f"finegrain-mpi-{os.getpid()}-x", tmp_path / "finegrain-mpi-else"
    for place in (left, new, alive, other):
        (place / "inner").mkdir(parents=True)
    for place in (left, alive, other):
        os.utime(place, (0, 0))
    sweep_left(tmp_path, tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([new, alive, other])


def test_shared_memory_that_no_process_maps_is_swept(tmp_path: Path) -> None:
    names = ("vader_segment.host.1.0", "vader_segment.host.1.1", "vader_segment.host.2.0", "else")
    left, mapped, new, other = (tmp_path / name for name in names)
    for path in (left, mapped, new, other):
        path.write_bytes(bytes(4096))
    for path in (left, mapped, other):
        os.utime(path, (0, 0))
    with mapped.open("r+b") as file, mmap.mmap(file.fileno(), 4096):
        sweep_left(tmp_path, tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([mapped, new, other])


def test_forged_journals_of_all_kinds_end_no_engine(stopped_run: Path, tmp_path: Path) -> None:
    for number in range(10):
        folder = tmp_path / str(number)
        shutil.copytree(stopped_run, folder)
        results._forged_journal(random.Random(number), folder)
        assert status_of("resume", str(folder), "--pes", "1", "--quiet") in (0, 1)
