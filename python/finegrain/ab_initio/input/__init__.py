# SPDX-License-Identifier: BSD-3-Clause
"""The keys of an ab initio input: their model, what belongs together, functionals and words."""
