# SPDX-License-Identifier: BSD-3-Clause
"""All tables of results, by name."""

from tables import ab_initio, accuracy, classical, front, house, parts, simulated

TABLES = {
    table.name: table
    for module in (front, classical, parts, ab_initio, simulated, accuracy, house)
    for table in module.TABLES
}
