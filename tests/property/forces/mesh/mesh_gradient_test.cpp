// SPDX-License-Identifier: BSD-3-Clause
//
// Properties of the reciprocal sum: forces are minus the gradient of the energy, the virial is
// minus its derivative by the strain of the cell, and the division into patches and pencils does
// not matter. The mesh interpolates the gradient of its own energy, with either influence function,
// so the first holds to rounding. The allowed errors of differences come from Richardson's
// estimate. Units: bohr, hartree.
#include <gtest/gtest.h>

#include <cmath>

#include "support/cells.hpp"
#include "support/classical/mesh_machine.hpp"
#include "support/references/forces/pme_reference.hpp"
#include "support/strain.hpp"

namespace fg::test {
namespace {

class MeshGradient : public ::testing::TestWithParam<std::tuple<int, Box, InfluenceFunction>> {
 protected:
  MeshSettings settings_{.box = std::get<1>(GetParam()),
                         .mesh = {16, 18, 15},
                         .order = std::get<0>(GetParam()),
                         .alpha = 0.25,
                         .influence = std::get<2>(GetParam())};
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
  const auto objects = run_mesh<double>({.settings = settings_}, charges_);
  double size = 0;
  for (const double w : twin.virial) size = std::max(size, std::abs(w));
  for (int component = 0; component < 6; ++component) {
    const double slope = sixth_order_slope(
        [&](double strain) {
          MeshSettings settings = settings_;
          settings.box = strained(settings_.box, component, strain);
          auto moved = charges_.positions;
          for (auto& position : moved) position = strained(position, component, strain);
          return energy(settings, moved);
        },
        1e-3);
    // The sum over 4320 waves is rounded at 1e-14 of its largest terms, and that over the step;
    // h^6 / 140 times the seventh derivative is below 1e-12 even if that is 1e8 times the slope.
    EXPECT_NEAR(twin.virial[component], -slope, 1e-10 * size) << component;
    // Charges are rounded to steps of 9e-13, the parts of the virial to steps of 1.5e-11.
    EXPECT_NEAR(energy_scale.to_double(objects.virial[component]), twin.virial[component], 1e-9)
        << component;
  }
}

TEST_P(MeshGradient, CutDoesNotMatter) {
  const auto whole =
      run_mesh<double>({.settings = settings_, .patches = {1, 1, 1}, .pencils = {1, 1}}, charges_);
  const auto division =
      run_mesh<double>({.settings = settings_, .patches = {2, 3, 1}, .pencils = {3, 4}}, charges_);
  // Another order of sums within and between patches, rounded to the charges' steps of 9e-13.
  EXPECT_LT(relative_rms(division.forces, whole.forces), 1e-10);
  EXPECT_NEAR(energy_scale.to_double(division.energy), energy_scale.to_double(whole.energy), 1e-9);
}

TEST_P(MeshGradient, MovingEverythingByMeshSpacingsChangesNothing) {
  const auto here = reference::pme(settings_, charges_.positions, charges_.charges);
  auto moved = charges_.positions;
  const Vec3 shift = settings_.box.position(Vec3{3.0 / 16, -7.0 / 18, 20.0 / 15});
  for (auto& position : moved) position += shift;
  const auto there = reference::pme(settings_, moved, charges_.charges);
  EXPECT_NEAR(there.energy, here.energy, 1e-12 * 40);  // rounding of 40 scaled coordinates
  EXPECT_LT(relative_rms(there.forces, here.forces), 1e-12);
}

TEST_P(MeshGradient, ASumOverWavesAgrees) {
  // A smooth sum on a fine mesh: exp(-pi^2 m^2 / alpha^2) is 1e-9 at the mesh's highest wave, and
  // splines of order 8 err by less than 1e-5 of a force.
  MeshSettings fine = settings_;
  fine.mesh = {36, 40, 35};
  fine.order = 8;
  const auto mesh = reference::pme(fine, charges_.positions, charges_.charges);
  const auto exact = reference::ewald_fourier(fine.box, fine.alpha, {{14, 14, 14}, 0},
                                              charges_.positions, charges_.charges);
  EXPECT_NEAR(mesh.energy, exact.energy, 1e-6 * exact.energy);
  EXPECT_LT(relative_rms(mesh.forces, exact.forces), 1e-5);
  for (int c = 0; c < 6; ++c)
    EXPECT_NEAR(mesh.virial[c], exact.virial[c], 1e-5 * exact.energy) << c;
}

INSTANTIATE_TEST_SUITE_P(
    OrdersAndCells, MeshGradient,
    ::testing::Combine(::testing::Values(4, 5, 6, 8),
                       ::testing::Values(Box{{22, 24, 20}}, truncated_octahedron(26),
                                         skew_cell(23)),
                       ::testing::Values(InfluenceFunction::smooth, InfluenceFunction::optimal)));

}  // namespace
}  // namespace fg::test
