// SPDX-License-Identifier: BSD-3-Clause
//
// The orbitals with which a ground state begins: against twins, and that neither shares nor blocks
// count.
#include "electrons/orbitals/orbital_start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "support/electrons/gaussian_transform.hpp"
#include "support/electrons/plane_wave_samples.hpp"
#include "support/references/electrons/orbital_references.hpp"

namespace fg::electrons {
namespace {

using Complex = std::complex<double>;
using Waves = std::vector<Complex>;
constexpr std::uint64_t seed = 0x123456789ABCDEF0;

std::size_t place_of(const PlaneWaves& all, const std::array<int, 3>& index) {
  return static_cast<std::size_t>(std::find(all.indices().begin(), all.indices().end(), index) -
                                  all.indices().begin());
}

TEST(RandomOrbitals, AreThoseOfTheTwin) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 4);
  Waves found(3 * waves.size()), right(found.size());
  random_orbitals(waves, seed, {5, 3}, found);
  reference::random_orbitals(waves, seed, {5, 3}, right);
  // The twin keeps more than 53 bits of a number, and takes the square of a root.
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_LE(std::abs(found[i] - right[i]), 3e-16 + 4e-15 * std::abs(right[i]));
}

TEST(RandomOrbitals, DoNotDependOnSharesAndBlocks) {
  const PlaneWaves all = test::waves_up_to(test::skewed, 3);
  Waves whole(6 * all.size());
  random_orbitals(all, seed, {0, 6}, whole);
  for (int rank = 0; rank < 3; ++rank)
    for (const OrbitalRange range : {OrbitalRange{0, 2}, OrbitalRange{2, 4}}) {
      const PlaneWaves share = test::waves_up_to(test::skewed, 3, 3, rank);
      Waves block(range.count * share.size());
      random_orbitals(share, seed, range, block);
      for (std::size_t s = 0; s < range.count; ++s)
        for (std::size_t i = 0; i < share.size(); ++i)
          EXPECT_EQ(block[s * share.size() + i],
                    whole[(range.first + s) * all.size() + place_of(all, share.indices()[i])]);
    }
}

TEST(RandomOrbitals, AreAllDifferentAndRealAtZero) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 3);
  std::set<double> seen;
  for (const std::uint64_t one : {seed, seed + 1, seed ^ (std::uint64_t{1} << 40)}) {
    Waves block(2 * waves.size());
    random_orbitals(waves, one, {0, 2}, block);
    EXPECT_EQ(block[0].imag(), 0);
    EXPECT_EQ(block[waves.size()].imag(), 0);
    for (std::size_t i = 0; i < block.size(); ++i) {
      EXPECT_TRUE(seen.insert(block[i].real()).second);
      if (i % waves.size() != 0) {
        EXPECT_TRUE(seen.insert(block[i].imag()).second);
      }
    }
  }
}

TEST(RandomOrbitals, AreUniformAndDamped) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 4);
  double sum = 0, squares = 0;
  std::size_t count = 0;
  Waves block(40 * waves.size());
  random_orbitals(waves, seed, {0, 40}, block);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const double square = waves.squares()[i % waves.size()], factor = 1 + square * square;
    if (square == 0) continue;
    for (const double x : {block[i].real() * factor, block[i].imag() * factor}) {
      EXPECT_LT(std::abs(x), 1 + 1e-14);
      sum += x;
      squares += x * x;
      ++count;
    }
  }
  // The seed is fixed; with another one a false alarm, at five standard deviations, has the
  // probability 1e-6.
  const double n = static_cast<double>(count);
  EXPECT_LT(std::abs(sum / n), 5 * std::sqrt(1 / (3 * n)));
  EXPECT_LT(std::abs(squares / n - 1.0 / 3), 5 * std::sqrt(4 / (45 * n)));
}

/// By numbers whose damping is taken away: the same ones as those of random orbitals.
TEST(RandomOrbitals, DisturbOthersByAShare) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 3);
  Waves random(4 * waves.size());
  random_orbitals(waves, seed, {0, 4}, random);
  Waves block(2 * waves.size(), Complex(0.5, -0.25)), still = block;
  disturb_orbitals(waves, seed, 0.01, {2, 2}, block);
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t i = 0; i < waves.size(); ++i) {
      const double square = waves.squares()[i];
      const Complex number = random[(s + 2) * waves.size() + i] * (1 + square * square);
      const std::size_t at = s * waves.size() + i;
      EXPECT_LE(std::abs(block[at] - still[at] * (1.0 + 0.01 * number)), 1e-15);
      EXPECT_NE(block[at], still[at]);
    }
  disturb_orbitals(waves, seed, 0, {2, 2}, still);
  EXPECT_EQ(still, Waves(still.size(), Complex(0.5, -0.25)));
}

TEST(RandomOrbitals, RefuseIndicesThatDoNotFit) {
  const PlaneWaves far(test::skewed, {{1 << 20, 0, 0}});
  Waves block(1);
  EXPECT_THROW(random_orbitals(far, seed, {0, 1}, block), InternalError);
  EXPECT_THROW(random_orbitals(far, seed, {0, 2}, block), InternalError);
}

/// Two kinds, with s and p, and with f, d and s; and one without orbitals.
std::vector<std::vector<RadialTable>> kinds() {
  const auto table = [](int l, double radius) {
    return RadialTable(test::gth_projector(l, 1, radius).table(0.01, 600), 0.01, l);
  };
  return {{table(0, 0.9), table(1, 0.7)}, {}, {table(3, 0.8), table(2, 1), table(0, 0.6)}};
}
const std::vector<int> kind_of_ion = {2, 0, 1, 0};
const std::vector<Vec3> positions = {{1, 2, -3}, {0.1, 0.2, 7}, {4, 4, 4}, {-2, 0, 5}};

TEST(AtomicOrbitals, AreThoseOfTheTwinInTheirOrder) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 3);
  const std::vector<std::vector<RadialTable>> tables = kinds();
  const AtomicOrbitals orbitals(tables, kind_of_ion);
  ASSERT_EQ(orbitals.count(), 13 + 4 + 4);
  Waves block(orbitals.count() * waves.size()), right(waves.size());
  orbitals.write(waves, positions, {0, orbitals.count()}, block);
  std::size_t row = 0;
  for (std::size_t ion = 0; ion < positions.size(); ++ion)
    for (const RadialTable& table : tables[kind_of_ion[ion]])
      for (int m = -table.l(); m <= table.l(); ++m, ++row) {
        reference::atomic_orbital(waves, table, m, positions[ion], right);
        // Values below 2; roundings of phases up to 3 * 8 in the twin.
        for (std::size_t i = 0; i < waves.size(); ++i)
          EXPECT_LE(std::abs(block[row * waves.size() + i] - right[i]), 2e-14);
      }
}

/// The projectors of GTH have the norm 1; so have their waves, if there are enough.
TEST(AtomicOrbitals, HaveTheNormOfTheirTables) {
  const PlaneWaves waves = test::waves_up_to(test::cubic(14), 5.9);
  const AtomicOrbitals orbitals(
      {{RadialTable(test::gth_projector(0, 1, 1.0).table(0.01, 700), 0.01, 0),
        RadialTable(test::gth_projector(1, 1, 1.0).table(0.01, 700), 0.01, 1)}},
      std::vector{0});
  Waves block(orbitals.count() * waves.size());
  orbitals.write(waves, std::vector<Vec3>{{1, 2, 3}}, {0, 4}, block);
  for (std::size_t s = 0; s < 4; ++s) {
    double norm = 0;
    for (std::size_t i = 0; i < waves.size(); ++i)
      norm += (waves.squares()[i] == 0 ? 1 : 2) * std::norm(block[s * waves.size() + i]);
    // Images at 14 bohr overlap by exp(-14^2 / 4) = 5e-22, waves beyond 5.9 by exp(-35) times
    // their number.
    EXPECT_NEAR(norm, 1, 1e-12);
  }
}

TEST(AtomicOrbitals, DoNotDependOnSharesAndBlocks) {
  const PlaneWaves all = test::waves_up_to(test::skewed, 3);
  const AtomicOrbitals orbitals(kinds(), kind_of_ion);
  Waves whole(orbitals.count() * all.size());
  orbitals.write(all, positions, {0, orbitals.count()}, whole);
  for (int rank = 0; rank < 2; ++rank)
    for (const OrbitalRange range :
         {OrbitalRange{0, 3}, OrbitalRange{5, 14}, OrbitalRange{21, 0}}) {
      const PlaneWaves share = test::waves_up_to(test::skewed, 3, 2, rank);
      Waves block(range.count * share.size());
      orbitals.write(share, positions, range, block);
      for (std::size_t s = 0; s < range.count; ++s)
        for (std::size_t i = 0; i < share.size(); ++i)
          EXPECT_EQ(block[s * share.size() + i],
                    whole[(range.first + s) * all.size() + place_of(all, share.indices()[i])]);
    }
}

TEST(AtomicOrbitals, RefuseWhatCannotBe) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 3), far(test::cubic(0.5), {{0, 0, 1}});
  const AtomicOrbitals orbitals(kinds(), kind_of_ion);
  Waves block(waves.size()), one(1);
  EXPECT_THROW(AtomicOrbitals(kinds(), std::vector{3}), InternalError);
  EXPECT_THROW(orbitals.write(waves, positions, {21, 1}, block), InternalError);
  EXPECT_THROW(orbitals.write(waves, positions, {0, 2}, block), InternalError);
  EXPECT_THROW(orbitals.write(far, positions, {0, 1}, one), InputError);
}

}  // namespace
}  // namespace fg::electrons
