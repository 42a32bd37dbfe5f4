# SPDX-License-Identifier: BSD-3-Clause
"""Complete systems from raw structures: repair, hydrogens, water, ions and a staged input."""
