# SPDX-License-Identifier: BSD-3-Clause
"""All tables of results, by name."""

from tables import ab_initio, accuracy, classical, parts, simulated

TABLES = {
    table.name: table
    for module in (classical, parts, ab_initio, simulated, accuracy)
    for table in module.TABLES
}
