// SPDX-License-Identifier: BSD-3-Clause
//
// The derivatives of each named functional against finite differences of its own energy; and what
// holds exactly: equal spins give what the kernel without spin gives, spins may be exchanged, and
// exchange scales with the coordinates (Levy and Perdew, Phys. Rev. A 32, 2010 (1985)).
#include <gtest/gtest.h>

#include <functional>

#include "electrons/exchange_correlation/functional.hpp"
#include "support/effort.hpp"
#include "support/electrons/xc_errors.hpp"

namespace fg::test {
namespace {

using namespace electrons;

/// f'(x) by central differences with steps of 2^-9 `scale` and half of it, extrapolated, with an
/// estimate of its error: a thousandth of the correction, since steps are a thousandth or less of
/// the length on which f changes, and rounding of the terms of f, whose absolute values add up to
/// `size`.
std::pair<double, double> slope_of(const std::function<double(double)>& f, double x, double scale,
                                   double size) {
  const double h = 0x1p-9 * scale;
  const auto slope = [&](double step) { return (f(x + step) - f(x - step)) / (2 * step); };
  const double fine = slope(h / 2), correction = (fine - slope(h)) / 3;
  return {fine + correction, std::abs(correction) * 1e-3 + 0x1p-48 * size / h};
}

class Derivatives : public testing::TestWithParam<const char*> {
 protected:
  /// The numbers are up, down, uu, ud, dd.
  using Point = std::array<double, 5>;

  double energy(const Point& p) const { return whole(p).energy[0]; }
  XcSpinArrays whole(const Point& p) const {
    XcSpinArrays a;
    for (int k = 0; k < 2; ++k) a.density[k] = {p[k]};
    for (int k = 0; k < 3; ++k) a.sigma[k] = {p[2 + k]};
    a.make_room();
    if (!functional_->uses_gradient()) a.by_sigma = {Values{0}, Values{0}, Values{0}};
    functional_->evaluate_spins(
        {{a.density[0], a.density[1]}, {a.sigma[0], a.sigma[1], a.sigma[2]}},
        {a.energy,
         {a.by_density[0], a.by_density[1]},
         {a.by_sigma[0], a.by_sigma[1], a.by_sigma[2]}});
    return a;
  }
  XcArrays whole(double rho, double sigma) const {
    XcArrays a;
    a.density = {rho}, a.sigma = {sigma};
    a.make_room();
    if (!functional_->uses_gradient()) a.by_sigma = {0};
    functional_->evaluate({a.density, a.sigma}, {a.energy, a.by_density, a.by_sigma});
    return a;
  }

  std::unique_ptr<const Functional> functional_ = make_functional(GetParam());
};

// PZ81 jumps at r_s = 1; a difference across it is no derivative.
bool near_the_jump(double rho) {
  const double rs = xc::wigner_seitz / std::cbrt(rho);
  return rs > 0.99 && rs < 1.01;
}

TEST_P(Derivatives, WithoutSpinAreThoseOfTheEnergy) {
  const XcArrays samples = XcSampler(31).points(static_cast<std::size_t>(effort(2000)));
  int compared = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double rho = samples.density[i], sigma = samples.sigma[i];
    if (near_the_jump(rho)) continue;
    const XcArrays here = whole(rho, sigma);
    // Terms that may cancel in the energy do not in all of these.
    const double size =
        4 * (std::abs(here.energy[0]) + std::abs(whole(rho, 0).energy[0]) +
             std::abs(here.by_density[0] * rho) + std::abs(here.by_sigma[0] * sigma));
    const auto [by_rho, error] =
        slope_of([&](double x) { return whole(x, sigma).energy[0]; }, rho, rho, size);
    EXPECT_NEAR(here.by_density[0], by_rho, error) << "density " << rho << ", sigma " << sigma;
    if (!functional_->uses_gradient() || sigma == 0) continue;
    const auto [by_sigma, sigma_error] =
        slope_of([&](double x) { return whole(rho, x).energy[0]; }, sigma, sigma, size);
    EXPECT_NEAR(here.by_sigma[0], by_sigma, sigma_error)
        << "density " << rho << ", sigma " << sigma;
    compared += sigma_error < 1e-6 * std::abs(by_sigma);
  }
  // A quarter of the points have gradients large enough for a difference of six digits.
  if (functional_->uses_gradient()) {
    EXPECT_GT(compared, static_cast<int>(samples.size()) / 4);
  }
}

TEST_P(Derivatives, WithSpinAreThoseOfTheEnergy) {
  const XcSpinArrays samples = XcSampler(32).spin_points(static_cast<std::size_t>(effort(2000)));
  int compared = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Point point = {samples.density[0][i], samples.density[1][i], samples.sigma[0][i],
                         samples.sigma[1][i], samples.sigma[2][i]};
    if (near_the_jump(point[0] + point[1]) || point[0] == 0 || point[1] == 0) continue;
    const XcSpinArrays here = whole(point);
    const double derivatives[5] = {here.by_density[0][0], here.by_density[1][0],
                                   here.by_sigma[0][0], here.by_sigma[1][0], here.by_sigma[2][0]};
    double size = std::abs(here.energy[0]);
    for (int k = 0; k < 5; ++k) size += std::abs(derivatives[k] * point[k]);
    size = 4 * (size + std::abs(energy({point[0], point[1], 0, 0, 0})));
    // PBE has the gradient of the sum, which may be much smaller than its parts.
    const double total = point[2] + 2 * point[3] + point[4];
    for (int k = 0; k < (functional_->uses_gradient() ? 5 : 2); ++k) {
      if (point[k] == 0 || (k >= 2 && total <= 0)) continue;
      const double scale = k < 2 ? point[k] : std::min(std::abs(point[k]), total);
      const auto [slope, error] = slope_of(
          [&](double x) {
            Point moved = point;
            moved[k] = x;
            return energy(moved);
          },
          point[k], scale, size);
      EXPECT_NEAR(derivatives[k], slope, error)
          << "variable " << k << ", densities " << point[0] << " " << point[1];
      compared += error < 1e-6 * std::abs(slope);
    }
  }
  EXPECT_GT(compared, static_cast<int>(samples.size()) / 2);
}

TEST_P(Derivatives, EqualSpinsGiveWhatNoSpinGives) {
  const XcArrays samples = XcSampler(33).points(3000);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double rho = samples.density[i], quarter = samples.sigma[i] / 4;
    const XcArrays plain = whole(rho, samples.sigma[i]);
    const XcArrays flat = whole(rho, 0);
    const XcSpinArrays spin = whole({rho / 2, rho / 2, quarter, quarter, quarter});
    // Roundings of two programs, as in the comparison with the twin.
    const double scale = std::max(std::abs(plain.energy[0]), std::abs(flat.energy[0]));
    EXPECT_NEAR(spin.energy[0], plain.energy[0], 5e-13 * scale);
    for (const Values& by_spin : spin.by_density)
      EXPECT_NEAR(by_spin[0], plain.by_density[0],
                  5e-13 * std::max(std::abs(plain.by_density[0]), scale / rho));
  }
}

TEST_P(Derivatives, SpinsMayBeExchanged) {
  const XcSpinArrays samples = XcSampler(34).spin_points(3000);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const XcSpinArrays one = whole({samples.density[0][i], samples.density[1][i],
                                    samples.sigma[0][i], samples.sigma[1][i], samples.sigma[2][i]});
    const XcSpinArrays other =
        whole({samples.density[1][i], samples.density[0][i], samples.sigma[2][i],
               samples.sigma[1][i], samples.sigma[0][i]});
    const double rho = samples.density[0][i] + samples.density[1][i];
    // Sums of products are rounded in another order.
    EXPECT_NEAR(one.energy[0], other.energy[0], 1e-13 * std::abs(one.energy[0]));
    for (int k = 0; k < 2; ++k)
      EXPECT_NEAR(one.by_density[k][0], other.by_density[1 - k][0],
                  1e-12 * std::max(std::abs(one.by_density[k][0]), std::abs(one.energy[0]) / rho));
  }
}

INSTANTIATE_TEST_SUITE_P(Functionals, Derivatives,
                         testing::Values("PZ81", "PW92", "PBE", "revPBE", "BLYP"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Lyp, OfOneSpinAloneIsNothing) {
  XcSpinArrays a = XcSampler(36).spin_points(1000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a.density[i % 2][i] = 0;
    a.sigma[1][i] = a.sigma[i % 2 == 0 ? 0 : 2][i] = 0;
  }
  evaluate_points({Exchange::none, Correlation::lyp}, {}, a.arrays());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a.energy[i], 0);
    EXPECT_EQ(a.by_density[1 - i % 2][i], 0);
  }
}

/// E_x of rho(l r) l^3 is l E_x: with density l^3 rho and sigma l^8 sigma, e is l^4 e.
TEST(Exchange, ScalesWithTheCoordinates) {
  for (const Exchange kind :
       {Exchange::slater, Exchange::pbe, Exchange::rev_pbe, Exchange::becke88}) {
    XcArrays one = XcSampler(35).points(1000), other = one;
    for (std::size_t i = 0; i < other.size(); ++i) {
      other.density[i] *= 27;
      other.sigma[i] *= 6561;
    }
    for (XcArrays* arrays : {&one, &other})
      evaluate_points({kind, Correlation::none}, {}, arrays->arrays());
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_NEAR(other.energy[i], 81 * one.energy[i], 1e-13 * std::abs(other.energy[i]));
  }
}

}  // namespace
}  // namespace fg::test
