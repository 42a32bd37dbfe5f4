// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/ewald_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "forces/pair/pair_kernel.hpp"

namespace fg {
namespace {

TEST(EwaldParts, MatchTheirClosedFormsAndEachOther) {
  const double v0 = 2.0 / std::sqrt(std::acos(-1.0));
  EXPECT_DOUBLE_EQ(ewald_energy_part(0.0), v0);
  EXPECT_DOUBLE_EQ(ewald_force_part(0.0), v0 * 2.0 / 3.0);
  for (double z = 0.05; z < 6.0; z += 0.05) {
    EXPECT_NEAR(ewald_energy_part(z * z), std::erf(z) / z, 1e-15);
    // dv/dz = -z f, by a central difference: h^2/6 times the third derivative (below 2) and
    // rounding, 1e-16/h, are both near 1e-10.
    constexpr double h = 1e-5;
    const double slope =
        (ewald_energy_part((z + h) * (z + h)) - ewald_energy_part((z - h) * (z - h))) / (2 * h);
    EXPECT_NEAR(slope, -z * ewald_force_part(z * z), 1e-10) << z;
  }
}

double value_of(const double* fit, int terms, double t) {
  double value = 0;
  for (int k = 0; k < terms; ++k) value = value * t + fit[k];
  return value;
}

TEST(EwaldFit, KeepsItsStatedErrorOverTheWholeRange) {
  for (const double z_max : {2.6, 3.15, 5.0}) {
    const double alpha = z_max / std::sqrt(ewald_range);
    const double f0 = std::pow(alpha, 3) * ewald_force_part(0);
    for (const int pieces : {1, 4, 16}) {
      const EwaldFit fit = fit_ewald(alpha, pieces == 1 ? 22 : pieces == 4 ? 8 : 5, pieces);
      for (double x = 0; x <= ewald_range; x += 0.001) {
        const double width = ewald_piece_width(pieces);
        const int piece = pieces > 1 ? static_cast<int>(std::lround(x / width)) : 0;
        const double t = x - (pieces > 1 ? piece * width : ewald_middle);
        const double z2 = alpha * alpha * x;
        const double force = value_of(fit.force.data() + piece * fit.terms, fit.terms, t);
        // The fit samples its error; between the samples it may be a tenth larger. Rounding is
        // 1e-14.
        EXPECT_LE(std::abs(force - std::pow(alpha, 3) * ewald_force_part(z2)) * x / ewald_range,
                  (1.1 * fit.error + 1e-14) * f0)
            << z_max << " " << x << " " << pieces;
        const double energy = value_of(fit.energy.data() + piece * fit.terms, fit.terms, t);
        // The energy's terms fall off like the force's; 20 is generous for their ratio.
        EXPECT_NEAR(energy, alpha * ewald_energy_part(z2), (20 * fit.error + 1e-13) * alpha);
      }
    }
  }
}

TEST(EwaldFit, RefusesWhatNoKernelSupports) {
  PairSettings settings{.cutoff = 17.0,
                        .switch_distance = 0,
                        .coulomb = Coulomb::ewald,
                        .ewald_coefficient = 20.0 / 17.0,
                        .reaction_field_dielectric = 1,
                        .list_cutoff = 19.0,
                        .inner_list_cutoff = 18.0};
  EXPECT_THROW(PairKernel<float>{settings}, InputError);
  EXPECT_THROW(PairKernel<double>{settings}, InputError);
  settings.ewald_coefficient = 3.15 / 17.0;
  EXPECT_NO_THROW(PairKernel<float>{settings});
  EXPECT_NO_THROW(PairKernel<double>{settings});
}

}  // namespace
}  // namespace fg
