// SPDX-License-Identifier: BSD-3-Clause
//
// The mesh as objects gives the energy, virial and forces of its plain reference, and the same bits
// for any number of PEs and any placement.
// Units: bohr, hartree.
#include <gtest/gtest.h>

#include "support/classical/mesh_machine.hpp"
#include "support/references/forces/pme_reference.hpp"

namespace fg::test {
namespace {

struct Shape {
  std::array<int, 3> patches;
  std::array<int, 2> pencils;
};

class MeshObjects : public ::testing::TestWithParam<Shape> {
 protected:
  MeshSettings settings_{.box = {{30, 32, 28}}, .mesh = {20, 21, 18}, .order = 5, .alpha = 0.2};
  Charges charges_ = random_charges(settings_.box, 300, 11);

  MeshRun machine(int order, int pes, bool scattered,
                  InfluenceFunction influence = InfluenceFunction::smooth) const {
    MeshRun run{.settings = settings_,
                .patches = GetParam().patches,
                .pencils = GetParam().pencils,
                .pes = pes,
                .steps = 3,
                .scattered = scattered};
    run.settings.order = order;
    run.settings.influence = influence;
    return run;
  }

  template <class Real>
  void expect_twin(double tolerance) const {
    for (auto [order, influence] : {std::pair{4, InfluenceFunction::smooth},
                                    {5, InfluenceFunction::smooth},
                                    {6, InfluenceFunction::smooth},
                                    {8, InfluenceFunction::smooth},
                                    {4, InfluenceFunction::optimal},
                                    {8, InfluenceFunction::optimal}}) {
      const MeshRun run = machine(order, 2, false, influence);
      const auto twin = reference::pme(run.settings, charges_.positions, charges_.charges);
      const auto mesh = run_mesh<Real>(run, charges_);
      ASSERT_EQ(mesh.deposits, 3 * run.pencils[0] * run.pencils[1]);
      EXPECT_LT(relative_rms(mesh.forces, twin.forces), tolerance) << "order " << order;
      EXPECT_NEAR(energy_scale.to_double(mesh.energy) / 3, twin.energy, tolerance * twin.energy);
      for (int c = 0; c < 6; ++c)
        EXPECT_NEAR(energy_scale.to_double(mesh.virial[c]) / 3, twin.virial[c],
                    tolerance * twin.energy)
            << "component " << c;
    }
  }

  template <class Real>
  void expect_same_bits(InfluenceFunction influence = InfluenceFunction::smooth) const {
    const auto first = run_mesh<Real>(machine(4, 1, false, influence), charges_);
    for (int pes : {1, 2, 3, 4})
      for (bool scattered : {false, true}) {
        const auto other = run_mesh<Real>(machine(4, pes, scattered, influence), charges_);
        EXPECT_EQ(first.energy, other.energy) << pes << " PEs";
        EXPECT_EQ(first.virial, other.virial) << pes << " PEs";
        EXPECT_EQ(first.forces, other.forces) << pes << " PEs";
      }
  }
};

// Double: the charges' fixed point has steps of 9e-13 e on points that hold about 0.05 e, and the
// forces are smaller than the sums they come from; 1e-10 leaves a factor of ten.
TEST_P(MeshObjects, DoubleEqualsTheReference) {
  expect_twin<double>(1e-10);
}

// Single precision: 6e-8 per operation, in sums of order^3 terms of both signs and transforms.
TEST_P(MeshObjects, MixedEqualsTheReference) {
  expect_twin<float>(3e-6);
}

TEST_P(MeshObjects, DoubleHasTheSameBitsOnAnyPes) {
  expect_same_bits<double>();
}
TEST_P(MeshObjects, MixedHasTheSameBitsOnAnyPes) {
  expect_same_bits<float>();
}
TEST_P(MeshObjects, TheOptimalInfluenceFunctionHasTheSameBitsOnAnyPes) {
  expect_same_bits<double>(InfluenceFunction::optimal);
}

INSTANTIATE_TEST_SUITE_P(Shapes, MeshObjects,
                         ::testing::Values(Shape{{1, 1, 1}, {1, 1}}, Shape{{1, 1, 1}, {3, 2}},
                                           Shape{{2, 2, 2}, {2, 2}}, Shape{{3, 4, 5}, {3, 2}},
                                           Shape{{3, 4, 5}, {5, 4}}));

TEST(MeshObject, NamesTheAtomThatLeftItsPatch) {
  MeshRun run{.settings = {.box = {{30, 30, 30}}, .mesh = {24, 24, 24}, .order = 4, .alpha = 0.2}};
  Charges charges = random_charges(run.settings.box, 40, 3);
  charges.positions[17] = {31.9, 5, 5};  // holding() puts it into the last patch along x
  try {
    run_mesh<float>(run, charges);
    FAIL() << "accepted";
  } catch (const NumericsError& error) {
    EXPECT_NE(std::string(error.what()).find("atom 18"), std::string::npos) << error.what();
  }
}

TEST(MeshObject, WorksWithPatchesWithoutAtoms) {
  MeshRun run{.settings = {.box = {{30, 30, 30}}, .mesh = {24, 24, 24}, .order = 4, .alpha = 0.2},
              .patches = {3, 3, 3}};
  const Charges charges = random_charges(run.settings.box, 3, 5);
  const auto twin = reference::pme(run.settings, charges.positions, charges.charges);
  const auto mesh = run_mesh<double>(run, charges);
  EXPECT_LT(relative_rms(mesh.forces, twin.forces), 1e-10);  // as above
}

}  // namespace
}  // namespace fg::test
