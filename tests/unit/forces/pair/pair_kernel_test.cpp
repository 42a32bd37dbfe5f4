// SPDX-License-Identifier: BSD-3-Clause
//
// Every variant of the pair kernel on every SIMD target of this machine against the plain
// double-precision reference: forces, energies by term and virial, on grids with one, two and more
// patches per axis.
#include "forces/pair/pair_kernel.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "support/classical/pair_system.hpp"
#include "support/each_simd_target.hpp"
#include "support/references/forces/pair_reference.hpp"
#include "support/same_on_each_target.hpp"

namespace fg {
namespace {

struct Case {
  std::string name;
  PairSettings settings;
};

std::vector<Case> cases() {
  constexpr double rc = 14.0;
  PairSettings base{.cutoff = rc, .list_cutoff = 16.0, .inner_list_cutoff = 14.7};
  std::vector<Case> all;
  struct Switch {
    double distance;
    Switching kind;
    const char* name;
  };
  for (const auto& [distance, kind, name] : {Switch{0, Switching::potential, ""},
                                             {11.5, Switching::potential, ", switched"},
                                             {11.5, Switching::force, ", force switched"}}) {
    const std::string tail = name;
    PairSettings s = base;
    s.switch_distance = distance;
    s.switching = kind;
    // One alpha * cutoff for each number of terms of the fits.
    for (const double z : {2.6, 3.15, 3.6, 5.0}) {
      s.coulomb = Coulomb::ewald;
      s.ewald_coefficient = z / rc;
      all.push_back({"ewald " + std::to_string(z) + tail, s});
    }
    s.coulomb = Coulomb::reaction_field;
    s.reaction_field_dielectric = 78.3;
    all.push_back({"reaction field" + tail, s});
    s.coulomb = Coulomb::plain;
    all.push_back({"plain" + tail, s});
  }
#ifdef __SANITIZE_ADDRESS__
  // All cases take 20 minutes with this sanitizer. A third of them has each kind of switch and each
  // kind of electrostatics.
  const std::size_t kinds = all.size() / 3;
  std::vector<Case> few;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (k % kinds % 3 == k / kinds) few.push_back(all[k]);
  return few;
#else
  return all;
#endif
}

using PairKernelTargets = test::EachSimdTarget;

/// What every target, precision and kind of bits is compared with; worked out once for each case.
const test::PairResult& reference_of(const Case& c, int variants, const test::PairSystem& system) {
  static std::map<std::pair<std::string, int>, test::PairResult> all;
  const auto [found, is_new] = all.try_emplace({c.name, variants});
  test::PairResult& reference = found->second;
  if (is_new) {
    reference.forces.resize(system.positions.size());
    reference.energies = pair_reference(c.settings, system.atoms, system.exclusions, system.box,
                                        system.positions, reference.forces);
  }
  return reference;
}

template <class Real>
void compare_with_reference(double force_tolerance, double energy_tolerance, int variants = 0,
                            Bits bits = Bits::fast) {
  test::PairSystem system = test::make_water({5, 6, 9}, 11);
  if (variants > 0) test::give_types(system, variants);
  for (Case c : cases()) {
    c.settings.bits = bits;
    const test::PairResult& reference = reference_of(c, variants, system);
    const double scale = test::rms(reference.forces);
    struct Cut {
      std::array<int, 3> shape;
      PatchOffset reach{1, 1, 1};
      PairAssignment assignment = PairAssignment::half_shell;
    };
    for (const auto& [shape, reach, assignment] :
         {Cut{{1, 1, 1}}, Cut{{1, 2, 3}}, Cut{{2, 2, 6}, {2, 1, 2}},
          Cut{{2, 2, 6}, {2, 1, 2}, PairAssignment::midpoint}}) {
      auto patched =
          assignment == PairAssignment::midpoint
              ? test::PatchedSystem<Real>(system, shape, c.settings,
                                          MidpointCells(PatchGrid(system.box, shape), reach))
              : test::PatchedSystem<Real>(system, shape, c.settings, {}, HalfShell(reach));
      const test::PairResult result = patched.run(true);
      EXPECT_LT(test::rms_difference(result.forces, reference.forces) / scale, force_tolerance)
          << c.name << ", " << shape[2] << " patches";
      const double unit = std::abs(reference.energies.coulomb);
      EXPECT_NEAR(result.energies.coulomb, reference.energies.coulomb, energy_tolerance * unit)
          << c.name;
      EXPECT_NEAR(result.energies.lennard_jones, reference.energies.lennard_jones,
                  energy_tolerance * std::abs(reference.energies.lennard_jones))
          << c.name;
      double virial_unit = 0;
      for (int k = 0; k < 3; ++k) virial_unit += std::abs(reference.energies.virial[k]);
      for (int k = 0; k < 6; ++k)
        EXPECT_NEAR(result.energies.virial[k], reference.energies.virial[k],
                    10 * energy_tolerance * virial_unit)
            << c.name << ", component " << k;

      // Steps with and without energies must follow one trajectory: the same bits.
      patched.move(system.positions);
      const test::PairResult forces_only = patched.run(false);
      EXPECT_EQ(forces_only.forces, result.forces) << c.name;
    }
  }
}

TEST_P(PairKernelTargets, MixedAgreesWithReference) {
  // Coordinates of magnitude 30 bohr in single precision are off by 1e-6 bohr, which is 2e-6 of the
  // repulsion of two atoms in contact; the largest Ewald fit adds up to 4e-6.
  compare_with_reference<float>(5e-6, 5e-6);
}

TEST_P(PairKernelTargets, DoubleAgreesWithReference) {
  // The Ewald fit's own error, at most 1e-11 of the interaction at contact.
  compare_with_reference<double>(1e-11, 1e-11);
}

TEST_P(PairKernelTargets, TablesOfPairsAgreeWithReference) {
  // Tables of 3, 24, 48 and 96 types, for each way to look them up.
  for (const int variants : {1, 8, 16, 32}) compare_with_reference<float>(5e-6, 5e-6, variants);
  compare_with_reference<double>(1e-11, 1e-11, 8);
}

TEST_P(PairKernelTargets, PortableBitsAgreeWithReference) {
  for (const int variants : {0, 8})
    compare_with_reference<float>(5e-6, 5e-6, variants, Bits::portable);
  compare_with_reference<double>(1e-11, 1e-11, 0, Bits::portable);
}

FG_ON_EACH_SIMD_TARGET(PairKernelTargets);

struct Bitwise {
  std::vector<Vec3> forces;
  std::array<double, 2> energies;
  std::array<double, 6> virial;
  bool operator==(const Bitwise&) const = default;
};

template <class Real>
void expect_same_bits(int variants) {
  test::PairSystem system = test::make_water({5, 6, 9}, 11);
  if (variants > 0) test::give_types(system, variants);
  for (Case c : cases()) {
    SCOPED_TRACE(c.name);
    c.settings.bits = Bits::portable;
    test::same_on_each_target([&] {
      test::PatchedSystem<Real> patched(system, {1, 2, 3}, c.settings);
      const test::PairResult r = patched.run(true);
      patched.move(system.positions);
      EXPECT_EQ(patched.run(false).forces, r.forces);
      return Bitwise{r.forces, {r.energies.coulomb, r.energies.lennard_jones}, r.energies.virial};
    });
  }
}

TEST(PortablePairKernel, MixedHasTheSameBitsOnEachTarget) {
  for (const int variants : {0, 1, 16, 32}) expect_same_bits<float>(variants);
}
TEST(PortablePairKernel, DoubleHasTheSameBitsOnEachTarget) {
  for (const int variants : {0, 8}) expect_same_bits<double>(variants);
}

}  // namespace
}  // namespace fg
