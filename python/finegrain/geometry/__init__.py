# SPDX-License-Identifier: BSD-3-Clause
"""Relaxed geometries and vibrations of an ab initio input; ASE moves the atoms."""
