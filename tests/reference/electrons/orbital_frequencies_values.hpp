// SPDX-License-Identifier: BSD-3-Clause
//
// By orbital_frequencies_values.py. Units: hartree, atomic units of frequency.
#pragma once

namespace fg::test {

struct HighestFrequency {
  const char* system;
  double cutoff, mass_cutoff;
  double lowest_eigenvalue, highest;
};

inline constexpr double mass_of_frequencies = 400.0;
inline constexpr HighestFrequency highest_frequencies[] = {
    {"hydrogen", 10.0, 0.5, -0.373676, 0.060928},
    {"hydrogen", 10.0, 1.25, -0.373676, 0.087748},
    {"hydrogen", 10.0, 2.0, -0.373676, 0.105988},
    {"hydrogen", 10.0, 1000000000.0, -0.373676, 0.225048},
    {"silicon", 6.0, 0.5, -0.183686, 0.059324},
    {"silicon", 6.0, 1.25, -0.183686, 0.085207},
    {"silicon", 6.0, 2.0, -0.183686, 0.105681},
    {"silicon", 6.0, 1000000000.0, -0.183686, 0.160822},
    {"water_pbe_triclinic", 15.0, 0.5, -0.883550, 0.078799},
    {"water_pbe_triclinic", 15.0, 1.25, -0.883550, 0.099159},
    {"water_pbe_triclinic", 15.0, 2.0, -0.883550, 0.118928},
    {"water_pbe_triclinic", 15.0, 1000000000.0, -0.883550, 0.280786},
    {"water_blyp", 12.5, 0.5, -1.002787, 0.085277},
    {"water_blyp", 12.5, 1.25, -1.002787, 0.104808},
    {"water_blyp", 12.5, 2.0, -1.002787, 0.121898},
    {"water_blyp", 12.5, 1000000000.0, -1.002787, 0.258137}};

}  // namespace fg::test
