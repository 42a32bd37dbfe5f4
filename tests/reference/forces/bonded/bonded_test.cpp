// SPDX-License-Identifier: BSD-3-Clause
//
// Bonded energies by term and forces of a small chain against OpenMM's Reference platform.
#include <gtest/gtest.h>

#include <vector>

#include "base/units.hpp"
#include "forces/bonded/bonded_workset.hpp"

namespace fg::test {
namespace {

#include "openmm_bonded.inc"

// CODATA's constants differ between the programs in the tenth digit at most.
constexpr double relative = 1e-9;
constexpr double nm = 1 / units::bohr_in_nm;
constexpr double kj_per_mol = 1 / units::hartree_in_kj_per_mol;

TEST(BondedReference, EnergiesAndForcesAreOpenMMs) {
  BondedTerms all;
  for (const auto& t : bonds)
    all.of<HarmonicBond>().push_back(
        {{int(t[0]), int(t[1])}, t[2] * nm, t[3] * kj_per_mol / (nm * nm)});
  for (const auto& t : angles)
    all.of<HarmonicAngle>().push_back({{int(t[0]), int(t[1]), int(t[2])}, t[3], t[4] * kj_per_mol});
  for (const auto& t : gromos_bonds)
    all.of<GromosBond>().push_back(
        {{int(t[0]), int(t[1])}, t[2] * nm, t[3] * kj_per_mol / (nm * nm * nm * nm)});
  for (const auto& t : gromos_angles)
    all.of<GromosAngle>().push_back({{int(t[0]), int(t[1]), int(t[2])}, t[3], t[4] * kj_per_mol});
  for (const auto& t : torsions)
    all.of<PeriodicTorsion>().push_back(
        {{int(t[0]), int(t[1]), int(t[2]), int(t[3])}, int(t[4]), t[5], t[6] * kj_per_mol});
  for (const auto& t : ryckaert_bellemans)
    all.of<RyckaertBellemans>().push_back({{int(t[0]), int(t[1]), int(t[2]), int(t[3])},
                                           t[4] * kj_per_mol,
                                           t[5] * kj_per_mol,
                                           t[6] * kj_per_mol,
                                           t[7] * kj_per_mol,
                                           t[8] * kj_per_mol,
                                           t[9] * kj_per_mol});
  for (const auto& t : harmonic_torsions)
    all.of<HarmonicTorsion>().push_back(
        {{int(t[0]), int(t[1]), int(t[2]), int(t[3])}, t[4], t[5] * kj_per_mol});
  all.shared<Cmap>().size.assign(std::begin(map_sizes), std::end(map_sizes));
  for (const double energy : map_energies) all.shared<Cmap>().energy.push_back(energy * kj_per_mol);
  for (const auto& t : cmaps)
    all.of<Cmap>().push_back({{int(t[0]), int(t[1]), int(t[2]), int(t[3]), int(t[4])}, int(t[5])});
  ASSERT_FALSE(all.shared<Cmap>().complaint(all.of<Cmap>()));
  for (const auto& t : exceptions)
    all.of<ExceptionPair>().push_back({{int(t[0]), int(t[1])}, t[2], t[3] * nm, t[4] * kj_per_mol});

  constexpr int atoms = 6;
  const std::int32_t ids[atoms] = {0, 1, 2, 3, 4, 5};
  std::vector<Vec3> x, f(atoms);
  for (const auto& p : positions_nm) x.push_back(nm * Vec3{p[0], p[1], p[2]});
  const TermIndex index(all, atoms);
  BondedWorkset work(all, index, {0, 0, 0}, {1, 1, 1});
  const BlockPart part{{0, 0, 0}, ids};
  work.rebuild({&part, 1}, {{100, 100, 100}});
  const BondedSums sums = work.add_forces_and_sums(x, f);

  const double got[6] = {
      sums.energy[energy_term("bond")],    sums.energy[energy_term("angle")],
      sums.energy[energy_term("torsion")], sums.energy[energy_term("improper")],
      sums.energy[energy_term("cmap")],    sums.energy[energy_term("exception")]};
  const double expected[6] = {energies_kj_per_mol[0] + energies_kj_per_mol[7],
                              energies_kj_per_mol[1] + energies_kj_per_mol[8],
                              energies_kj_per_mol[2] + energies_kj_per_mol[4],
                              energies_kj_per_mol[5],
                              energies_kj_per_mol[6],
                              energies_kj_per_mol[3]};
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(got[i] / kj_per_mol, expected[i], relative * std::abs(expected[i])) << i;
  for (int i = 0; i < atoms; ++i)
    for (int axis = 0; axis < 3; ++axis)  // of the largest force, about 1e4 kJ/mol/nm
      EXPECT_NEAR(f[i][axis] * units::force_in_kj_per_mol_nm, forces_kj_per_mol_nm[i][axis],
                  relative * 1e4);
}

}  // namespace
}  // namespace fg::test
