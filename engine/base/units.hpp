// SPDX-License-Identifier: BSD-3-Clause
//
// The engine uses only Hartree atomic units; these are the conversion factors to other units.
// Source: CODATA 2018 (Tiesinga et al., Rev. Mod. Phys. 93, 025010 (2021)).
#pragma once

namespace fg::units {

inline constexpr double bohr_in_nm = 0.0529177210903;
inline constexpr double bohr_in_angstrom = 0.529177210903;
inline constexpr double time_in_fs = 2.4188843265857e-2;
inline constexpr double time_in_ps = 2.4188843265857e-5;
inline constexpr double hartree_in_joule = 4.3597447222071e-18;
inline constexpr double hartree_in_ev = 27.211386245988;
inline constexpr double hartree_in_inverse_cm = 219474.63136320;
inline constexpr double avogadro = 6.02214076e23;
inline constexpr double hartree_in_kj_per_mol = hartree_in_joule * avogadro / 1000.0;
inline constexpr double boltzmann_joule_per_kelvin = 1.380649e-23;
inline constexpr double hartree_in_kelvin = hartree_in_joule / boltzmann_joule_per_kelvin;
inline constexpr double electron_mass_in_kg = 9.1093837015e-31;
inline constexpr double electron_mass_in_dalton = electron_mass_in_kg * avogadro * 1000.0;
inline constexpr double force_in_kj_per_mol_nm = hartree_in_kj_per_mol / bohr_in_nm;
inline constexpr double speed_in_nm_per_ps = bohr_in_nm / time_in_ps;
inline constexpr double volume_in_nm3 = bohr_in_nm * bohr_in_nm * bohr_in_nm;
inline constexpr double pressure_in_bar = hartree_in_joule / volume_in_nm3 * 1e27 / 1e5;
inline constexpr double density_in_kg_per_m3 = electron_mass_in_kg / volume_in_nm3 * 1e27;

}  // namespace fg::units
