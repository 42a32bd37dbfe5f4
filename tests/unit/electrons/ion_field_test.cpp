// SPDX-License-Identifier: BSD-3-Clause
//
// Sums of functions of ions, such as the local potential: against twins and formulas, and their
// derivatives by finite differences.
#include "electrons/ions/ion_field.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"
#include "electrons/ions/local_potential.hpp"
#include "support/electrons/gaussian_transform.hpp"
#include "support/electrons/plane_wave_samples.hpp"
#include "support/expect_refused.hpp"
#include "support/references/electrons/ion_references.hpp"

namespace fg::electrons {
namespace {

using test::expect_refused;

using Complex = std::complex<double>;
using Waves = std::vector<Complex>;
constexpr double pi = std::numbers::pi, cutoff = 4;

/// Oxygen and hydrogen of GTH-BLYP. With the width sqrt(2) times their radius the table is a
/// polynomial times a Gaussian.
constexpr double oxygen_radius = 0.24342026, hydrogen_radius = 0.2;
RadialTable table(const test::GaussianTransform& function) {
  return {function.table(0.01, 900), 0.01, 0};
}
LocalPotential oxygen() {
  return {table(test::gth_local(oxygen_radius, -16.99189235, 2.56614206)), 6,
          std::numbers::sqrt2 * oxygen_radius};
}
LocalPotential hydrogen() {
  return {table(test::gth_local(hydrogen_radius, -4.19596147, 0.73049821)), 1,
          std::numbers::sqrt2 * hydrogen_radius};
}
/// The third kind has none.
std::vector<RadialWaves> kinds_on(const PlaneWaves& waves) {
  return {local_on_waves(waves, oxygen()), local_on_waves(waves, hydrogen()), {}};
}
const std::vector<int> kind_of_ion = {1, 0, 1, 2, 0};
const std::vector<Vec3> positions = {
    {0.3, -1.2, 2.2}, {4.1, 3.3, -8.4}, {1, 1, 1}, {-3.3, 20.1, 5.2}, {2.2, 0.4, 7.1}};

TEST(LocalPotential, IsThatOfTheTwinAndOfTheFormula) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, cutoff);
  const RadialWaves found = local_on_waves(waves, oxygen());
  const RadialWaves right = reference::local_on_waves(waves, oxygen());
  for (std::size_t i = 0; i < waves.size(); ++i) {
    EXPECT_NEAR(found.values[i], right.values[i], 1e-14 * std::abs(right.values[i]) + 1e-14);
    EXPECT_NEAR(found.slopes[i], right.slopes[i], 1e-14 * std::abs(right.slopes[i]) + 1e-11);
    if (i == 0) continue;
    // Goedecker, Teter and Hutter (1996), eq. 1 transformed.
    const double g2 = waves.squares()[i], x2 = g2 * oxygen_radius * oxygen_radius;
    const double formula =
        std::exp(-x2 / 2) * (-24 * pi / g2 + std::pow(2 * pi, 1.5) * std::pow(oxygen_radius, 3) *
                                                 (-16.99189235 + 2.56614206 * (3 - x2)));
    EXPECT_NEAR(found.values[i], formula, 2e-15 * std::abs(formula) + 1e-14);
  }
  EXPECT_EQ(found.values[0], 0);
  EXPECT_EQ(found.slopes[0], 0);
}

TEST(LocalPotential, SlopesAreThoseOfValues) {
  const auto at = [&](double length) {
    // One wave of this length.
    const PlaneWaves wave(test::cubic(2 * pi / length), {{0, 0, 1}});
    return local_on_waves(wave, oxygen());
  };
  for (const double length : {0.3, 1.0, 2.7, 6.0}) {
    const double slope = test::sixth_order_slope(
        [&](double step) { return at(length + step).values[0]; }, 0.01 * length);
    // h^6 / 140 times the seventh derivative of 1 / G^2, 8! / G^9, is 3e-10 of the value over G.
    EXPECT_NEAR(at(length).slopes[0], slope, 1e-9 * std::abs(at(length).values[0]) / length);
  }
}

TEST(LocalPotential, AlphaIsThatOfTheFormula) {
  const double r = hydrogen_radius;
  EXPECT_NEAR(alpha(hydrogen()),
              2 * pi * r * r + std::pow(2 * pi, 1.5) * r * r * r * (-4.19596147 + 3 * 0.73049821),
              1e-15);
}

TEST(LocalPotential, OnlyTheSumOfTableAndChargeCounts) {
  // The charge of another width, and the difference in the table.
  constexpr double wide = 1.3;
  const LocalPotential narrow = hydrogen();
  std::vector<double> values;
  for (int i = 0; i < 900; ++i) {
    const double g = 0.01 * i, w = narrow.width;
    const double change =
        i == 0 ? pi * (w * w - wide * wide)
               : 4 * pi / (g * g) *
                     (std::expm1(-g * g * wide * wide / 4) - std::expm1(-g * g * w * w / 4));
    values.push_back(narrow.short_range.at(g < 8.9 ? g : 8.9).value + change);
  }
  const LocalPotential other{RadialTable(values, 0.01, 0), 1, wide};
  const PlaneWaves waves = test::waves_up_to(test::skewed, cutoff);
  const RadialWaves a = local_on_waves(waves, narrow), b = local_on_waves(waves, other);
  for (std::size_t i = 0; i < waves.size(); ++i) {
    EXPECT_NEAR(a.values[i], b.values[i], 1e-13 * (1 + std::abs(a.values[i])));
    EXPECT_NEAR(a.slopes[i], b.slopes[i], 1e-11 * (1 + std::abs(a.slopes[i])));
  }
  EXPECT_NEAR(alpha(narrow), alpha(other), 1e-14);
}

TEST(IonField, IsThatOfTheTwin) {
  for (const double longest : {0.1, 1.1, cutoff}) {
    const PlaneWaves waves = test::waves_up_to(test::skewed, longest);
    const std::vector<RadialWaves> kinds = kinds_on(waves);
    const IonField field(waves, kinds, kind_of_ion);
    const Waves partner = test::random_waves(waves, 1);
    Waves found(waves.size(), {7, 7}), right(waves.size());
    field.write(positions, found);
    reference::ion_field(waves, kinds, kind_of_ion, positions, right);
    // Roundings of phases up to 4 * 20 in the twin, of potentials up to 75 / G^2 over the volume.
    for (std::size_t i = 0; i < waves.size(); ++i)
      EXPECT_LE(std::abs(found[i] - right[i]), 1e-13 * 2);
    std::vector<Vec3> forces(positions.size());
    Virial virial{};
    field.add_forces(positions, partner, forces);
    field.add_virial(positions, partner, virial);
    const reference::IonFieldSlopes slopes =
        reference::ion_field_slopes(waves, kinds, kind_of_ion, positions, partner);
    for (std::size_t i = 0; i < positions.size(); ++i)
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(forces[i][a], slopes.forces[i][a], 1e-10);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(virial[k], slopes.virial[k], 1e-10);
    EXPECT_EQ(forces[3], Vec3{});
  }
}

double energy_of(const PlaneWaves& waves, std::span<const Vec3> at, const Waves& partner) {
  Waves field(waves.size());
  IonField(waves, kinds_on(waves), kind_of_ion).write(at, field);
  return integral(waves, field, partner);
}

TEST(IonField, ForcesAreTheSlopesOfTheEnergy) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, cutoff);
  const Waves partner = test::random_waves(waves, 2);
  std::vector<Vec3> forces(positions.size());
  IonField(waves, kinds_on(waves), kind_of_ion).add_forces(positions, partner, forces);
  for (std::size_t ion = 0; ion < positions.size(); ++ion)
    for (int axis = 0; axis < 3; ++axis) {
      const auto energy = [&](double step) {
        std::vector<Vec3> moved = positions;
        moved[ion][axis] += step;
        return energy_of(waves, moved, partner);
      };
      // (4 * 0.01)^6 * 4 / 140 = 1e-10 of the energy of the shortest waves, about 1000 hartree.
      EXPECT_NEAR(forces[ion][axis], -test::sixth_order_slope(energy, 0.01), 1e-8);
    }
}

TEST(IonField, TheVirialIsTheSlopeByTheStrain) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, cutoff);
  const Waves partner = test::random_waves(waves, 3);
  Virial virial{};
  IonField(waves, kinds_on(waves), kind_of_ion).add_virial(positions, partner, virial);
  for (int component = 0; component < 6; ++component) {
    const auto energy = [&](double strain) {
      std::vector<Vec3> moved = positions;
      for (Vec3& r : moved) r = test::strained(r, component, strain);
      return energy_of(test::strained(waves, component, strain), moved, partner);
    };
    EXPECT_NEAR(virial[component], -test::sixth_order_slope(energy, 0.002), 1e-8);
  }
}

TEST(IonField, SharesAddUp) {
  const PlaneWaves all = test::waves_up_to(test::skewed, cutoff);
  const Waves partner = test::random_waves(all, 4);
  const auto of_all = [&](const PlaneWaves& share) {
    Waves own;
    for (const auto& index : share.indices())
      own.push_back(partner[std::find(all.indices().begin(), all.indices().end(), index) -
                            all.indices().begin()]);
    return own;
  };
  const auto add = [&](const PlaneWaves& share, std::vector<Vec3>& forces, Virial& virial) {
    const IonField field(share, kinds_on(share), kind_of_ion);
    field.add_forces(positions, of_all(share), forces);
    field.add_virial(positions, of_all(share), virial);
    return energy_of(share, positions, of_all(share));
  };
  std::vector<Vec3> whole(positions.size()), sum(positions.size());
  Virial whole_virial{}, virial{};
  const double energy = add(all, whole, whole_virial);
  double parts = 0;
  for (int rank = 0; rank < 3; ++rank)
    parts += add(test::waves_up_to(test::skewed, cutoff, 3, rank), sum, virial);
  EXPECT_NEAR(parts, energy, 1e-11);
  for (std::size_t i = 0; i < sum.size(); ++i)
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(sum[i][a], whole[i][a], 1e-11);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(virial[k], whole_virial[k], 1e-11);
}

TEST(Integral, IsThatOfTheTwinAndOfAConstant) {
  for (int rank = 0; rank < 2; ++rank) {
    const PlaneWaves waves = test::waves_up_to(test::skewed, cutoff, 2, rank);
    const Waves a = test::random_waves(waves, 5), b = test::random_waves(waves, 6);
    const double right = reference::integral(waves, a, b);
    EXPECT_NEAR(integral(waves, a, b), right, 1e-15 * integral(waves, a, a));
  }
  const PlaneWaves one(test::skewed, {{0, 0, 0}});
  EXPECT_DOUBLE_EQ(integral(one, Waves{2.0}, Waves{3.0}), 6 * test::skewed.volume());
}

TEST(IonField, RefusesWhatCannotBe) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const PlaneWaves waves = test::waves_up_to(test::skewed, 1), far(test::cubic(0.5), {{0, 0, 1}});
  const auto changed = [](double charge, double width) {
    return LocalPotential{hydrogen().short_range, charge, width};
  };
  expect_refused<InputError>([&] { local_on_waves(waves, changed(1, 0)); }, "width");
  expect_refused<InputError>([&] { alpha(changed(1, nan)); }, "width");
  expect_refused<InputError>([&] { alpha(changed(nan, 1)); }, "charge");
  expect_refused<InputError>([&] { local_on_waves(far, hydrogen()); }, "12.5664");
  expect_refused<InternalError>(
      [&] { table_on_waves(waves, RadialTable(std::vector<double>(400), 0.01, 1)); }, "l() == 0");
  expect_refused<InternalError>([&] { IonField(waves, {{{1.0}, {1.0}}}, std::vector{0}); },
                                "values.size()");
  expect_refused<InternalError>([&] { IonField(waves, {{}}, std::vector{1}); }, "kind");
}

}  // namespace
}  // namespace fg::electrons
