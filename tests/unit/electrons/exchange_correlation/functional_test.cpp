// SPDX-License-Identifier: BSD-3-Clause
//
// Functionals by name: those of the engine, those of libxc, what is refused and why, thresholds.
#include "electrons/exchange_correlation/functional.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "electrons/exchange_correlation/mirrored_functional.hpp"
#include "support/electrons/xc_errors.hpp"

namespace fg::electrons {
namespace {

using test::Values;
using test::XcArrays;
using test::XcSpinArrays;

void evaluate(const Functional& f, XcArrays& a) {
  a.make_room();
  f.evaluate({a.density, a.sigma}, {a.energy, a.by_density, a.by_sigma});
}
void evaluate(const Functional& f, XcSpinArrays& a) {
  a.make_room();
  f.evaluate_spins({{a.density[0], a.density[1]}, {a.sigma[0], a.sigma[1], a.sigma[2]}},
                   {a.energy,
                    {a.by_density[0], a.by_density[1]},
                    {a.by_sigma[0], a.by_sigma[1], a.by_sigma[2]}});
}

struct Pair {
  const char* own;
  const char* libxc;
};

class SameByBothNames : public testing::TestWithParam<Pair> {};

/// Densities from 1e-3 on, where libxc keeps its precision; the reference tests have the others.
TEST_P(SameByBothNames, WithAndWithoutSpin) {
  const auto own = make_functional(GetParam().own), other = make_functional(GetParam().libxc);
  EXPECT_EQ(own->name(), GetParam().own);
  EXPECT_EQ(other->name(), GetParam().libxc);
  EXPECT_EQ(own->uses_gradient(), other->uses_gradient());
  XcArrays points;
  XcSpinArrays spins;
  for (const double rho : {0.002, 0.03, 0.4, 5.0, 60.0})
    for (int i = 0; i < 60; ++i) {  // more than a block of the adaptor in all
      const double s = 0.05 * i, g = 6.2 * s * std::pow(rho, 4.0 / 3);
      points.density.push_back(rho), points.sigma.push_back(g * g);
      spins.density[0].push_back(0.7 * rho), spins.density[1].push_back(0.3 * rho);
      spins.sigma[0].push_back(0.5 * g * g), spins.sigma[1].push_back(-0.2 * g * g);
      spins.sigma[2].push_back(0.1 * g * g);
    }
  const auto allowed = [](double) { return 1e-12; };
  XcArrays tried = points, right = points, flat = test::without_gradient(points);
  evaluate(*own, tried), evaluate(*other, right), evaluate(*other, flat);
  const auto errors = test::xc_errors(tried, right, flat, false, allowed);
  EXPECT_LE(errors.worst(), 1) << errors.where();
  XcSpinArrays spin_tried = spins, spin_right = spins, spin_flat = test::without_gradient(spins);
  evaluate(*own, spin_tried), evaluate(*other, spin_right), evaluate(*other, spin_flat);
  const auto spin_errors = test::xc_errors(spin_tried, spin_right, spin_flat, false, allowed);
  EXPECT_LE(spin_errors.worst(), 1) << spin_errors.where();
  if (!own->uses_gradient()) return;
  // In PBE the terms cancel where the gradient is small; each is 0.004 rho^(-4/3) there, and that
  // of a spin the larger, the smaller the spin.
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double term = 0.004 * std::pow(points.density[i], -4.0 / 3);
    EXPECT_NEAR(tried.by_sigma[i], right.by_sigma[i], 1e-12 * term);
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(spin_tried.by_sigma[k][i], spin_right.by_sigma[k][i], 1e-11 * term);
  }
}

INSTANTIATE_TEST_SUITE_P(Functional, SameByBothNames,
                         testing::Values(Pair{"PZ81", "LDA_X+LDA_C_PZ"},
                                         Pair{"PW92", "LDA_X+LDA_C_PW"},
                                         Pair{"PBE", "GGA_X_PBE+GGA_C_PBE"},
                                         Pair{"revPBE", "GGA_X_PBE_R+GGA_C_PBE"},
                                         Pair{"BLYP", "GGA_X_B88+GGA_C_LYP"}),
                         [](const auto& info) { return std::string(info.param.own); });

TEST(Functional, HasTheNamesOfItsTable) {
  EXPECT_THAT(own_functionals(), testing::ElementsAre("PZ81", "PW92", "PBE", "revPBE", "BLYP"));
}

TEST(Functional, HasOnlyTermsThatCanBeMade) {
  const std::vector<std::string> terms = functional_terms();
  EXPECT_THAT(terms, testing::IsSupersetOf({"LDA_X", "GGA_X_PBE", "GGA_C_PBE", "GGA_XC_HCTH_120"}));
  for (const char* other : {"GGA_X_LB", "LDA_K_TF", "LDA_X_2D", "GGA_XC_VV10", "MGGA_X_SCAN"})
    EXPECT_THAT(terms, testing::Not(testing::Contains(other)));
  for (const std::string& term : terms) EXPECT_NO_THROW(make_functional(term)) << term;
}

void expect_refused(const char* name, const char* because) {
  try {
    make_functional(name);
    ADD_FAILURE() << name << " was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.parts().value, name);
    EXPECT_THAT(error.what(), testing::HasSubstr(because));
    EXPECT_THAT(error.parts().hint, testing::HasSubstr("BLYP"));
  }
}

TEST(Functional, RefusesNamesThatNobodyKnows) {
  expect_refused("BLYB", "no functional has the name 'BLYB'");
  expect_refused("", "no functional has the name ''");
  expect_refused("GGA_X_PBE+", "no functional has the name ''");
  expect_refused("GGA_X_PBE+PBE", "no functional has the name 'PBE'");
}
TEST(Functional, RefusesWhatNeedsMoreThanTheGradient) {
  expect_refused("HYB_GGA_XC_B3LYP", "needs more than the density and its gradient");
  expect_refused("MGGA_X_SCAN", "needs more than the density and its gradient");
}
TEST(Functional, RefusesWhatIsNoEnergyOfExchangeOrCorrelation) {
  expect_refused("LDA_K_TF", "is no exchange-correlation energy");
  expect_refused("GGA_X_LB", "is no exchange-correlation energy");
  expect_refused("LDA_X_2D", "is no exchange-correlation energy");
  expect_refused("GGA_XC_VV10", "is no exchange-correlation energy");
}

TEST(Functional, RefusesArraysOfDifferentSizes) {
  const Values two(2, 0.1), three(3, 0.1);
  Values out(2), other(3);
  const auto pbe = make_functional("PBE"), pz = make_functional("PZ81");
  EXPECT_THROW(pbe->evaluate({two, three}, {out, out, out}), InternalError);
  EXPECT_THROW(pbe->evaluate({two, two}, {out, out, other}), InternalError);
  EXPECT_THROW(pbe->evaluate(XcPoints{two}, {out, out, out}), InternalError);
  EXPECT_THROW(pz->evaluate(XcPoints{two}, {other, out}), InternalError);
  EXPECT_NO_THROW(pz->evaluate(XcPoints{two}, {out, other = Values(2)}));
  EXPECT_THROW(pz->evaluate_spins(XcSpinPoints{{two, three}}, {out, {out, out}}), InternalError);
}

/// With thresholds a point below one has the local part alone, and no derivative by sigma.
template <class Arrays>
void expect_local_part(const char* name, const Arrays& points) {
  const auto whole = make_functional(name);
  const auto cut = make_functional(name, {.thresholds = GradientThresholds{}});
  Arrays tried = points, flat = test::without_gradient(points);
  evaluate(*cut, tried), evaluate(*whole, flat);
  EXPECT_EQ(tried.energy, flat.energy);
  EXPECT_EQ(tried.by_density, flat.by_density);
  for (const auto& values : {tried.by_sigma})
    if constexpr (std::is_same_v<Arrays, XcArrays>)
      EXPECT_THAT(values, testing::Each(0));
    else
      for (const Values& of_spin : values) EXPECT_THAT(of_spin, testing::Each(0));
}

TEST(Functional, LeavesTheGradientOutBelowThresholds) {
  XcArrays points;
  points.density = {1e-6, 3e-7, 0.1, 0.1};
  points.sigma = {1e-5, 0.1, 1e-10, 9e-11};
  XcSpinArrays spins;  // both below the limits of one spin
  spins.density = {Values{1e-10, 0.1, 9e-11}, Values{5e-11, 0.2, 1e-10}};
  spins.sigma = {Values{0.1, 1e-20, 1e-5}, Values{0.01, -9e-21, 0}, Values{0.1, 1e-20, 1e-30}};
  for (const char* name : {"PBE", "BLYP", "GGA_X_PBE_SOL+GGA_C_PBE_SOL"}) {
    expect_local_part(name, points);
    expect_local_part(name, spins);
  }
}

/// The rules of pw.x 6.7 with spin: exchange compares each spin with 1e-10, correlation the sum
/// with 1e-6.
TEST(Functional, LeavesTheGradientOfEachSpinOutByItsOwnDensity) {
  XcSpinArrays low;  // in sum below 1e-6; the second spin also below 1e-10
  low.density = {Values{4e-7}, Values{9e-11}};
  low.sigma = {Values{1e-14}, Values{1e-16}, Values{1e-17}};
  for (const auto& [whole, exchange, correlation] :
       {std::array{"GGA_X_PBE+GGA_C_PBE", "GGA_X_PBE", "GGA_C_PBE"},
        std::array{"GGA_X_B88+GGA_C_LYP", "GGA_X_B88", "GGA_C_LYP"},
        std::array{"PBE", "GGA_X_PBE", "GGA_C_PBE"},
        std::array{"BLYP", "GGA_X_B88", "GGA_C_LYP"}}) {
    XcSpinArrays tried = low, first = low, second = test::without_gradient(low);
    first.sigma[1] = first.sigma[2] = {0};
    evaluate(*make_functional(whole, {.thresholds = GradientThresholds{}}), tried);
    evaluate(*make_functional(exchange), first);
    evaluate(*make_functional(correlation), second);
    const double energy = first.energy[0] + second.energy[0];
    EXPECT_NEAR(tried.energy[0], energy, 1e-6 * std::abs(energy)) << whole;
    EXPECT_NEAR(tried.by_sigma[0][0], first.by_sigma[0][0], 1e-9 * std::abs(first.by_sigma[0][0]));
    EXPECT_EQ(tried.by_sigma[1][0], 0) << whole;
    EXPECT_EQ(tried.by_sigma[2][0], 0) << whole;
  }
}

/// Above, below and at a spin's least share of the density, with the functionals of both kinds.
TEST(Functional, HasTheDerivativesOfItsEnergyWhereASpinIsScarce) {
  for (const char* name : {"PBE", "GGA_X_PBE+GGA_C_PBE", "BLYP"}) {
    const auto cut = make_functional(name, {.thresholds = GradientThresholds{}});
    const auto at = [&](double up, double down) {
      XcSpinArrays one;
      one.density = {Values{up}, Values{down}};
      one.sigma = {Values{2e-4}, Values{0}, Values{0}};
      evaluate(*cut, one);
      return one;
    };
    for (const double down : {0.0, 1e-9, 1e-8, 1e-6, 1e-4}) {
      const XcSpinArrays here = at(0.03, down);
      const auto slope = [&](auto energy) { return (energy(1e-6) - energy(-1e-6)) / 2e-6; };
      const auto moved_up = [&](double by) { return at(0.03 + by * 0.03, down).energy[0]; };
      EXPECT_NEAR(here.by_density[0][0], slope(moved_up) / 0.03, 2e-9) << name << ", " << down;
      if (down == 0) continue;  // the derivative of exchange by nothing is not finite in its slope
      const auto moved_down = [&](double by) { return at(0.03, down * (1 + 1e3 * by)).energy[0]; };
      // Rounding of the energy, 1e-18, over the step.
      EXPECT_NEAR(here.by_density[1][0], slope(moved_down) / (1e3 * down),
                  1e-17 / (1e-3 * down) + 1e-6)
          << name << ", " << down;
    }
  }
}

TEST(Functional, KeepsTheGradientAboveThresholds) {
  XcArrays points;
  points.density = {1.01e-6, 0.1}, points.sigma = {1e-5, 1.01e-10};
  for (const char* name : {"PBE", "BLYP", "GGA_X_PBE_SOL+GGA_C_PBE_SOL"}) {
    const auto whole = make_functional(name);
    const auto cut = make_functional(name, {.thresholds = GradientThresholds{}});
    XcArrays tried = points, right = points;
    evaluate(*cut, tried), evaluate(*whole, right);
    EXPECT_EQ(tried.energy, right.energy);
    EXPECT_EQ(tried.by_sigma, right.by_sigma);
    EXPECT_THAT(tried.by_sigma, testing::Each(testing::Ne(0)));
  }
}

/// More points than the functional takes at a time, every third one negative.
TEST(MirroredFunctional, IsOddInTheDensity) {
  for (const char* name : {"PZ81", "PBE", "LDA_X+LDA_C_PW"}) {
    const auto plain = make_functional(name);
    const auto mirrored = make_mirrored(make_functional(name));
    EXPECT_EQ(mirrored->name(), plain->name());
    EXPECT_EQ(mirrored->uses_gradient(), plain->uses_gradient());
    XcArrays right, tried;
    for (int i = 0; i < 1300; ++i) {
      right.density.push_back(0.001 * (i + 1));
      right.sigma.push_back(1e-4 * (i % 17));
    }
    tried = right;
    const auto sign = [](std::size_t i) { return i % 3 == 0 ? -1.0 : 1.0; };
    for (std::size_t i = 0; i < tried.density.size(); ++i) tried.density[i] *= sign(i);
    evaluate(*plain, right), evaluate(*mirrored, tried);
    for (std::size_t i = 0; i < tried.density.size(); ++i) {
      EXPECT_EQ(tried.energy[i], sign(i) * right.energy[i]);
      EXPECT_EQ(tried.by_density[i], right.by_density[i]);
      if (plain->uses_gradient()) {
        EXPECT_EQ(tried.by_sigma[i], sign(i) * right.by_sigma[i]);
      }
    }
  }
}

/// Up is at place 2 * s of what a turned density exchanges: e(up, down) = -f(-down, -up).
TEST(MirroredFunctional, ExchangesTheSpinsOfANegativeDensity) {
  for (const char* name : {"PZ81", "BLYP", "GGA_X_PBE_SOL+GGA_C_PBE_SOL"}) {
    const auto plain = make_functional(name);
    const auto mirrored = make_mirrored(make_functional(name));
    XcSpinArrays right, tried;
    for (int i = 0; i < 1300; ++i) {
      right.density[0].push_back(0.001 * (i + 1)), right.density[1].push_back(0.02 + 1e-4 * i);
      right.sigma[0].push_back(1e-4 * (i % 17)), right.sigma[1].push_back(1e-5 * (i % 5));
      right.sigma[2].push_back(1e-4 * (i % 11));
    }
    tried = right;
    const auto negative = [](std::size_t i) { return i % 3 == 0; };
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (!negative(i)) continue;
      for (std::size_t s = 0; s < 2; ++s) tried.density[s][i] = -right.density[1 - s][i];
      for (Values& values : right.sigma) values[i] = 0;  // a negative density has no gradient
    }
    evaluate(*plain, right), evaluate(*mirrored, tried);
    for (std::size_t i = 0; i < tried.size(); ++i) {
      const bool turned = negative(i);
      EXPECT_EQ(tried.energy[i], (turned ? -1 : 1) * right.energy[i]);
      for (std::size_t s = 0; s < 2; ++s)
        EXPECT_EQ(tried.by_density[s][i], right.by_density[turned ? 1 - s : s][i]);
      if (!plain->uses_gradient()) continue;
      for (std::size_t s = 0; s < 3; ++s)
        EXPECT_EQ(tried.by_sigma[s][i], turned ? 0 : right.by_sigma[s][i]);
    }
  }
}

/// Where the density of one spin or of both is negative.
TEST(MirroredFunctional, HasTheDerivativesOfItsEnergyWithSpin) {
  const auto mirrored = make_mirrored(make_functional("BLYP"));
  const auto at = [&](std::array<double, 2> density, std::array<double, 3> sigma) {
    XcSpinArrays one;
    for (std::size_t s = 0; s < 2; ++s) one.density[s] = {density[s]};
    for (std::size_t s = 0; s < 3; ++s) one.sigma[s] = {sigma[s]};
    evaluate(*mirrored, one);
    return one;
  };
  const std::array<double, 3> sigma{1e-4, 2e-5, 3e-4};
  for (const std::array<double, 2> density :
       {std::array{-0.03, -0.01}, {-0.02, -0.05}, {0.04, -0.01}, {-0.05, 0.01}, {-0.01, 0.03}}) {
    const XcSpinArrays here = at(density, sigma);
    for (std::size_t s = 0; s < 2; ++s) {
      const auto energy = [&](double by) {
        auto moved = density;
        moved[s] += by;
        return at(moved, sigma).energy[0];
      };
      const double step = 1e-4;  // the error of the differences is of second order in it
      EXPECT_NEAR(here.by_density[s][0], (energy(step) - energy(-step)) / (2 * step), 2e-5);
    }
    for (std::size_t s = 0; s < 3; ++s) {
      const auto energy = [&](double by) {
        auto moved = sigma;
        moved[s] += by;
        return at(density, moved).energy[0];
      };
      const double step = 1e-6;
      EXPECT_NEAR(here.by_sigma[s][0], (energy(step) - energy(-step)) / (2 * step), 1e-6);
    }
  }
}

}  // namespace
}  // namespace fg::electrons
