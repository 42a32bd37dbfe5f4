// SPDX-License-Identifier: BSD-3-Clause
//
// The pressure of molecules is the derivative of the energy: whole systems, in boxes whose edges
// are multiplied while molecules keep their shape, axis by axis. Bonds, angles, torsions and
// exceptions between fragments, rigid waters, virtual sites of each kind. Units: Hartree atomic
// units.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "classical/evaluate.hpp"
#include "classical/patch_atoms.hpp"
#include "motion/kinetic.hpp"
#include "support/classical/water_job.hpp"
#include "support/strain.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

/// All atoms in one patch.
PatchAtoms gathered(const System& system, const State& state) {
  PatchAtoms atoms(system);
  atoms.settle(all_records(system, state));
  return atoms;
}

/// The molecules of several fragments at a state.
struct Whole {
  std::vector<Int3> images;
  std::vector<MoleculeCentre> centres;

  Whole(const System& system, const State& state)
      : images(images_of_whole_molecules(system, state)),
        centres(centres_of_molecules(system, state, images)) {}
  WholeMolecules molecules(const State& state) const {
    return {.box = state.bath.box, .images = images, .centres = centres};
  }
};

/// The motion in the pressure, of fragments and of molecules.
Virial motion_in_pressure(const System& system, const State& state, const PatchAtoms& atoms) {
  const Whole whole(system, state);
  CentreSums sums;
  EXPECT_EQ(atoms.sum_forces(whole.molecules(state), sums), -1);
  EXPECT_EQ(atoms.sum_motion(sums), -1);
  std::vector<MoleculeShare> all(static_cast<std::size_t>(system.molecules().size()));
  for (const MoleculeShare& share : sums.shares)
    all[static_cast<std::size_t>(share.molecule)].add(share);
  std::vector<MoleculeCentre> centres;
  centres.reserve(all.size());
  for (const MoleculeShare& share : all) centres.push_back(share.centre());
  add_centres(system.molecules(), centres, sums.motion, sums.inner_virial);
  return sums.motion;
}

State scaled_state(const System& system, const State& state, const Scaling& scaling) {
  PatchAtoms atoms = gathered(system, state);
  std::vector<Vec3> also(static_cast<std::size_t>(atoms.size()));
  const Whole whole(system, state);
  atoms.scale(scaling, whole.molecules(state), also);
  State result = state;
  for (int i = 0; i < atoms.size(); ++i) {
    result.position[atoms.id(i)] = atoms.position(i);
    result.velocity[atoms.id(i)] = atoms.velocity(i);
    result.image[atoms.id(i)] = atoms.image(i);
  }
  result.bath.box = scaled(state.bath.box, scaling.length);
  return result;
}

/// Everything is smooth here: Lennard-Jones ends with a switch, and at the cutoff the real part of
/// the Ewald sum is 1e-15 of a Coulomb energy. The mesh is too coarse for that, but its forces and
/// its virial are derivatives of its own energy, whatever its error.
Job smooth_job(const WaterJobOptions& options, bool charged) {
  Job job = water_job(options);
  auto& s = job.settings;
  s.switch_distance = 0.85 * s.cutoff;
  s.dispersion_coefficient = -3000;
  s.ewald_coefficient = 5.6 / s.cutoff;
  s.spline_order = 6;
  if (!charged) {
    s.electrostatics = Electrostatics::plain;
    for (double& charge : job.atoms.charge) charge = 0;
    for (ExceptionPair& pair : job.terms.of<ExceptionPair>()) pair.charge_product = 0;
  }
  return job;
}

/// Tilted; with virtual sites; with charges and a mesh.
class MoleculeStrain : public ::testing::TestWithParam<std::tuple<bool, bool, bool>> {};

TEST_P(MoleculeStrain, IsTheDerivativeOfTheEnergyAlongEachAxis) {
  const auto [tilted, sites, charged] = GetParam();
  Job job = smooth_job({.precision = Precision::double_precision,
                        .sites = sites,
                        .restraints = sites,
                        .tilted = tilted},
                       charged);
  // Some references follow the box, some do so in part.
  for (std::size_t i = 0; i < job.restraints.size(); ++i)
    job.restraints[i].anchor = job.restraints[i].reference * (i % 3 == 0 ? 1 : 0.5 * (i % 3));
  const System system(job);
  ASSERT_GT(system.molecules().size(), 0);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = 1, .pin = false, .profile = false}, output);
  const PotentialTerms potential(system);
  const auto here = evaluate(*machinery, output, system, state).totals;
  for (int axis = 0; axis < 3; ++axis) {
    const auto energy = [&](double strain) {
      Scaling scaling;
      scaling.length[axis] = std::exp(strain);
      const auto there = scaled_state(system, state, scaling);
      return sum(potential.of(evaluate(*machinery, output, system, there).totals));
    };
    const double measured = here.virial[axis] + here.inner_virial[axis] + here.dispersion;
    // Energies are rounded to about 1e-11, slopes then to 2e-7 in this step; virials are above 1.
    const double slope = sixth_order_slope(energy, 2e-4);
    EXPECT_GT(std::abs(slope), 0.1);
    EXPECT_NEAR(measured, -slope, 1e-6 * std::fmax(1, std::abs(slope))) << "axis " << axis;
    if (charged) {
      EXPECT_GT(std::abs(here.inner_virial[axis]), 1e-3) << "fragments without extent prove little";
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<bool, bool, bool>>& info) {
  const auto& [tilted, sites, charged] = info.param;
  return std::string(tilted ? "Tilted" : "Orthorhombic") + (sites ? "Sites" : "") +
         (charged ? "Mesh" : "Plain");
}

INSTANTIATE_TEST_SUITE_P(Cells, MoleculeStrain,
                         ::testing::Values(std::tuple(false, false, true),
                                           std::tuple(false, true, true),
                                           std::tuple(true, true, true),
                                           std::tuple(true, false, false)),
                         name_of);

/// The momenta of molecules get the inverse factors, their inner motion does not change: the
/// kinetic energy changes by sum (1 / f^2 - 1) / 2 of the motion that the pressure has. The factor
/// of all velocities comes on top.
TEST(ScaledMolecules, ChangeTheirKineticEnergyByTheMotionInThePressure) {
  const Job job = smooth_job({.sites = true, .tilted = true}, true);
  const System system(job);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  PatchAtoms atoms = gathered(system, state);
  const double before = kinetic_energy(atoms.moving());
  const Virial motion = motion_in_pressure(system, state, atoms);
  const Vec3 factors{1.01, 0.98, 1.003};
  std::vector<Vec3> also(static_cast<std::size_t>(atoms.size()));
  const Whole whole(system, state);
  atoms.scale({.length = factors, .velocity = 1.1}, whole.molecules(state), also);
  State after = state;
  for (int i = 0; i < atoms.size(); ++i) after.velocity[atoms.id(i)] = atoms.velocity(i);
  const Virial moved = motion_in_pressure(system, after, atoms);
  double change = 0;
  for (int axis = 0; axis < 3; ++axis) {
    change +=
        0.5 * (1 / (factors[axis] * factors[axis]) - 1) * motion[static_cast<std::size_t>(axis)];
    const auto a = static_cast<std::size_t>(axis);
    EXPECT_NEAR(moved[a], 1.21 / (factors[axis] * factors[axis]) * motion[a], 1e-10 * motion[a]);
  }
  EXPECT_NEAR(kinetic_energy(atoms.moving()), 1.21 * (before + change), 1e-10 * before);
}

TEST(ScaledMolecules, KeepTheirShape) {
  const Job job = smooth_job({.sites = true}, true);
  const System system(job);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  const State after = scaled_state(system, state, {.length = {1.05, 0.9, 1.1}});
  double moved = 0;
  for (int i = 1; i < job.atoms.size(); ++i) {
    const Vec3 then = state.position[i] - state.position[i - 1];
    const Vec3 now = after.position[i] - after.position[i - 1];
    const auto& fragments = system.fragments();
    const int molecule = system.molecules().of_fragment(fragments.of_atom(i));
    if (fragments.of_atom(i) == fragments.of_atom(i - 1) ||
        (molecule >= 0 && molecule == system.molecules().of_fragment(fragments.of_atom(i - 1))))
      EXPECT_LT(norm(now - then), 1e-11);  // box edges are 47 bohr: 1e-14 of rounding each
    else
      moved = std::fmax(moved, norm(now - then));
  }
  EXPECT_GT(moved, 0.1);
}

}  // namespace
}  // namespace fg::test
