# SPDX-License-Identifier: BSD-3-Clause
"""Rank files say what was placed where; the programs that they are for read them so."""

import os
import re
import shutil
import socket
import subprocess

import pytest
from machine_texts import problems_of

from finegrain.machines import (
    RankPlace,
    mpich_machinefile,
    open_mpi_hostfile,
    open_mpi_rankfile,
    slurm_hostfile,
    write_rank_file,
)

PLACES = [
    RankPlace("a", (0, 1)),
    RankPlace("a", (9, 8, 11)),
    RankPlace("b", (7, 8)),
    RankPlace("a", (3,)),
]
BLOCKS = [PLACES[3], PLACES[0], PLACES[2]]


def test_a_hostfile_of_slurm_has_the_host_of_each_rank():
    assert slurm_hostfile(PLACES).splitlines() == ["a", "a", "b", "a"]


def cores_of(slots: str, cores_per_socket: int) -> tuple[int, ...]:
    """Read the cores of a slot list: numbers and ranges, perhaps after a socket."""
    socket_, colon, list_ = slots.rpartition(":")
    first = int(socket_) * cores_per_socket if colon else 0
    found: list[int] = []
    for part in list_.split(","):
        low, _, high = part.partition("-")
        found += range(first + int(low), first + int(high or low) + 1)
    return tuple(found)


@pytest.mark.parametrize("cores_per_socket", [0, 8])
def test_a_rankfile_read_back_is_the_placement(cores_per_socket):
    read = []
    for rank, line in enumerate(open_mpi_rankfile(PLACES, cores_per_socket).splitlines()):
        match = re.fullmatch(r"rank (\d+)=(\S+) slot=([\d:,-]+)", line)
        assert match
        assert int(match[1]) == rank
        read.append(RankPlace(match[2], cores_of(match[3], cores_per_socket)))
    assert read == [RankPlace(one.host, tuple(sorted(one.cores))) for one in PLACES]


def test_sockets_are_named_where_a_rank_has_cores_of_one():
    lines = open_mpi_rankfile(PLACES, 8).splitlines()
    assert lines[1] == "rank 1=a slot=1:0-1,3"
    assert lines[2] == "rank 2=b slot=7-8"  # of both


def test_files_of_hosts_and_counts():
    assert open_mpi_hostfile(BLOCKS) == "a slots=2\nb slots=1\n"
    assert mpich_machinefile(BLOCKS) == "a:2\nb:1\n"
    # This launcher goes through the lines in order.
    assert mpich_machinefile(PLACES) == "a:2\nb:1\na:1\n"


def test_a_hostfile_cannot_say_that_ranks_of_a_host_are_apart():
    (found,) = problems_of(open_mpi_hostfile, PLACES)
    assert (found.where, found.value) == ("rank 3", "a")
    assert found.hint == "write a rankfile"


@pytest.mark.parametrize(
    ("places", "what"),
    [
        ([], "there are no ranks"),
        ([RankPlace("a b", (0,))], "is no name of a host"),
        ([RankPlace("", (0,))], "has an empty name"),
        ([RankPlace("a[1-2]", (0,))], "is a list of hosts"),
        ([RankPlace("a\nrank 1=b", (0,))], "is no name of a host"),
        ([RankPlace("a", (-1,))], "are no cores"),
        ([RankPlace("a", (1, 1))], "are no cores"),
    ],
)
@pytest.mark.parametrize("write", [slurm_hostfile, open_mpi_rankfile, open_mpi_hostfile])
def test_what_cannot_be_written(write, places, what):
    assert problems_of(write, places)[0].what == what


def test_a_rankfile_needs_cores():
    (found,) = problems_of(open_mpi_rankfile, [RankPlace("a")])
    assert found.where == "rank 0"
    assert slurm_hostfile([RankPlace("a")]) == "a\n"


def run(*words: object) -> str:
    """Run a command as an MPI launcher does it here, also for the root user."""
    permitted = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(
        [str(word) for word in words],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **permitted},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def launcher(name: str) -> str:
    """Return the path of a launcher; skip the test if it is not installed."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def test_open_mpi_reads_the_rankfile(tmp_path):
    mpiexec = launcher("mpiexec.openmpi")
    cores = sorted(os.sched_getaffinity(0))
    if cores[:2] != [0, 1] or os.cpu_count() != len(cores):
        pytest.skip("cores 0 and 1 are not both free for this process")
    host, path = socket.gethostname(), tmp_path / "ranks"
    write_rank_file(path, open_mpi_rankfile([RankPlace(host, (1,)), RankPlace(host, (0,))]))
    script = 'echo "$OMPI_COMM_WORLD_RANK $(grep Cpus_allowed_list /proc/self/status)"'
    text = run(mpiexec, "--rankfile", path, "-n", 2, "sh", "-c", script)
    bound = {line.split()[0]: line.split()[-1] for line in text.splitlines()}
    assert bound.keys() == {"0", "1"}
    # A core has one or two hardware threads; with one each, it is the number of the core.
    if all(value.isdigit() for value in bound.values()):
        assert bound == {"0": "1", "1": "0"}
    assert bound["0"] != bound["1"]


def test_open_mpi_reads_the_hostfile(tmp_path):
    mpiexec = launcher("mpiexec.openmpi")
    path = tmp_path / "hosts"
    write_rank_file(path, open_mpi_hostfile([RankPlace(socket.gethostname())] * 2))
    script = 'echo "$OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE"'
    text = run(mpiexec, "--hostfile", path, "--bind-to", "none", "sh", "-c", script)
    assert sorted(text.splitlines()) == ["0 of 2", "1 of 2"]  # as many as it has slots


def test_mpich_reads_the_machinefile(tmp_path):
    mpiexec = launcher("mpiexec.mpich")
    path = tmp_path / "hosts"
    names = ["localhost", socket.gethostname()]
    places = [RankPlace(names[0])] * 2 + [RankPlace(names[1])]
    write_rank_file(path, mpich_machinefile(places))
    script = 'echo "$PMI_RANK is $MPI_LOCALRANKID"'
    text = run(mpiexec, "-f", path, "-n", 3, "sh", "-c", script)
    # Ranks 0 and 1 are on the first host of the file, rank 2 on the second.
    assert sorted(text.splitlines()) == ["0 is 0", "1 is 1", "2 is 0"]
