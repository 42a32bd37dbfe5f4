// SPDX-License-Identifier: BSD-3-Clause
//
// A cell that moves under an outer pressure, with ions that repel each other by Gaussians over all
// images: its acceleration is minus the slope of the conserved energy, which is kept to second
// order; it goes back the way it came; what shall stay stays.
#include "ab_initio/motion/cell_motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "base/error.hpp"
#include "support/expect_refused.hpp"

namespace fg::test {
namespace {

constexpr double height = 0.2, width = 1.8, pressure = 5e-4;

struct Energy {
  double value = 0;
  std::vector<Vec3> forces;
  Virial virial{};
};

/// height exp(-r^2 / 2 width^2) between all ions and images; beyond three cells nothing is left.
Energy energy_of(const CellVectors& a, const std::vector<Vec3>& positions) {
  Energy sum;
  sum.forces.resize(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t j = 0; j < positions.size(); ++j)
      for (int x = -3; x <= 3; ++x)
        for (int y = -3; y <= 3; ++y)
          for (int z = -3; z <= 3; ++z) {
            if (i == j && x == 0 && y == 0 && z == 0) continue;
            const Vec3 r = positions[i] - positions[j] + a[0] * x + a[1] * y + a[2] * z;
            const double u = height * std::exp(-dot(r, r) / (2 * width * width));
            const Vec3 force = r * (u / (width * width));
            sum.value += u / 2;
            sum.forces[i] += force;
            add_virial(sum.virial, r, force * 0.5);
          }
  return sum;
}

struct Crystal {
  CellVectors start = {Vec3{5.1, 0.2, -0.3}, Vec3{-0.4, 5.6, 0.1}, Vec3{0.3, 0.5, 4.8}};
  std::vector<double> masses{3000, 4000, 2500, 5000};
  std::vector<Vec3> positions{{0.2, 0.1, 0}, {2.6, 2.4, 0.2}, {2.5, 0.1, 2.6}, {-0.1, 2.9, 2.4}};
  std::vector<Vec3> velocities{
      {1e-3, 0, 2e-4}, {0, -8e-4, 3e-4}, {-5e-4, 2e-4, 0}, {0, 6e-4, 1e-4}};
  CellMotion cell;
  Energy energy;

  explicit Crystal(MovingCell moves, double friction = 0)
      : cell({moves, pressure, cell_mass_of_sound(14500), friction}, start),
        energy(energy_of(start, positions)) {}

  MovingIons ions() { return {masses, positions, velocities}; }
  double conserved() {
    return energy.value + fg::kinetic_energy(ions()) + cell.kinetic_energy() + cell.work() +
           cell.heat();
  }
  void kick(double time) {
    for (std::size_t i = 0; i < masses.size(); ++i)
      velocities[i] += energy.forces[i] * (time / masses[i]);
  }
  void step(double time) {
    kick(time / 2);
    cell.slow_down(time / 2);
    cell.kick(energy.virial, time / 2);
    cell.stretch(ions(), time / 2);
    cell.push(ions(), time / 2);
    for (std::size_t i = 0; i < masses.size(); ++i) positions[i] += velocities[i] * time;
    cell.push(ions(), time / 2);
    cell.stretch(ions(), time / 2);
    energy = energy_of(cell.vectors(), positions);
    kick(time / 2);
    cell.kick(energy.virial, time / 2);
    cell.slow_down(time / 2);
  }
  /// The largest distance from the first conserved energy.
  double wandering(double time, int steps) {
    const double first = conserved();
    double most = 0;
    for (int i = 0; i < steps; ++i) {
      step(time);
      most = std::max(most, std::abs(conserved() - first));
      fastest = std::max(fastest, cell.kinetic_energy());
    }
    return most;
  }
  double fastest = 0;  // the largest kinetic energy of the cell, meanwhile
};

class MovingCells : public testing::TestWithParam<MovingCell> {};

TEST_P(MovingCells, ConserveTheEnergyToSecondOrder) {
  Crystal whole(GetParam()), half(GetParam());
  const double coarse = whole.wandering(20, 150), fine = half.wandering(10, 300);
  EXPECT_LT(fine, 0.02 * half.fastest) << fine;
  EXPECT_NEAR(coarse / fine, 4, 0.6);
  // It has moved far.
  EXPECT_GT(std::abs(half.cell.volume() / Crystal(GetParam()).cell.volume() - 1), 0.02);
}

TEST_P(MovingCells, GoBackTheWayTheyCame) {
  Crystal crystal(GetParam());
  const auto positions = crystal.positions;
  for (int i = 0; i < 100; ++i) crystal.step(20);
  EXPECT_GT(norm(crystal.positions[1] - positions[1]), 0.1);
  for (int i = 0; i < 100; ++i) crystal.step(-20);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(norm(crystal.positions[i] - positions[i]), 1e-10);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LT(norm(crystal.cell.vectors()[i] - crystal.start[i]), 1e-10);
}

/// The slope of all that is conserved is by the vectors; multiples s and momenta are constant.
TEST_P(MovingCells, AreAcceleratedByTheSlopeOfTheConservedEnergy) {
  const Crystal at(GetParam());
  const double mass = cell_mass_of_sound(14500);
  const auto energy_along = [&](const CellVectors& way, double length) {
    // A cell with that velocity goes there; what it then has besides its kinetic energy counts.
    Crystal moved = at;
    moved.cell.restore(at.start, {.velocities = way});
    moved.cell.stretch(moved.ions(), length);
    return energy_of(moved.cell.vectors(), moved.positions).value +
           fg::kinetic_energy(moved.ions()) + moved.cell.work();
  };
  Crystal pushed = at;
  pushed.cell.kick(at.energy.virial, 1);
  pushed.cell.push(pushed.ions(), 1);
  const CellVectors& gained = pushed.cell.state().velocities;
  // Along this acceleration: the kinetic energy gained is W |gained|^2.
  const double square =
      dot(gained[0], gained[0]) + dot(gained[1], gained[1]) + dot(gained[2], gained[2]);
  ASSERT_GT(square, 0);
  const double step = 1e-3 / std::sqrt(square);
  const double slope = (8 * (energy_along(gained, step) - energy_along(gained, -step)) -
                        (energy_along(gained, 2 * step) - energy_along(gained, -2 * step))) /
                       (12 * step);
  EXPECT_NEAR(-slope / (mass * square), 1, 1e-8);
  if (GetParam() != MovingCell::full) return;
  for (std::size_t i = 0; i < 3; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      CellVectors way{};
      way[i][axis] = 1;
      const double along = (8 * (energy_along(way, 1e-3) - energy_along(way, -1e-3)) -
                            (energy_along(way, 2e-3) - energy_along(way, -2e-3))) /
                           (12 * 1e-3);
      EXPECT_NEAR(gained[i][axis] * mass, -along, 1e-9) << i << axis;
    }
}

INSTANTIATE_TEST_SUITE_P(All, MovingCells,
                         testing::Values(MovingCell::isotropic, MovingCell::lengths,
                                         MovingCell::full),
                         [](const auto& info) {
                           return info.param == MovingCell::isotropic ? "Isotropic"
                                  : info.param == MovingCell::lengths ? "Lengths"
                                                                      : "Full";
                         });

TEST(CellMotion, KeepsShapeAnglesOrMomentOfMomentum) {
  for (const MovingCell moves : {MovingCell::isotropic, MovingCell::lengths, MovingCell::full}) {
    Crystal crystal(moves);
    for (int i = 0; i < 100; ++i) crystal.step(20);
    const CellVectors& now = crystal.cell.vectors();
    std::vector<double> factors;
    Vec3 moment{};
    for (std::size_t i = 0; i < 3; ++i) {
      factors.push_back(norm(now[i]) / norm(crystal.start[i]));
      const double off = norm(now[i] * (1 / factors[i]) - crystal.start[i]);
      if (moves == MovingCell::full)
        EXPECT_GT(off, 1e-3);
      else
        EXPECT_LT(off, 1e-12);
      moment += cross(now[i], crystal.cell.state().velocities[i]);
    }
    EXPECT_LT(norm(moment), moves == MovingCell::full ? 1e-15 : 1);
    const double apart = std::abs(factors[0] - factors[1]);
    if (moves == MovingCell::isotropic)
      EXPECT_LT(apart, 1e-13);
    else
      EXPECT_GT(apart, 1e-3);
  }
}

/// With friction the ions' energy stays and the cell comes to rest where pressures are equal.
TEST(CellMotion, ComesToRestAtTheOuterPressure) {
  Crystal crystal(MovingCell::full, 1.0 / 400);
  crystal.velocities.assign(4, {});
  const double first = crystal.conserved();
  for (int i = 0; i < 600; ++i) {
    crystal.step(20);
    for (Vec3& v : crystal.velocities) v = v * 0.98;
  }
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(crystal.energy.virial[k] / crystal.cell.volume(), pressure, 0.02 * pressure);
  for (std::size_t k = 3; k < 6; ++k)
    EXPECT_NEAR(crystal.energy.virial[k] / crystal.cell.volume(), 0, 0.02 * pressure);
  EXPECT_GT(crystal.cell.heat(), 0);
  EXPECT_LT(crystal.conserved(), first);  // the ions have been cooled
}

TEST(CellMotion, CountsTheHeatOfFriction) {
  Crystal crystal(MovingCell::lengths, 1.0 / 1000);
  const double most = crystal.wandering(10, 200);
  EXPECT_GT(crystal.cell.heat(), 1e-3);
  EXPECT_LT(most, 0.02 * crystal.cell.heat()) << crystal.cell.heat();
}

TEST(CellMotion, GoesOnFromWhatItRemembers) {
  Crystal one(MovingCell::full, 1.0 / 1000);
  for (int i = 0; i < 10; ++i) one.step(20);
  Crystal other = one;
  other.cell =
      CellMotion({MovingCell::full, pressure, cell_mass_of_sound(14500), 1.0 / 1000}, one.start);
  other.cell.restore(one.cell.vectors(), one.cell.state());
  for (Crystal* crystal : {&one, &other})
    for (int i = 0; i < 10; ++i) crystal->step(20);
  EXPECT_EQ(one.cell.vectors(), other.cell.vectors());
  EXPECT_EQ(one.cell.state(), other.cell.state());
  EXPECT_EQ(one.positions, other.positions);
}

/// A cube with a bulk modulus B, whose energy is B (V - V0)^2 / (2 V0): its period near rest.
TEST(CellMotion, HasThePeriodThatItsMassPromises) {
  const double edge = 8, modulus = 3.3e-3, mass = cell_mass_of_sound(8 * 51196);
  const CellVectors cube = {Vec3{edge, 0, 0}, Vec3{0, edge, 0}, Vec3{0, 0, edge}};
  CellMotion cell({MovingCell::isotropic, 0, mass, 0}, cube);
  CellVectors pulled = cube;
  for (Vec3& v : pulled) v = v * 1.0001;
  cell.restore(pulled, {});
  std::vector<double> none;
  std::vector<Vec3> nothing;
  const MovingIons ions{none, nothing, nothing};
  const double period = cell_period(mass, edge, modulus), time = period / 4000;
  const auto kick = [&] {
    const double v = cell.volume(), force = -modulus * (v - edge * edge * edge) / std::pow(edge, 3);
    cell.kick({force * v, force * v, force * v, 0, 0, 0}, time / 2);
  };
  // A quarter of a period leads to the rest position; at this amplitude the wells are harmonic.
  for (int i = 0; i < 1000; ++i) {
    kick();
    cell.stretch(ions, time);
    kick();
  }
  EXPECT_NEAR(cell.vectors()[0].x / edge - 1, 0, 1e-7);
  // The time that sound, (B / density)^(1/2), takes across the cell.
  const double sound = std::sqrt(modulus * edge * edge * edge / (8 * 51196));
  EXPECT_NEAR(period, edge / sound, 1e-9 * period);
}

TEST(CellMotion, RefusesWhatMakesNoSense) {
  const CellVectors cube = {Vec3{5, 0, 0}, Vec3{0, 5, 0}, Vec3{0, 0, 5}};
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto made = [&](double p, double mass, double friction) {
    return CellMotion({MovingCell::full, p, mass, friction}, cube);
  };
  expect_refused<InputError>([&] { made(none, 1, 0); }, "pressure");
  expect_refused<InputError>([&] { made(0, 0, 0); }, "mass of the cell");
  expect_refused<InputError>([&] { made(0, 1, -1); }, "friction");
  CellMotion cell = made(0, 1, 0);
  expect_refused<InputError>([&] { cell.restore(cube, {.heat = none}); }, "not finite");
}

}  // namespace
}  // namespace fg::test
