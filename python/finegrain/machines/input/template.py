# SPDX-License-Identifier: BSD-3-Clause
"""A machine file to start from."""

TEMPLATE = """\
# A machine for `finegrain map` and `finegrain predict`. docs/reference/machine-file.md has all
# keys, and an example for each kind of network: "torus", "fat-tree", "dragonfly", "graph", "node".

[machine]
name = "a cluster of 4 x 18 nodes"
kind = "fat-tree"
down = [18, 4]                   # nodes of a leaf switch, leaf switches
up = [6]                         # switches above the leaves
hosts = "node[01-72]"            # as Slurm lists them
link_bandwidth = "25 GB/s"       # of a cable in one direction
link_latency = "0.2 us"
injection_bandwidth = "25 GB/s"  # between a node and its switch
injection_latency = "0.5 us"

[node]
sockets = 2
cores = 32                       # of all sockets
core_speed = 0.8                 # relative to the core of `finegrain predict`'s times of work
send_time = "0.4 us"             # of a processor for a message at its sender
receive_time = "0.4 us"          # and at its receiver

[allocation]
nodes = "node[01-16]"            # of the job, in its order, or "all"
ranks_per_node = 2
"""
