// SPDX-License-Identifier: BSD-3-Clause
//
// Terms of an energy, forces and virials against the plain program in Python, which agrees with
// other programs (tests/python/electrons). Its pseudopotentials are formulas; here they are tables
// with the spacing of jobs.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ab_initio/orbitals/orbital_lines.hpp"
#include "electrons/coulomb/hartree.hpp"
#include "electrons/ions/local_potential.hpp"
#include "electrons/nonlocal/projectors.hpp"
#include "electrons/waves/wave_virial.hpp"
#include "reference/electrons/plain_kohn_sham_values.hpp"
#include "support/electrons/gaussian_transform.hpp"
#include "support/electrons/plane_wave_samples.hpp"

namespace fg::electrons {
namespace {

namespace plain = test::plain;
using Complex = std::complex<double>;
using Waves = std::vector<Complex>;

// All of this is that of plain_kohn_sham_values.py.
const Lattice cell = {{Vec3{6.6, 0.3, -0.2}, Vec3{-1.1, 6.3, 0.4}, Vec3{0.7, 1.2, 6.0}}};
const std::vector<Vec3> positions = {{0.1, 0.2, 0.3}, {2.9, 0.3, 3.1}, {-0.5, 1.7, 0.9}};
const std::vector<int> kind_of_ion = {0, 1, 0};
constexpr double cutoff = 8, occupation = 2;
constexpr std::size_t orbitals = 3;

// The interpolation is exact to 1e-14, and the sums of both programs are in different orders.
constexpr double tolerance = 1e-12;

LocalPotential local(double charge, double radius, double c1, double c2) {
  return {RadialTable(test::gth_local(radius, c1, c2).table(0.01, 900), 0.01, 0), charge,
          std::numbers::sqrt2 * radius};
}
const std::vector<LocalPotential> locals = {local(6, 0.45, -7.5, 1.2), local(1, 0.3, -4.2, 0.7)};

RadialTable projector(int l, int i, double radius) {
  return {test::gth_projector(l, i, radius).table(0.01, 500), 0.01, l};
}
const std::vector<ProjectorKind> kinds = {
    {{projector(0, 1, 0.5), projector(0, 2, 0.5), projector(1, 1, 0.55), projector(1, 2, 0.55),
      projector(2, 1, 0.6), projector(3, 1, 0.65)},
     {3.1,  -0.7, 0,    0,    0,    0,  //
      -0.7, 1.2,  0,    0,    0,    0,  //
      0,    0,    2,    -0.4, 0,    0,  //
      0,    0,    -0.4, 0.9,  0,    0,  //
      0,    0,    0,    0,    -1.3, 0,  //
      0,    0,    0,    0,    0,    0.6}},
    {{projector(0, 1, 0.4)}, {4.2}},
};

Waves wave(const PlaneWaves& waves, int number, double decay) {
  Waves result;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const auto [x, y, z] = waves.indices()[i];
    const double angle = (number + 1) * (0.7 * x - 1.1 * y + 0.4 * z) + number;
    const Complex c = std::polar(std::exp(-waves.squares()[i] / decay), angle);
    result.push_back(waves.squares()[i] == 0 ? c.real() : c);
  }
  return result;
}

void expect_virial(const Virial& found, const double (&right)[6]) {
  for (int k = 0; k < 6; ++k)
    EXPECT_NEAR(found[k], right[k], tolerance * (std::abs(right[0]) + std::abs(right[k]))) << k;
}
void expect_forces(const std::vector<Vec3>& found, const double (&right)[3][3]) {
  for (std::size_t i = 0; i < 3; ++i)
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(found[i][a], right[i][a], 40 * tolerance) << i << a;
}

struct PlainKohnSham : testing::Test {
  PlaneWaves waves = test::waves_up_to(cell, std::sqrt(2 * cutoff));
  PlaneWaves density_waves = test::waves_up_to(cell, std::sqrt(8 * cutoff));
  Waves block, density = wave(density_waves, 3, 6), partner = wave(density_waves, 4, 6);
  Virial virial{};
  std::vector<Vec3> forces = std::vector<Vec3>(3);

  void SetUp() override {
    ASSERT_EQ(waves.size(), plain::waves);
    ASSERT_EQ(density_waves.size(), plain::density_waves);
    for (int s = 0; s < static_cast<int>(orbitals); ++s) {
      const Waves one = wave(waves, s, 4);
      block.insert(block.end(), one.begin(), one.end());
    }
  }
};

TEST_F(PlainKohnSham, HasTheKineticEnergy) {
  double energy = 0;
  std::vector<double> squares, applied(2 * waves.size());  // for both parts of a coefficient
  for (const double square : waves.squares()) squares.insert(squares.end(), {square, square});
  for (std::size_t s = 0; s < orbitals; ++s)
    energy += occupation *
              ab_initio::kinetic_line(squares.data(),
                                      reinterpret_cast<const double*>(&block[s * waves.size()]),
                                      squares.size(), applied.data());
  EXPECT_NEAR(energy, plain::kinetic_energy, tolerance * energy);
  add_kinetic_virial(waves, block, orbitals, occupation, virial);
  expect_virial(virial, plain::kinetic_virial);
}

TEST_F(PlainKohnSham, HasTheHartreeEnergy) {
  Waves potential(density.size());
  EXPECT_NEAR(hartree(density_waves, density, potential), plain::hartree_energy,
              tolerance * plain::hartree_energy);
  add_hartree_virial(density_waves, density, potential, virial);
  expect_virial(virial, plain::hartree_virial);
}

TEST_F(PlainKohnSham, HasTheLocalEnergy) {
  std::vector<RadialWaves> functions;
  for (const LocalPotential& one : locals) functions.push_back(local_on_waves(density_waves, one));
  const IonField field(density_waves, functions, kind_of_ion);
  Waves potential(density.size());
  field.write(positions, potential);
  EXPECT_NEAR(integral(density_waves, potential, density), plain::local_energy, 300 * tolerance);
  field.add_forces(positions, density, forces);
  expect_forces(forces, plain::local_forces);
  field.add_virial(positions, density, virial);
  expect_virial(virial, plain::local_virial);
  constexpr double electrons = 13;
  double alphas = 0;
  for (const int kind : kind_of_ion) alphas += alpha(locals[kind]);
  EXPECT_NEAR(electrons / cell.volume() * alphas, plain::alpha_energy, tolerance);
}

TEST_F(PlainKohnSham, HasTheForcesOfModelCores) {
  const RadialTable core(test::GaussianTransform{1, {2}}.table(0.01, 900), 0.01, 0);
  const IonField field(density_waves, {table_on_waves(density_waves, core), {}}, kind_of_ion);
  field.add_forces(positions, partner, forces);
  expect_forces(forces, plain::core_forces);
  field.add_virial(positions, partner, virial);
  expect_virial(virial, plain::core_virial);
}

TEST_F(PlainKohnSham, HasTheNonlocalEnergy) {
  Projectors projectors(waves, kinds, kind_of_ion);
  projectors.place(positions);
  std::vector<double> z(projectors.rows() * orbitals), dz(z.size());
  projectors.project(block, orbitals, z);
  projectors.coupling().couple(z, orbitals, dz);
  EXPECT_NEAR(nonlocal_energy(z, dz, occupation), plain::nonlocal_energy, 30 * tolerance);
  Waves applied(block.size());
  projectors.apply(dz, orbitals, applied);
  for (std::size_t s = 0; s < orbitals; ++s) {
    double norm = 0;
    for (std::size_t i = 0; i < waves.size(); ++i) norm += std::norm(applied[s * waves.size() + i]);
    EXPECT_NEAR(norm, plain::nonlocal_applied[s], 30 * tolerance);
  }
  projectors.add_forces(dz, block, orbitals, occupation, forces);
  expect_forces(forces, plain::nonlocal_forces);
  projectors.add_virial(dz, block, orbitals, occupation, virial);
  expect_virial(virial, plain::nonlocal_virial);
}

}  // namespace
}  // namespace fg::electrons
