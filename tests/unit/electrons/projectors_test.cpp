// SPDX-License-Identifier: BSD-3-Clause
//
// The nonlocal energy, its part of H psi, forces and virial: against the twin, by finite
// differences, and as sums over shares.
#include "electrons/nonlocal/projectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "support/electrons/gaussian_transform.hpp"
#include "support/electrons/plane_wave_samples.hpp"
#include "support/expect_refused.hpp"
#include "support/references/electrons/projector_references.hpp"

namespace fg::electrons {
namespace {

using test::expect_refused;

using Complex = std::complex<double>;
using Waves = std::vector<Complex>;
using test::gth_projector;

constexpr double occupation = 2, cutoff = 3;
constexpr std::size_t orbitals = 5;

RadialTable table(int l, int i, double radius) {
  return {gth_projector(l, i, radius).table(0.01, 500), 0.01, l};
}

/// Made up, with all l, several projectors of one l, and a kind without any.
const std::vector<ProjectorKind> kinds = {
    {{table(0, 1, 0.9), table(1, 1, 0.8), table(0, 2, 0.9), table(1, 2, 0.8), table(2, 1, 0.9),
      table(3, 1, 1.0)},
     {3.1,  0,    -0.7, 0,    0,    0,  //
      0,    2,    0,    -0.4, 0,    0,  //
      -0.7, 0,    1.2,  0,    0,    0,  //
      0,    -0.4, 0,    0.9,  0,    0,  //
      0,    0,    0,    0,    -1.3, 0,  //
      0,    0,    0,    0,    0,    0.6}},
    {{}, {}},
    {{table(0, 1, 0.6)}, {4.2}},
};
const std::vector<int> kind_of_ion = {0, 2, 1, 0, 2};
const std::vector<Vec3> positions = {
    {0.3, -1.2, 2.2}, {4.1, 3.3, -8.4}, {1, 1, 1}, {-3.3, 20.1, 5.2}, {2.2, 0.4, 7.1}};

Waves random_block(const PlaneWaves& waves, unsigned seed) {
  Waves block;
  for (unsigned s = 0; s < orbitals; ++s) {
    const Waves one = test::random_waves(waves, seed + s);
    block.insert(block.end(), one.begin(), one.end());
  }
  return block;
}

/// All that one share of all waves gives.
reference::Nonlocal evaluate(const PlaneWaves& waves, std::span<const Vec3> at,
                             const Waves& block) {
  Projectors projectors(waves, kinds, kind_of_ion);
  projectors.place(at);
  reference::Nonlocal result;
  result.z.resize(projectors.rows() * orbitals);
  projectors.project(block, orbitals, result.z);
  std::vector<double> dz(result.z.size());
  projectors.coupling().couple(result.z, orbitals, dz);
  result.energy = nonlocal_energy(result.z, dz, occupation);
  result.applied.resize(block.size());
  projectors.apply(dz, orbitals, result.applied);
  result.forces.resize(at.size());
  projectors.add_forces(dz, block, orbitals, occupation, result.forces);
  projectors.add_virial(dz, block, orbitals, occupation, result.virial);
  return result;
}

double largest(const Waves& values) {
  double most = 0;
  for (const Complex& c : values) most = std::max(most, std::abs(c));
  return most;
}

TEST(Projectors, AreThoseOfTheTwin) {
  for (const double longest : {0.1, 1.0, cutoff}) {
    const PlaneWaves waves = test::waves_up_to(test::skewed, longest);
    const Waves block = random_block(waves, 1);
    const reference::Nonlocal found = evaluate(waves, positions, block);
    const reference::Nonlocal right =
        reference::nonlocal(waves, kinds, kind_of_ion, positions, block, orbitals, occupation);
    // Roundings of phases up to 3 * 20, and of sums of hundreds of terms, in the twin.
    constexpr double rounding = 1e-13;
    ASSERT_EQ(found.z.size(), right.z.size());
    EXPECT_EQ(found.z.size(), 2 * (1 + 3 + 1 + 3 + 5 + 7) * orbitals + 2 * orbitals);
    const double scale = std::abs(right.energy) + 1;
    for (std::size_t i = 0; i < right.z.size(); ++i)
      EXPECT_NEAR(found.z[i], right.z[i], rounding * scale);
    EXPECT_NEAR(found.energy, right.energy, rounding * scale);
    for (std::size_t i = 0; i < block.size(); ++i)
      EXPECT_LE(std::abs(found.applied[i] - right.applied[i]), rounding * largest(right.applied));
    for (std::size_t i = 0; i < positions.size(); ++i)
      for (int a = 0; a < 3; ++a)
        EXPECT_NEAR(found.forces[i][a], right.forces[i][a], longest * rounding * scale);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(found.virial[k], right.virial[k], 3 * rounding * scale);
    EXPECT_EQ(found.forces[2], Vec3{});
  }
}

TEST(Projectors, TheirPartOfTheHamiltonianIsTheGradientOfTheEnergy) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 1.5);
  const Waves block = random_block(waves, 2);
  const reference::Nonlocal here = evaluate(waves, positions, block);
  for (std::size_t i = 0; i < block.size(); i += 7)
    for (const Complex direction : {Complex(1, 0), Complex(0, 1)}) {
      const auto energy = [&](double step) {
        Waves moved = block;
        moved[i] += step * direction;
        return evaluate(waves, positions, moved).energy;
      };
      const double weight = i % waves.size() == 0 ? 1 : 2;
      if (weight == 1 && direction.imag() != 0) continue;  // real at G = 0
      const double right =
          2 * occupation * weight * (here.applied[i] * std::conj(direction)).real();
      // Exact for a quadratic function but for rounding.
      EXPECT_NEAR((energy(1) - energy(-1)) / 2, right, 1e-13 * std::abs(here.energy));
    }
}

TEST(Projectors, ForcesAreTheSlopesOfTheEnergy) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, cutoff);
  const Waves block = random_block(waves, 3);
  const reference::Nonlocal here = evaluate(waves, positions, block);
  for (std::size_t ion = 0; ion < positions.size(); ++ion)
    for (int axis = 0; axis < 3; ++axis) {
      const auto energy = [&](double step) {
        std::vector<Vec3> moved = positions;
        moved[ion][axis] += step;
        return evaluate(waves, moved, block).energy;
      };
      // Waves of pairs have lengths up to 2 * 3; (6 * 0.01)^6 * 6 / 140 = 2e-9 of the energy of the
      // shortest ones.
      EXPECT_NEAR(here.forces[ion][axis], -test::sixth_order_slope(energy, 0.005),
                  1e-10 * std::abs(here.energy));
    }
}

TEST(Projectors, TheVirialIsTheSlopeByTheStrain) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, cutoff);
  const Waves block = random_block(waves, 4);
  const reference::Nonlocal here = evaluate(waves, positions, block);
  for (int component = 0; component < 6; ++component) {
    const auto energy = [&](double strain) {
      std::vector<Vec3> moved = positions;
      for (Vec3& r : moved) r = test::strained(r, component, strain);
      return evaluate(test::strained(waves, component, strain), moved, block).energy;
    };
    EXPECT_NEAR(here.virial[component], -test::sixth_order_slope(energy, 0.003),
                1e-9 * std::abs(here.energy));
  }
}

TEST(Projectors, SharesAddUp) {
  const PlaneWaves all = test::waves_up_to(test::skewed, cutoff);
  const Waves block = random_block(all, 5);
  const reference::Nonlocal whole = evaluate(all, positions, block);
  constexpr int ranks = 3;
  std::vector<PlaneWaves> shares;
  for (int rank = 0; rank < ranks; ++rank)
    shares.push_back(test::waves_up_to(test::skewed, cutoff, ranks, rank));
  std::vector<Projectors> projectors;
  std::vector<Waves> blocks;
  std::vector<double> z(whole.z.size()), part(z.size()), dz(z.size());
  for (const PlaneWaves& share : shares) {
    Waves own;
    for (std::size_t s = 0; s < orbitals; ++s)
      for (const auto& index : share.indices()) {
        const auto found = std::find(all.indices().begin(), all.indices().end(), index);
        own.push_back(block[s * all.size() + (found - all.indices().begin())]);
      }
    blocks.push_back(own);
    projectors.emplace_back(share, kinds, kind_of_ion).place(positions);
    projectors.back().project(own, orbitals, part);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += part[i];
  }
  projectors[0].coupling().couple(z, orbitals, dz);
  std::vector<Vec3> forces(positions.size());
  Virial virial{};
  for (int rank = 0; rank < ranks; ++rank) {
    projectors[rank].add_forces(dz, blocks[rank], orbitals, occupation, forces);
    projectors[rank].add_virial(dz, blocks[rank], orbitals, occupation, virial);
  }
  const double rounding = 1e-13 * std::abs(whole.energy);
  EXPECT_NEAR(nonlocal_energy(z, dz, occupation), whole.energy, rounding);
  for (std::size_t i = 0; i < forces.size(); ++i)
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(forces[i][a], whole.forces[i][a], rounding);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(virial[k], whole.virial[k], rounding);
}

TEST(Projectors, HaveTheSameBitsOnEveryCall) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, cutoff);
  const Waves block = random_block(waves, 6);
  const reference::Nonlocal here = evaluate(waves, positions, block);
  const reference::Nonlocal again = evaluate(waves, positions, Waves(block));
  EXPECT_EQ(here.z, again.z);
  EXPECT_EQ(here.applied, again.applied);
  EXPECT_EQ(here.forces, again.forces);
  EXPECT_EQ(here.virial, again.virial);
}

TEST(Projectors, AShareWithoutWavesAndOrbitalsThatAreNoneGiveNothing) {
  const PlaneWaves none(test::skewed, {});
  const reference::Nonlocal nothing = evaluate(none, positions, {});
  for (const double z : nothing.z) EXPECT_EQ(z, 0);
  EXPECT_EQ(nothing.forces[0], Vec3{});
  const PlaneWaves waves = test::waves_up_to(test::skewed, 1);
  Projectors projectors(waves, kinds, kind_of_ion);
  projectors.place(positions);
  std::vector<Vec3> forces(positions.size());
  projectors.project({}, 0, {});
  projectors.add_forces({}, {}, 0, occupation, forces);
  EXPECT_EQ(forces[0], Vec3{});
}

TEST(Projectors, RefuseWhatCannotBe) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 1);
  const auto make = [&](std::vector<ProjectorKind> of, std::vector<int> ions) {
    Projectors(waves, of, ions);
  };
  const RadialTable s = table(0, 1, 1), p = table(1, 1, 1);
  expect_refused<InputError>([&] { make({{{s, s}, {1, 2, 3, 4}}}, {0}); }, "row 0, column 1");
  expect_refused<InputError>([&] { make({{{s, p}, {1, 2, 2, 4}}}, {0}); }, "are coupled");
  expect_refused<InputError>(
      [&] { make({{{RadialTable(std::vector<double>(200), 0.01, 4)}, {1}}}, {0}); }, "l = 4");
  expect_refused<InputError>(
      [&] { make({{{RadialTable(std::vector<double>(50), 0.01, 0)}, {1}}}, {0}); }, "outside");
  expect_refused<InternalError>([&] { make({{{s}, {1, 2}}}, {0}); }, "coupling.size()");
  expect_refused<InternalError>([&] { make({{{s}, {1}}}, {0, 1}); }, "kind");
  Projectors good(waves, {kinds}, kind_of_ion);
  std::vector<double> z(good.rows());
  const Waves one(waves.size());
  expect_refused<InternalError>([&] { good.project(one, 1, z); }, "positions_");
  expect_refused<InternalError>([&] { good.place(std::vector<Vec3>(1)); }, "positions");
  good.place(positions);
  expect_refused<InternalError>([&] { good.project(one, 2, z); }, "orbitals");
}

}  // namespace
}  // namespace fg::electrons
