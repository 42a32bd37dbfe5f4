// SPDX-License-Identifier: BSD-3-Clause
//
// Estimates of the highest frequency of orbitals, beside those of real Hamiltonians at low cutoffs:
// hydrogen, silicon and water by the plain program (orbital_frequencies_values.py).
#include "electrons/orbitals/orbital_frequencies.hpp"

#include <gtest/gtest.h>

#include "orbital_frequencies_values.hpp"

namespace fg::electrons {
namespace {

TEST(OrbitalFrequencies, AreBoundFromBelowAndEstimatedForRealSystems) {
  for (const auto& found : test::highest_frequencies) {
    const SwingingOrbitals orbitals{
        .mass = {.mass = test::mass_of_frequencies, .cutoff = found.mass_cutoff},
        .occupation = 2,
        .cutoff = found.cutoff};
    // Cells are small: in silicon the fastest wave has 0.85 of the cutoff.
    SwingingOrbitals sure = orbitals;
    sure.cutoff *= 0.8;
    EXPECT_LT(highest_orbital_frequency(sure), found.highest) << found.system;
    // The estimate knows neither the mean potential nor that near nuclei, which nearly cancel.
    const double estimate = highest_orbital_frequency(orbitals, found.lowest_eigenvalue);
    EXPECT_NEAR(found.highest / estimate, 1, 0.1) << found.system << " " << found.mass_cutoff;
  }
}

}  // namespace
}  // namespace fg::electrons
