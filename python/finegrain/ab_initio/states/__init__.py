# SPDX-License-Identifier: BSD-3-Clause
"""What the engine has found: the ground state, orbitals, energies of one evaluation."""
