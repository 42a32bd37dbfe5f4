// SPDX-License-Identifier: BSD-3-Clause
//
// Correlation of the uniform electron gas per electron, without spin and for any polarisation.
// These are PZ81 and PW92, and the interpolation between spins that they share. Units: hartree,
// bohr. Sources: see parts.hpp; PW92, eqs. 8 to 10; von Barth and Hedin, J. Phys. C 5, 1629 (1972)
// for f.
#if defined(FG_XC_LOCAL_CORRELATION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_XC_LOCAL_CORRELATION_INL
#undef FG_XC_LOCAL_CORRELATION_INL
#else
#define FG_XC_LOCAL_CORRELATION_INL
#endif

#include "electrons/exchange_correlation/lanes-inl.hpp"
#include "electrons/exchange_correlation/parts.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

/// A function of r_s, with its derivative.
struct OfRadius {
  Lanes value, slope;
};

HWY_INLINE OfRadius perdew_wang(const xc::PerdewWangTerm& p, Lanes rs, Lanes root) {
  const Lanes q0 = (-2 * p.a) * multiply_add(rs, p.alpha, 1.0);
  const Lanes even = multiply_add(rs, p.b4, p.b2), odd = multiply_add(rs, p.b3, p.b1);
  const Lanes q1 = (2 * p.a) * root * multiply_add(root, even, odd);
  const Lanes even_slope = multiply_add(rs, 4 * p.b4, 2 * p.b2);
  const Lanes odd_slope = multiply_add(rs, 3 * p.b3, p.b1);
  const Lanes q1_slope = p.a * (odd_slope / root + even_slope);
  const Lanes logarithm = log1p(1.0 / q1);
  const Lanes fall = q0 * q1_slope / multiply_add(q1, q1, q1);
  return {q0 * logarithm, subtract_product(-fall, 2 * p.a * p.alpha, logarithm)};
}

HWY_INLINE OfRadius perdew_zunger(const xc::PerdewZunger& p, Lanes rs, Lanes root) {
  const Lanes inverse = 1.0 / multiply_add(root, p.beta1, multiply_add(rs, p.beta2, 1.0));
  const Lanes dilute = p.gamma * inverse;
  const Lanes dilute_slope = -dilute * inverse * (0.5 * p.beta1 / root + p.beta2);
  const Mask dense = rs < Lanes(1.0);
  if (hn::AllFalse(Tag(), dense)) return {dilute, dilute_slope};
  const Lanes logarithm = log(rs);
  const Lanes value =
      multiply_add(logarithm, multiply_add(rs, p.c, p.a), multiply_add(rs, p.d, p.b));
  const Lanes slope = p.a / rs + multiply_add(logarithm, p.c, p.c + p.d);
  return {choose(dense, value, dilute), choose(dense, slope, dilute_slope)};
}

/// Without spin; `u` is rho^(-1/3).
template <Correlation C>
HWY_INLINE OfRadius uniform_gas(Lanes u) {
  const Lanes rs = xc::wigner_seitz * u, root = sqrt(rs);
  if constexpr (C == Correlation::pz81)
    return perdew_zunger(xc::pz81_paramagnetic, rs, root);
  else
    return perdew_wang((C == Correlation::pbe ? xc::pbe_pw92 : xc::pw92).paramagnetic, rs, root);
}

/// The polarisation zeta = (up - down) / rho, with powers of 1 + zeta and 1 - zeta. These are of
/// shares that are not smaller than the smallest.
struct Polarisation {
  Lanes zeta, plus, minus;                        // zeta, 1 + zeta, 1 - zeta
  Lanes plus_third, minus_third;                  // (1 + zeta)^(1/3), (1 - zeta)^(1/3)
  Lanes plus_inverse_third, minus_inverse_third;  // (1 + zeta)^(-1/3), (1 - zeta)^(-1/3)
};

HWY_INLINE Polarisation polarisation(Lanes up, Lanes down, Lanes rho) {
  Polarisation p;
  const Lanes inverse = 1.0 / rho;
  p.zeta = (up - down) * inverse;
  p.plus = 2.0 * (up * inverse);
  p.minus = 2.0 * (down * inverse);
  const Lanes plus = at_least(p.plus, 2 * xc::smallest_share);
  const Lanes minus = at_least(p.minus, 2 * xc::smallest_share);
  p.plus_inverse_third = inverse_cube_root(plus);
  p.minus_inverse_third = inverse_cube_root(minus);
  p.plus_third = plus * p.plus_inverse_third * p.plus_inverse_third;
  p.minus_third = minus * p.minus_inverse_third * p.minus_inverse_third;
  return p;
}

/// A function of r_s and zeta, with its derivatives.
struct OfRadiusAndSpin {
  Lanes value, by_radius, by_zeta;
};

template <Correlation C>
HWY_INLINE OfRadiusAndSpin uniform_gas(Lanes u, const Polarisation& p) {
  const Lanes rs = xc::wigner_seitz * u, root = sqrt(rs);
  const Lanes plus2 = p.plus_third * p.plus_third, minus2 = p.minus_third * p.minus_third;
  const Lanes f = xc::spin_scale * (multiply_add(plus2, plus2, minus2 * minus2) - 2.0);
  const Lanes f_slope = (4.0 / 3 * xc::spin_scale) * (p.plus_third - p.minus_third);
  if constexpr (C == Correlation::pz81) {
    const OfRadius para = perdew_zunger(xc::pz81_paramagnetic, rs, root);
    const OfRadius ferro = perdew_zunger(xc::pz81_ferromagnetic, rs, root);
    const Lanes rise = ferro.value - para.value;
    return {multiply_add(f, rise, para.value),
            multiply_add(f, ferro.slope - para.slope, para.slope), f_slope * rise};
  } else {
    constexpr const xc::PerdewWang& fit = C == Correlation::pbe ? xc::pbe_pw92 : xc::pw92;
    const OfRadius para = perdew_wang(fit.paramagnetic, rs, root);
    const OfRadius ferro = perdew_wang(fit.ferromagnetic, rs, root);
    const OfRadius stiff = perdew_wang(fit.minus_stiffness, rs, root);
    constexpr double scale = -1 / fit.curvature;
    const Lanes z2 = p.zeta * p.zeta, z4 = z2 * z2;
    const Lanes stiffness = scale * stiff.value;
    const Lanes turn = ferro.value - para.value - stiffness;
    const Lanes turn_slope = subtract_product(ferro.slope - para.slope, scale, stiff.slope);
    // para + f (stiffness + z^4 turn)
    const Lanes inner = multiply_add(z4, turn, stiffness);
    const Lanes inner_slope = multiply_add(z4, turn_slope, scale * stiff.slope);
    return {multiply_add(f, inner, para.value), multiply_add(f, inner_slope, para.slope),
            multiply_add(f_slope, inner, 4.0 * f * z2 * p.zeta * turn)};
  }
}

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // FG_XC_LOCAL_CORRELATION_INL
