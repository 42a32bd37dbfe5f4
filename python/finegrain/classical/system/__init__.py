# SPDX-License-Identifier: BSD-3-Clause
"""A molecular system in the form of the engine, its limits, and what is seen in it."""
