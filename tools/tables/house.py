# SPDX-License-Identifier: BSD-3-Clause
"""The size and the order of the source code, before and after it was put into rooms."""

from __future__ import annotations

from measure_house import AREAS, rows
from table_maker import Table

TABLES = [
    Table(
        "the source code",
        "house.json",
        rows,
        "< | {figure}\n" + "\n".join(f"{area} | {{{area}}}" for area in AREAS),
        above="Commit {commits[0][commit]} of {commits[0][date]} → commit {commits[1][commit]} of "
        "{commits[1][date]}:",
    )
]
