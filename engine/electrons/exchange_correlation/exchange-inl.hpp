// SPDX-License-Identifier: BSD-3-Clause
//
// Exchange without spin: e = -slater rho^(4/3) F(s^2), with the enhancement factor F of each
// functional. With spin, e(up, down) = (e(2 up) + e(2 down)) / 2.
// Units: hartree, bohr.
// Source: Oliver and Perdew, Phys. Rev. A 20, 397 (1979) for the spins; see parts.hpp for F.
#if defined(FG_XC_EXCHANGE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_XC_EXCHANGE_INL
#undef FG_XC_EXCHANGE_INL
#else
#define FG_XC_EXCHANGE_INL
#endif

#include "electrons/exchange_correlation/lanes-inl.hpp"
#include "electrons/exchange_correlation/parts.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

/// Energy per volume and its derivatives by the density and by sigma.
struct Term {
  Lanes energy, by_density, by_sigma;
};

/// F - 1 and dF/d(s^2), for any multiple of s^2.
struct Enhancement {
  Lanes excess, slope;
};

/// s2 is s^2.
HWY_INLINE Enhancement pbe_enhancement(Lanes s2, double kappa) {
  const Lanes z = s2 * (xc::pbe_mu / kappa);
  const Lanes inverse = 1.0 / (1.0 + z);
  return {kappa * (z * inverse), xc::pbe_mu * inverse * inverse};
}

/// x2 is x^2 of one spin. asinh x is computed as log1p(x + x^2 / (1 + sqrt(1 + x^2))).
HWY_INLINE Enhancement becke_enhancement(Lanes x2) {
  constexpr double ratio = xc::becke_b / xc::becke_slater;
  const Lanes x = sqrt(x2);
  const Lanes root = sqrt(1.0 + x2);
  const Lanes product = x * log1p(x + x2 / (1.0 + root));  // x asinh x
  const Lanes g = 1.0 / multiply_add(product, 6 * xc::becke_b, 1.0);
  const Lanes slope = multiply_add(product - x2 / root, 3 * xc::becke_b, 1.0);
  return {ratio * (x2 * g), ratio * (slope * g * g)};
}

/// `u` is rho^(-1/3).
template <Exchange X>
HWY_INLINE Term exchange(Lanes rho, Lanes sigma, Lanes u) {
  const Lanes third = rho * u * u;  // rho^(1/3)
  const Lanes per_electron = -xc::slater * third;
  if constexpr (X == Exchange::slater) {
    return {rho * per_electron, (4.0 / 3) * per_electron, 0.0};
  } else {
    constexpr bool becke = X == Exchange::becke88;
    constexpr double scale = becke ? xc::becke_closed_shell : xc::reduced_gradient;
    const Lanes u2 = u * u, u4 = u2 * u2;
    const Lanes square = scale * (sigma * u4 * u4);
    Enhancement f;
    if constexpr (becke)
      f = becke_enhancement(square);
    else
      f = pbe_enhancement(square, X == Exchange::pbe ? xc::pbe_kappa : xc::rev_pbe_kappa);
    const Lanes factor = 1.0 + f.excess;
    return {rho * per_electron * factor,
            (4.0 / 3) * per_electron * subtract_product(factor, 2.0 * square, f.slope),
            (-xc::slater * scale) * (f.slope * u4)};
  }
}

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // FG_XC_EXCHANGE_INL
