# SPDX-License-Identifier: BSD-3-Clause
"""Hartree atomic units in others.

Constants are CODATA 2018 (Tiesinga et al., Rev. Mod. Phys. 93, 025010 (2021)), digit for digit
those of the engine.
"""

from __future__ import annotations

bohr_in_nm = 0.0529177210903
bohr_in_angstrom = 0.529177210903
angstrom_per_nm = 10.0
time_in_fs = 2.4188843265857e-2
time_in_ps = 2.4188843265857e-5
hartree_in_joule = 4.3597447222071e-18
avogadro = 6.02214076e23
hartree_in_kj_per_mol = hartree_in_joule * avogadro / 1000.0
hartree_in_ev = 27.211386245988
boltzmann_joule_per_kelvin = 1.380649e-23
hartree_in_kelvin = hartree_in_joule / boltzmann_joule_per_kelvin
electron_mass_in_kg = 9.1093837015e-31
electron_mass_in_dalton = electron_mass_in_kg * avogadro * 1000.0
force_in_kj_per_mol_nm = hartree_in_kj_per_mol / bohr_in_nm
speed_in_nm_per_ps = bohr_in_nm / time_in_ps
