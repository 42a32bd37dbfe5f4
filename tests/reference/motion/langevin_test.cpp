// SPDX-License-Identifier: BSD-3-Clause
//
// A hundred steps of the Langevin integrator without noise, with a rigid water and a rigid CH3,
// against OpenMM's LangevinMiddleIntegrator.
#include "motion/langevin.hpp"

#include <gtest/gtest.h>

#include "support/classical/moving_systems.hpp"

namespace fg::test {
namespace {

#include "openmm_langevin.inc"

TEST(LangevinReference, FollowsOpenMM) {
  constexpr double nm = 1 / units::bohr_in_nm, ps = 1 / units::time_in_ps;
  constexpr double stiffness = spring / units::hartree_in_kj_per_mol / (nm * nm);
  constexpr int atoms = 7;
  SmallSystem system;
  for (int i = 0; i < atoms; ++i) {
    system.position.push_back(nm * Vec3{start_nm[i][0], start_nm[i][1], start_nm[i][2]});
    system.mass.push_back(masses[i] * dalton);
    system.fragment.push_back(i < 3 ? 0 : 1);
  }
  system.topology.waters.push_back({{0, 1, 2}, r_oh * nm, r_hh * nm});
  for (int h = 4; h < atoms; ++h) system.topology.constraints.push_back({{3, h}, r_ch * nm});
  const PatchConstraints constraints = place_all(system, 1e-13);
  const LangevinParameters parameters{timestep * ps, 0.0, friction / ps, 1};
  double heat = 0;
  for (int step = 1; step <= steps; ++step) {
    for (int i = 0; i < atoms; ++i) {
      const int slot = system.slot_of_atom[i];
      const Vec3 anchor =
          system.position[i] + nm * Vec3{0.02 * (i % 3 - 1), 0.015 * (i % 2), -0.01 * i};
      system.atoms.set_force(slot, -stiffness * (system.atoms.position_of(slot) - anchor));
    }
    ASSERT_TRUE(langevin_middle_step(system.atoms, constraints, parameters, step, heat).ok());
  }
  for (int i = 0; i < atoms; ++i) {
    const Vec3 end = system.atoms.position_of(system.slot_of_atom[i]);
    // CODATA's constants differ in the tenth digit; the atoms move about 0.1 nm over about ten
    // radians of phase.
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(end[axis] / nm, end_nm[i][axis], 1e-9);
  }
}

}  // namespace
}  // namespace fg::test
