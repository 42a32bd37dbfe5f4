// SPDX-License-Identifier: BSD-3-Clause
//
// Properties of the reciprocal sum: forces are minus the gradient of the energy, the virial is
// minus its derivative by the strain of the box, and the division into patches and pencils does not
// matter. Smooth PME interpolates the gradient of its own energy, so the first holds to rounding.
// The allowed errors of differences come from Richardson's estimate. Units: bohr, hartree.
#include <gtest/gtest.h>

#include <cmath>

#include "forces/mesh/pme_reference.hpp"
#include "support/mesh_machine.hpp"

namespace fg::test {
namespace {

class MeshGradient : public ::testing::TestWithParam<int> {
 protected:
  MeshSettings settings_{
      .box = {{22, 24, 20}}, .mesh = {16, 18, 15}, .order = GetParam(), .alpha = 0.25};
  Charges charges_ = random_charges(settings_.box, 40, 21);

  double energy(const MeshSettings& settings, const std::vector<Vec3>& positions) const {
    return reference::pme(settings, positions, charges_.charges).energy;
  }
};

/// f'(0) by central differences, with an estimate of its error.
template <class Function>
std::pair<double, double> slope_of(Function&& f, double h) {
  const auto slope = [&](double step) { return (f(step) - f(-step)) / (2 * step); };
  const double fine = slope(h), coarse = slope(2 * h);
  const double round_off = 1e-16 * 40 * std::abs(f(0)) / h;
  return {fine, 2 * std::abs(coarse - fine) / 3 + 8 * round_off};
}

TEST_P(MeshGradient, ForcesOfTheReferenceAreMinusTheGradient) {
  const auto twin = reference::pme(settings_, charges_.positions, charges_.charges);
  const Charges directions = random_charges({{2, 2, 2}}, 40, 22);
  double along = 0;
  for (int i = 0; i < 40; ++i)
    along += dot(twin.forces[i], directions.positions[i] - Vec3{1, 1, 1});
  const auto [slope, allowed] = slope_of(
      [&](double step) {
        auto moved = charges_.positions;
        for (int i = 0; i < 40; ++i) moved[i] += (directions.positions[i] - Vec3{1, 1, 1}) * step;
        return energy(settings_, moved);
      },
      1e-3);
  ASSERT_LT(allowed, 1e-6 * std::abs(along) + 1e-8) << "not smooth here";
  EXPECT_NEAR(slope, -along, allowed);
}

TEST_P(MeshGradient, ForcesOfTheObjectsAreMinusTheGradient) {
  const auto at = [&](double step) {
    Charges moved = charges_;
    moved.positions[7] += Vec3{0.6, -0.5, 0.62} * step;
    return run_mesh<double>({.settings = settings_}, moved);
  };
  const double along = dot(at(0).forces[7], Vec3{0.6, -0.5, 0.62});
  const auto [slope, allowed] =
      slope_of([&](double step) { return energy_scale.to_double(at(step).energy); }, 1e-2);
  // The energy of each of 4 pencils has a step of 1.5e-11; the charges' steps add as much.
  EXPECT_NEAR(slope, -along, allowed + 1e-10 / 1e-2);
}

TEST_P(MeshGradient, VirialIsMinusTheDerivativeByStrain) {
  const auto twin = reference::pme(settings_, charges_.positions, charges_.charges);
  for (int axis = 0; axis < 3; ++axis) {
    const auto [slope, allowed] = slope_of(
        [&](double strain) {
          MeshSettings strained = settings_;
          strained.box.edge[axis] *= 1 + strain;
          auto moved = charges_.positions;
          for (auto& position : moved) position[axis] *= 1 + strain;
          return energy(strained, moved);
        },
        1e-4);
    EXPECT_NEAR(twin.virial[axis], -slope, allowed) << "axis " << axis;
  }
}

TEST_P(MeshGradient, CutDoesNotMatter) {
  const auto whole =
      run_mesh<double>({.settings = settings_, .patches = {1, 1, 1}, .pencils = {1, 1}}, charges_);
  const auto cut =
      run_mesh<double>({.settings = settings_, .patches = {2, 3, 1}, .pencils = {3, 4}}, charges_);
  // Another order of sums within and between patches, rounded to the charges' steps of 9e-13.
  EXPECT_LT(relative_rms(cut.forces, whole.forces), 1e-10);
  EXPECT_NEAR(energy_scale.to_double(cut.energy), energy_scale.to_double(whole.energy), 1e-9);
}

TEST_P(MeshGradient, MovingEverythingByMeshSpacingsChangesNothing) {
  const auto here = reference::pme(settings_, charges_.positions, charges_.charges);
  auto moved = charges_.positions;
  const Vec3 shift{3 * settings_.box.edge.x / 16, -7 * settings_.box.edge.y / 18,
                   20 * settings_.box.edge.z / 15};
  for (auto& position : moved) position += shift;
  const auto there = reference::pme(settings_, moved, charges_.charges);
  EXPECT_NEAR(there.energy, here.energy, 1e-12 * 40);  // rounding of 40 scaled coordinates
  EXPECT_LT(relative_rms(there.forces, here.forces), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Orders, MeshGradient, ::testing::Values(4, 5, 6, 8));

}  // namespace
}  // namespace fg::test
