// SPDX-License-Identifier: BSD-3-Clause
//
// LYP correlation without spin, after one integration by parts:
//   e = -a D rho - a b C E D rho + a b E D rho^(-5/3) sigma (3 + 7 delta) / 72,
//   u = rho^(-1/3),  E = exp(-c u),  D = 1 / (1 + d u),  delta = (c + d D) u.
// Units: hartree, bohr.
// Source: Miehlich et al., Chem. Phys. Lett. 157, 200 (1989), eq. 2, with equal
// spins.
#if defined(FG_XC_LYP_CORRELATION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_XC_LYP_CORRELATION_INL
#undef FG_XC_LYP_CORRELATION_INL
#else
#define FG_XC_LYP_CORRELATION_INL
#endif

#include "electrons/exchange_correlation/exchange-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

/// What LYP has of the density: D, E D, delta, and rho times the derivative of delta.
struct LypDensity {
  Lanes D, ED, delta, delta_slope;
};

HWY_INLINE LypDensity lyp_density(Lanes u) {
  const Lanes D = 1.0 / multiply_add(u, xc::lyp_d, 1.0);
  const Lanes dD = xc::lyp_d * D;
  return {D, D * exp(-xc::lyp_c * u), u * (xc::lyp_c + dD),
          (-1.0 / 3) * u * multiply_add(dD, D, xc::lyp_c)};
}

/// Energy per volume, with derivatives; `u` is rho^(-1/3).
HWY_INLINE Term lyp_correlation(Lanes rho, Lanes sigma, Lanes u) {
  constexpr double ab = xc::lyp_a * xc::lyp_b;
  const LypDensity l = lyp_density(u);
  const Lanes u2 = u * u, u4 = u2 * u2, u5 = u4 * u;
  const Lanes third_delta = (1.0 / 3) * l.delta;
  const Lanes bracket = multiply_add(l.delta, 7.0, 3.0);
  const Lanes by_sigma = (ab / 72) * l.ED * u5 * bracket;
  const Lanes local = multiply_add(l.ED, ab * xc::lyp_kinetic, xc::lyp_a * l.D);
  // rho d(a D)/d rho = a D^2 d u / 3, and rho d(E D)/d rho = E D delta / 3.
  const Lanes local_slope = multiply_add((xc::lyp_a * xc::lyp_d / 3) * u, l.D * l.D,
                                         (ab * xc::lyp_kinetic) * l.ED * third_delta);
  const Lanes gradient_slope = (ab / 72) * l.ED * u5 * u2 * u * sigma *
                               multiply_add(bracket, third_delta - 5.0 / 3, 7.0 * l.delta_slope);
  return {subtract_product(by_sigma * sigma, rho, local), gradient_slope - local - local_slope,
          by_sigma};
}

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // FG_XC_LYP_CORRELATION_INL
