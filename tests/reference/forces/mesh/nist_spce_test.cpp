// SPDX-License-Identifier: BSD-3-Clause
//
// NIST's SPC/E reference configurations by term, with the plain Ewald twin and NIST's own wave
// vectors: alpha = 5.6 / L, |k_a| <= 5 and k^2 < 27, cutoff 10 angstrom, tin foil.
// Origin: NIST Standard Reference Simulation Website, "SPC/E Water Reference Calculations - 10 A
// cutoff" (configuration 1), energies over k_B in kelvin, six digits; and FEASST (usnistgov/feasst,
// plugin/charge/test/ewald.cpp) for the same configuration with all digits, in kJ/mol with CODATA
// 2010 constants. FEASST has the terms of a triclinic configuration too (alpha = 0.2850 / angstrom,
// |k_a| <= 7). This test computes all; the configurations come with the data folder.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "forces/mesh/ewald_constants.hpp"
#include "support/references/forces/ewald_reference.hpp"

namespace fg::test {
namespace {

constexpr double angstrom = 1 / units::bohr_in_angstrom;
constexpr double q_hydrogen = 0.42380;
constexpr double sigma = 3.16555789 * angstrom;
constexpr double epsilon = 78.19743111 / units::hartree_in_kelvin;
constexpr double cutoff = 10 * angstrom;

struct Configuration {
  Box box;
  std::vector<Vec3> positions;
  std::vector<double> charges;
  std::vector<int> molecule;
};

Configuration read(const std::string& path) {
  std::ifstream file(path);
  Configuration c;
  int atoms = 0, number = 0;
  file >> atoms >> number >> c.box.edge.x >> c.box.edge.y >> c.box.edge.z;
  c.box.edge *= angstrom;
  for (int i = 0; i < atoms; ++i) {
    Vec3 r;
    std::string element;
    file >> number >> r.x >> r.y >> r.z >> element;
    c.positions.push_back(r * angstrom);
    c.charges.push_back(element == "O" ? -2 * q_hydrogen : q_hydrogen);
    c.molecule.push_back(i / 3);
  }
  return file ? c : Configuration{};
}

/// Lennard-Jones of the oxygens within the cutoff, and the usual tail correction beyond it.
struct Dispersion {
  double pairs = 0;
  double tail = 0;
};

Dispersion dispersion(const Configuration& c) {
  Dispersion result;
  const int molecules = static_cast<int>(c.positions.size()) / 3;
  for (int i = 0; i < molecules; ++i)
    for (int j = i + 1; j < molecules; ++j) {
      const Vec3 d = c.box.nearest_image(c.positions[3 * i] - c.positions[3 * j]);
      const double r2 = dot(d, d);
      if (r2 >= cutoff * cutoff) continue;
      const double s6 = std::pow(sigma * sigma / r2, 3);
      result.pairs += 4 * epsilon * (s6 * s6 - s6);
    }
  const double s3 = std::pow(sigma / cutoff, 3);
  result.tail = 8 * std::numbers::pi / 3 * molecules * molecules / c.box.volume() * epsilon *
                std::pow(sigma, 3) * (s3 * s3 * s3 / 3 - s3);
  return result;
}

/// FEASST's form: the tilts of the cell follow the edges, and the type of an atom precedes it.
Configuration read_triclinic(const std::string& path) {
  std::ifstream file(path);
  Configuration c;
  int atoms = 0, number = 0;
  Tilt& tilt = c.box.tilt;
  file >> atoms >> number >> c.box.edge.x >> c.box.edge.y >> c.box.edge.z >> tilt.xy >> tilt.xz >>
      tilt.yz;
  c.box.edge *= angstrom;
  for (double* length : {&tilt.xy, &tilt.xz, &tilt.yz}) *length *= angstrom;
  for (int i = 0; i < atoms; ++i) {
    Vec3 r;
    file >> number >> r.x >> r.y >> r.z;
    c.positions.push_back(r * angstrom);
    c.charges.push_back(number == 0 ? -2 * q_hydrogen : q_hydrogen);
    c.molecule.push_back(i / 3);
  }
  return file ? c : Configuration{};
}

class NistSpce : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("FINEGRAIN_REFERENCE_DATA");
    if (folder == nullptr) GTEST_SKIP() << "FINEGRAIN_REFERENCE_DATA is not set";
    c_ = read(std::string(folder) + "/nist/spce_sample_config_periodic1.xyz");
    ASSERT_EQ(c_.positions.size(), 300u) << "unreadable file in " << folder;
    alpha_ = 5.6 / c_.box.edge.x;
    disp_ = dispersion(c_);
    real_ =
        reference::ewald_real(c_.box, alpha_, cutoff, c_.positions, c_.charges, c_.molecule).energy;
    fourier_ =
        reference::ewald_fourier(c_.box, alpha_, {{5, 5, 5}, 27}, c_.positions, c_.charges).energy;
    self_ = ewald_constants(c_.charges, alpha_).self;
    intra_ =
        reference::ewald_excluded(c_.box, alpha_, c_.positions, c_.charges, c_.molecule).energy;
  }

  Configuration c_;
  double alpha_ = 0;
  Dispersion disp_;
  double real_ = 0, fourier_ = 0, self_ = 0, intra_ = 0;
};

TEST_F(NistSpce, ConfigurationOneAgreesInAllPrintedDigits) {
  const auto expect = [](const char* term, double hartree, double nist) {
    const double kelvin = hartree * units::hartree_in_kelvin;
    std::printf("%-10s %14.6e K  NIST %12.5e K\n", term, kelvin, nist);
    // Six digits are printed: half of the last one, and the constants of CODATA 2018 against those
    // of the page's year, which differ by less than 1e-6.
    EXPECT_NEAR(kelvin, nist, 6e-6 * std::abs(nist)) << term;
  };
  expect("E_disp", disp_.pairs, 9.95387e+04);
  expect("E_LRC", disp_.tail, -8.23715e+02);
  expect("E_real", real_, -5.58889e+05);
  expect("E_fourier", fourier_, 6.27009e+03);
  expect("E_self", self_, -2.84469e+06);
  expect("E_intra", intra_, 2.80999e+06);
  expect("E_total", disp_.pairs + disp_.tail + real_ + fourier_ + self_ + intra_, -4.88604e+05);
}

TEST_F(NistSpce, ConfigurationOneAgreesWithFeasst) {
  const auto expect = [](const char* term, double hartree, double feasst) {
    const double kj = hartree * units::hartree_in_kj_per_mol;
    std::printf("%-10s %18.10f kJ/mol  FEASST %18.10f kJ/mol\n", term, kj, feasst);
    // e^2 / (4 pi epsilon_0) in kJ/mol of CODATA 2010 and 2018 differ by 4e-8.
    EXPECT_NEAR(kj, feasst, 1e-7 * std::abs(feasst)) << term;
  };
  expect("fourier", fourier_, 52.1324574151071);
  expect("self", self_, -23652.08040365018);
  expect("intra", intra_, 23363.573774608);
  // FEASST's k_B belongs to CODATA 2010 and differs from 2018's by 6e-7, and its erfc comes from a
  // table with an error of about 1e-7.
  EXPECT_NEAR(disp_.tail * units::hartree_in_kj_per_mol, -6.84874714555147, 1e-6 * 6.85);
  EXPECT_NEAR((disp_.pairs + real_) * units::hartree_in_kj_per_mol, -3819.2497205550849,
              1e-6 * 3819);
}

TEST(NistTriclinicSpce, AgreesWithFeasst) {
  const char* folder = std::getenv("FINEGRAIN_REFERENCE_DATA");
  if (folder == nullptr) GTEST_SKIP() << "FINEGRAIN_REFERENCE_DATA is not set";
  const Configuration c =
      read_triclinic(std::string(folder) + "/nist/spce_triclinic_sample_periodic1.xyz");
  ASSERT_EQ(c.positions.size(), 1200u) << "unreadable file in " << folder;
  const double alpha = 0.2850 / angstrom;
  const auto expect = [](const char* term, double hartree, double feasst, double tolerance) {
    const double kj = hartree * units::hartree_in_kj_per_mol;
    std::printf("%-10s %18.10f kJ/mol  FEASST %18.10f kJ/mol\n", term, kj, feasst);
    EXPECT_NEAR(kj, feasst, tolerance * std::abs(feasst)) << term;
  };
  const Dispersion disp = dispersion(c);
  // FEASST's waves are no longer than seven wave numbers of the shortest edge.
  const double longest = 7 / std::min({c.box.edge.x, c.box.edge.y, c.box.edge.z});
  const auto fourier = reference::ewald_fourier(
      c.box, alpha, {.limit = {7, 7, 7}, .longest = longest}, c.positions, c.charges);
  const auto real = reference::ewald_real(c.box, alpha, cutoff, c.positions, c.charges, c.molecule);
  const auto intra = reference::ewald_excluded(c.box, alpha, c.positions, c.charges, c.molecule);
  // The values have eleven digits at most; k_B, e^2 and the table of erfc as above.
  expect("dispersion", disp.pairs, 931.15451, 2e-6);
  expect("tail", disp.tail, -34.16569, 2e-6);
  expect("fourier", fourier.energy, 371.46525, 2e-7);
  expect("real", real.energy, -6046.43627, 2e-6);
  expect("intra", -intra.energy, -95078.89447, 2e-7);
  expect("self", ewald_constants(c.charges, alpha).self, -96297.75579, 2e-7);
}

}  // namespace
}  // namespace fg::test
