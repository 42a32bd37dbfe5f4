// SPDX-License-Identifier: BSD-3-Clause
//
// The pair kernels' forces are minus the gradient of their own energies, and sum to zero.
#include <gtest/gtest.h>

#include <numeric>

#include "support/classical/pair_system.hpp"

namespace fg {
namespace {

PairSettings settings(Coulomb coulomb, double switch_distance,
                      Switching switching = Switching::potential) {
  return {.cutoff = 12.0,
          .switch_distance = switch_distance,
          .switching = switching,
          .coulomb = coulomb,
          .ewald_coefficient = 0.25,
          .reaction_field_dielectric = 78.3,
          .list_cutoff = 13.0,
          .inner_list_cutoff = 12.4};
}

double energy(const PairEnergies& e) {
  return e.lennard_jones + e.coulomb;
}

class PairGradient : public testing::TestWithParam<Coulomb> {};

void compare_with_gradient(const test::PairSystem& system, const PairSettings& settings) {
  // Lennard-Jones is switched, so no Lennard-Jones pair jumps at the cutoff. A Coulomb pair that
  // crosses it jumps by at most erfc(3)/12 = 2e-6 hartree. The displacement is so short that such a
  // pair is rare; this seed has none.
  test::PatchedSystem<double> patched(system, {1, 2, 1}, settings);
  const test::PairResult at = patched.run(true);
  constexpr double h = 1e-4;
  for (const std::int32_t atom : {0, 7, 100, 155, 371}) {
    for (int axis = 0; axis < 3; ++axis) {
      double slope = 0;
      for (const int sign : {-1, 1}) {
        std::vector<Vec3> moved = system.positions;
        moved[atom][axis] += sign * h;
        patched.move(moved);
        slope += sign * energy(patched.run(true).energies) / (2 * h);
      }
      // Third derivatives of repulsion at contact are about 1: the difference is off by h^2.
      EXPECT_NEAR(-slope, at.forces[atom][axis], 1e-7) << atom << " " << axis;
    }
  }
}

TEST_P(PairGradient, ForcesAreMinusTheGradient) {
  compare_with_gradient(test::make_water({5, 5, 5}, 31), settings(GetParam(), 10.0));
}

TEST_P(PairGradient, ForcesByATableOfPairsAreMinusTheGradient) {
  test::PairSystem system = test::make_water({5, 5, 5}, 31);
  test::give_types(system);
  for (const Switching switching : {Switching::potential, Switching::force})
    compare_with_gradient(system, settings(GetParam(), 10.0, switching));
}

TEST_P(PairGradient, SwitchedForcesAreMinusTheGradient) {
  compare_with_gradient(test::make_water({5, 5, 5}, 31),
                        settings(GetParam(), 10.0, Switching::force));
}

TEST_P(PairGradient, ForcesSumToZero) {
  const test::PairSystem system = test::make_water({5, 5, 5}, 32);
  test::PatchedSystem<double> patched(system, {2, 1, 2}, settings(GetParam(), 10.0));
  const test::PairResult at = patched.run(true);
  const Vec3 total = std::accumulate(at.forces.begin(), at.forces.end(), Vec3{});
  // Rounding of 375 forces of about 0.1.
  EXPECT_LT(norm(total), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PairGradient,
                         testing::Values(Coulomb::ewald, Coulomb::reaction_field),
                         [](const auto& info) {
                           return info.param == Coulomb::ewald ? "Ewald" : "ReactionField";
                         });

}  // namespace
}  // namespace fg
