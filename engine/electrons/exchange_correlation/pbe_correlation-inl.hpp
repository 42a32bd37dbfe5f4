// SPDX-License-Identifier: BSD-3-Clause
//
// The gradient term of PBE correlation, H = phi^3 h(eps / phi^3, t^2) per electron, with
//   h = gamma ln(1 + x P(y)),  x = exp(-eps / gamma) - 1,  y = A t^2,  A = (beta / gamma) / x,
//   P = (y + y^2) / (1 + y + y^2).
// Units: hartree, bohr.
// Source: Perdew, Burke and Ernzerhof, Phys. Rev. Lett. 77, 3865 (1996), eqs. 7 and 8, with y for
// A t^2; the derivatives follow from this form, in which no terms cancel.
#if defined(FG_XC_PBE_CORRELATION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_XC_PBE_CORRELATION_INL
#undef FG_XC_PBE_CORRELATION_INL
#else
#define FG_XC_PBE_CORRELATION_INL
#endif

#include "electrons/exchange_correlation/local_correlation-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

struct GradientTerm {
  Lanes value, by_energy, by_square;  // h, dh/d eps, dh/d(t^2)
};

HWY_INLINE GradientTerm pbe_gradient_term(Lanes eps, Lanes t2) {
  const Lanes x = expm1((-1 / xc::pbe_gamma) * eps);
  const Lanes y = (xc::pbe_beta / xc::pbe_gamma) * t2 / x;
  // Products of y and w stay finite for every gradient.
  const Lanes w = 1.0 / multiply_add(y, y, 1.0 + y);
  const Lanes q = y * w, r = y * q;
  const Lanes inner = x * (q + r);
  const Lanes inverse = 1.0 / (1.0 + inner);
  return {xc::pbe_gamma * log1p(inner), -(1.0 + x) * inverse * (r * multiply_add(q, 2.0, r)),
          xc::pbe_beta * inverse * (w * multiply_add(q, 2.0, w))};
}

/// Energy per volume, with derivatives; `u` is rho^(-1/3).
HWY_INLINE Term pbe_correlation(Lanes rho, Lanes sigma, Lanes u) {
  const OfRadius gas = uniform_gas<Correlation::pbe>(u);
  const Lanes u2 = u * u, u4 = u2 * u2, u7 = u4 * u2 * u;
  const Lanes t2 = xc::pbe_t * sigma * u7;
  const GradientTerm h = pbe_gradient_term(gas.value, t2);
  const Lanes sum = gas.value + h.value;
  const Lanes radius_slope = (-xc::wigner_seitz / 3) * u * gas.slope;  // rho d eps / d rho
  const Lanes by_density =
      multiply_add(radius_slope, 1.0 + h.by_energy, sum) - (7.0 / 3) * t2 * h.by_square;
  return {rho * sum, by_density, xc::pbe_t * u4 * h.by_square};
}

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // FG_XC_PBE_CORRELATION_INL
