# SPDX-License-Identifier: BSD-3-Clause
"""Slurm: the nodes of a job from its environment, and the network from topology.conf."""
