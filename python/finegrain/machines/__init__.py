# SPDX-License-Identifier: BSD-3-Clause
"""Machines and the nodes of a job: descriptions, rank files, traffic between ranks, drawings."""

from __future__ import annotations

from finegrain.machines.description import (
    Allocation,
    MachineDescription,
    NodeParts,
    Processor,
)
from finegrain.machines.drawings.bisection import BisectionStage, draw_bisection, draw_patches
from finegrain.machines.drawings.links import LinkLoads, draw_links
from finegrain.machines.for_engine import engine_nodes, engine_numbers
from finegrain.machines.input.load import read_machine
from finegrain.machines.networks import Dragonfly, FatTree, Graph, Link, Network, OneNode, Torus
from finegrain.machines.rank_files import (
    RankPlace,
    mpich_machinefile,
    open_mpi_hostfile,
    open_mpi_rankfile,
    slurm_hostfile,
    write_rank_file,
)
from finegrain.machines.slurm.allocation import in_slurm_job, machine_from_slurm, slurm_hosts
from finegrain.machines.slurm.topology import read_topology
from finegrain.machines.traffic.matrix import read_matrix
from finegrain.machines.traffic.of_trace import traffic_of_trace
from finegrain.machines.traffic.traffic import Traffic

__all__ = [
    "Allocation",
    "BisectionStage",
    "Dragonfly",
    "FatTree",
    "Graph",
    "Link",
    "LinkLoads",
    "MachineDescription",
    "Network",
    "NodeParts",
    "OneNode",
    "Processor",
    "RankPlace",
    "Torus",
    "Traffic",
    "draw_bisection",
    "draw_links",
    "draw_patches",
    "engine_nodes",
    "engine_numbers",
    "in_slurm_job",
    "machine_from_slurm",
    "mpich_machinefile",
    "open_mpi_hostfile",
    "open_mpi_rankfile",
    "read_machine",
    "read_matrix",
    "read_topology",
    "slurm_hostfile",
    "slurm_hosts",
    "traffic_of_trace",
    "write_rank_file",
]
