// SPDX-License-Identifier: BSD-3-Clause
//
// The reciprocal sum against OpenMM's Reference platform at the same coefficient, mesh and spline
// order (5, the only one it has), for a system with a net charge on a mesh with even and odd sizes.
// Origin of the numbers: openmm_pme_values.py beside this file.
#include <gtest/gtest.h>

#include "base/units.hpp"
#include "forces/mesh/ewald_constants.hpp"
#include "reference/forces/mesh/openmm_pme_values.hpp"
#include "support/classical/mesh_machine.hpp"
#include "support/references/forces/pme_reference.hpp"

namespace fg::test {
namespace {

constexpr double nm = 1 / units::bohr_in_nm;

// OpenMM's constant of Coulomb's law, 138.93545764438198 kJ/mol nm, and ours from CODATA 2018 agree
// to 1e-9.
constexpr double tolerance = 1e-8;

TEST(OpenmmPme, EnergyAndForces) {
  const Box box{Vec3{openmm::edges[0], openmm::edges[1], openmm::edges[2]} * nm};
  const MeshSettings settings{.box = box,
                              .mesh = {openmm::mesh[0], openmm::mesh[1], openmm::mesh[2]},
                              .order = 5,
                              .alpha = openmm::alpha / nm};
  Charges all;
  std::vector<Vec3> expected;
  for (std::size_t i = 0; i < std::size(openmm::charges); ++i) {
    const auto& r = openmm::positions[i];
    const auto& f = openmm::forces[i];
    all.positions.push_back(Vec3{r[0], r[1], r[2]} * nm);
    all.charges.push_back(openmm::charges[i]);
    expected.push_back(Vec3{f[0], f[1], f[2]} * (1 / units::force_in_kj_per_mol_nm));
  }
  const double constants = ewald_constants(all.charges, settings.alpha).energy(box);
  const auto in_kj = [&](double energy) {
    return (energy + constants) * units::hartree_in_kj_per_mol;
  };

  const auto twin = reference::pme(settings, all.positions, all.charges);
  EXPECT_NEAR(in_kj(twin.energy), openmm::energy, tolerance * std::abs(openmm::energy));
  EXPECT_LT(relative_rms(twin.forces, expected), tolerance);

  const auto mesh = run_mesh<double>({.settings = settings, .pencils = {2, 3}}, all);
  EXPECT_NEAR(in_kj(energy_scale.to_double(mesh.energy)), openmm::energy,
              tolerance * std::abs(openmm::energy));
  EXPECT_LT(relative_rms(mesh.forces, expected), tolerance);
}

TEST(OpenmmPme, BackgroundOfASingleIon) {
  const Box box{Vec3{openmm::edges[0], openmm::edges[1], openmm::edges[2]} * nm};
  const std::vector<double> charge{1};
  const std::vector<Vec3> place{Vec3{0.1, 0.2, 0.3} * nm};
  // The mesh is fine enough for 1e-8; the sum over waves is exact.
  const auto waves = reference::ewald_fourier(box, 3 / nm, {{20, 20, 20}, 0}, place, charge);
  const double energy = waves.energy + ewald_constants(charge, 3 / nm).energy(box);
  EXPECT_NEAR(energy * units::hartree_in_kj_per_mol, openmm::single_ion_energy,
              1e-6 * std::abs(openmm::single_ion_energy));
}

}  // namespace
}  // namespace fg::test
