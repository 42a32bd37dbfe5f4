# SPDX-License-Identifier: BSD-3-Clause
"""How an ab initio job is divided, and what its parts take; it knows no inputs."""
