// SPDX-License-Identifier: BSD-3-Clause
//
// Charges without images: Gaussian charges, whose energies are formulas, in cells of several shapes
// and sizes; the twin; ions.
//
// Charges q and p smeared as exp(-r^2/w^2) and exp(-r^2/v^2), at the distance d, have the energy
// q p erf(d / sqrt(w^2 + v^2)) / d, and a charge with itself has q^2 / (sqrt(2 pi) w).
#include "electrons/coulomb/isolated_coulomb.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "electrons/coulomb/hartree.hpp"
#include "electrons/ions/isolated_ions.hpp"
#include "electrons/ions/local_potential.hpp"
#include "support/electrons/plane_wave_samples.hpp"
#include "support/electrons/waves_of_points.hpp"
#include "support/expect_refused.hpp"
#include "support/references/electrons/coulomb_references.hpp"

namespace fg::electrons {
namespace {

using test::expect_refused;
using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr double longest = 8;  // [1/bohr]; waves of charges of width 1.1 then end at exp(-19)
constexpr double width = 1.1;

const Lattice tilted{{Vec3{18.2, 0.6, -1.2}, Vec3{-3.4, 18.4, 1.2}, Vec3{4.2, -2.8, 19.6}}};
const Lattice flat_box{{Vec3{17.5, 0, 0}, Vec3{0, 20, 0}, Vec3{0, 0, 18}}};

/// The waves of a cell, and the screening on them.
struct Basis {
  explicit Basis(const Lattice& lattice)
      : waves(test::waves_up_to(lattice, longest)), screening(waves.size()) {
    for (std::size_t i = 0; i < 3; ++i)
      grid[i] = static_cast<int>(longest * norm(lattice.vectors[i]) / pi) + 2;
    const IsolatedCoulomb coulomb(lattice, longest);
    const fft::GridBox all{{0, 0, 0}, grid};
    std::vector<double> values(all.volume());
    coulomb.write_long_range(grid, all, values);
    coulomb.write_screening(waves, test::waves_of_points(waves, grid, values), screening);
    splitting = coulomb.splitting();
  }

  PlaneWaves waves;
  std::array<int, 3> grid{};
  std::vector<double> screening;
  double splitting = 0;
};

struct Charge {
  double q;
  Vec3 at;
};

std::vector<Complex> density_of(const PlaneWaves& waves, const std::vector<Charge>& charges) {
  std::vector<Complex> density(waves.size());
  for (std::size_t i = 0; i < waves.size(); ++i)
    for (const Charge& charge : charges)
      density[i] += charge.q / waves.lattice().volume() *
                    std::exp(-waves.squares()[i] * width * width / 4) *
                    std::polar(1.0, -dot(waves.wave(i), charge.at));
  return density;
}

double exact(const std::vector<Charge>& charges) {
  double energy = 0;
  for (std::size_t i = 0; i < charges.size(); ++i) {
    energy += charges[i].q * charges[i].q / (std::sqrt(2 * pi) * width);
    for (std::size_t j = 0; j < i; ++j) {
      const double d = norm(charges[i].at - charges[j].at);
      energy += charges[i].q * charges[j].q * std::erf(d / (std::numbers::sqrt2 * width)) / d;
    }
  }
  return energy;
}

double isolated(const Basis& basis, const std::vector<Complex>& density) {
  std::vector<Complex> potential(density.size());
  const double periodic = hartree(basis.waves, density, potential);
  return periodic + screen_hartree(basis.waves, basis.screening, density, potential);
}

/// The charges are 2.9 bohr apart, and half of a cell is 8.5 bohr: erfc(5.6 / 1.1 / sqrt(2)) = 4e-7
/// of a pair is farther apart than that, and there its images differ from it by 0.02 hartree.
constexpr double tolerance = 1e-8;

TEST(IsolatedCoulomb, GivesTheEnergyOfOneCharge) {
  for (const Lattice& lattice : {test::cubic(17), flat_box, tilted}) {
    const Basis basis(lattice);
    for (const Vec3& at : {Vec3{}, Vec3{2.3, -1.1, 7.7}, Vec3{-20, 3.33, 0.2}}) {
      const std::vector<Charge> one{{1.7, at}};
      EXPECT_NEAR(isolated(basis, density_of(basis.waves, one)), exact(one), tolerance);
    }
  }
}

TEST(IsolatedCoulomb, GivesTheEnergyOfAMoleculeInAnyLargeCell) {
  // Charged like water, neutral, across a face of the cell.
  const std::vector<Charge> water{
      {-0.8, {0.3, 0.1, -0.2}}, {0.4, {1.73, 1.2, -0.2}}, {0.4, {-1.13, 1.2, -0.2}}};
  double most = 0;
  for (const Lattice& lattice : {test::cubic(17), test::cubic(19), flat_box, tilted}) {
    const Basis basis(lattice);
    const std::vector<Complex> density = density_of(basis.waves, water);
    EXPECT_NEAR(isolated(basis, density), exact(water), tolerance);
    std::vector<Complex> potential(density.size());
    most = std::max(most, std::abs(hartree(basis.waves, density, potential) - exact(water)));
  }
  EXPECT_GT(most, 1e-4) << "with images the energy is another one";
}

TEST(IsolatedCoulomb, IsThatOfTheTwin) {
  const Lattice small{{Vec3{9.4, 0.3, -0.6}, Vec3{-1.7, 9.2, 0.6}, Vec3{2.1, -1.4, 10.3}}};
  const Basis basis(small);
  std::vector<double> right(basis.waves.size());
  reference::isolated_screening(basis.waves, basis.grid, basis.splitting, right);
  // Sums of 10^4 numbers that are up to the volume of the cell.
  for (std::size_t i = 0; i < right.size(); ++i)
    EXPECT_NEAR(basis.screening[i], right[i], 1e-9) << i;
  const std::vector<Complex> density = test::random_waves(basis.waves, 5);
  std::vector<Complex> one(density.size(), 1.5), two = one;
  const double energy = screen_hartree(basis.waves, right, density, one);
  EXPECT_NEAR(energy, reference::screen_hartree(basis.waves, right, density, two),
              1e-12 * std::abs(energy));
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i], two[i]);
}

TEST(IsolatedCoulomb, PutsTheSharesOfPartsTogether) {
  const Lattice cell = test::cubic(14);
  const Basis whole(cell);
  const IsolatedCoulomb coulomb(cell, longest);
  const fft::GridBox all{{0, 0, 0}, whole.grid}, part{{3, 0, 5}, {9, 4, 11}};
  std::vector<double> values(all.volume()), some(part.volume());
  coulomb.write_long_range(whole.grid, all, values);
  coulomb.write_long_range(whole.grid, part, some);
  const auto n = static_cast<std::size_t>(whole.grid[0]);
  EXPECT_EQ(some.front(), values[(3 * n + 0) * n + 5]);
  EXPECT_EQ(some.back(), values[(8 * n + 3) * n + 10]);
}

TEST(IsolatedCoulomb, AttractsElectronsToIons) {
  // An ion whose potential is -Z erf(r/v)/r, and a charge of electrons: with the part at G = 0 of
  // the periodic potential, alpha, the energy is a formula.
  constexpr double z = 4, v = 0.9;
  const LocalPotential local{
      .short_range = RadialTable(std::vector<double>(900, 0.0), 0.01, 0), .charge = z, .width = v};
  const Vec3 at{0.4, 15.1, -0.3};
  for (const Lattice& lattice : {test::cubic(16), tilted}) {
    const Basis basis(lattice);
    RadialWaves radial = local_on_waves(basis.waves, local);
    screen_local(z, basis.screening, radial);
    const IonField field(basis.waves, {radial}, std::vector<int>{0});
    std::vector<Complex> potential(basis.waves.size());
    for (const Vec3& away : {Vec3{}, Vec3{1.2, -2.2, 0.7}}) {
      const double d = norm(away);
      const std::vector<Charge> electrons{{2, at + away}};
      const std::vector<Complex> density = density_of(basis.waves, electrons);
      field.write(std::vector<Vec3>{at}, potential);
      const double energy =
          integral(basis.waves, potential, density) + 2 * alpha(local) / lattice.volume();
      const double smear = std::sqrt(v * v + width * width);
      const double right =
          d == 0 ? -2 * z * 2 / (std::sqrt(pi) * smear) : -2 * z * std::erf(d / smear) / d;
      EXPECT_NEAR(energy, right, tolerance);
      // The force on the ion is along the line.
      std::vector<Vec3> forces(1);
      field.add_forces(std::vector<Vec3>{at}, density, forces);
      const double slope =
          d == 0 ? 0
                 : -2 * z *
                       (2 / std::sqrt(pi) / smear * std::exp(-d * d / (smear * smear)) / d -
                        std::erf(d / smear) / (d * d));
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(forces[0][axis], d == 0 ? 0 : slope * away[axis] / d, tolerance);
    }
  }
}

TEST(IsolatedCoulomb, RefusesACellThatIsTooSmallForItsWaves) {
  expect_refused<InputError>([] { IsolatedCoulomb coulomb(test::cubic(8), 7.9); },
                             "at least 8.10127 bohr");
  EXPECT_NO_THROW(IsolatedCoulomb(test::cubic(8), 8.1));
}

TEST(IsolatedIons, RepelEachOther) {
  const std::vector<double> charges{6, 1, 1};
  // The second one is on the other side of a face.
  const std::vector<Vec3> positions{{0.5, 0, 0}, {18.5, 0, 0}, {0.5, 3, 0}};
  const IonEnergy found = isolated_ions(test::cubic(20), charges, positions);
  EXPECT_NEAR(found.energy, 6 / 2.0 + 6 / 3.0 + 1 / std::sqrt(13.0), 1e-14);
  EXPECT_NEAR(found.forces[0].x, 6 / 4.0, 1e-14);
  EXPECT_NEAR(found.forces[0].y, -6 / 9.0, 1e-14);
  for (std::size_t ion = 0; ion < 3; ++ion)
    for (int axis = 0; axis < 3; ++axis) {
      // Differences of four points: the error is of fourth order in the step.
      const auto energy = [&](double by) {
        std::vector<Vec3> moved = positions;
        moved[ion][axis] += by;
        return isolated_ions(tilted, charges, moved).energy;
      };
      const double h = 1e-3;
      const double slope =
          (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / 12 / h;
      EXPECT_NEAR(isolated_ions(tilted, charges, positions).forces[ion][axis], -slope, 1e-10);
    }
}

TEST(IsolatedIons, RefuseIonsAtOnePlace) {
  const std::vector<double> charges{1, 1};
  expect_refused<InputError>(
      [&] { isolated_ions(test::cubic(20), charges, std::vector<Vec3>{{1, 2, 3}, {21, 2, 3}}); },
      "ions 1 and 2");
  expect_refused<NumericsError>(
      [&] { isolated_ions(test::cubic(20), charges, std::vector<Vec3>{{1, 2, 3}, {NAN, 2, 3}}); },
      "ion 2");
}

}  // namespace
}  // namespace fg::electrons
