# SPDX-License-Identifier: BSD-3-Clause
"""What decides how a job is divided and how long a step takes; it knows no inputs."""
