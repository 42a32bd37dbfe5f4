// SPDX-License-Identifier: BSD-3-Clause
//
// Correlation of two spins: the uniform gas, PBE and LYP.
// Units: hartree, bohr.
// Sources: PW92 and PZ81 as in local_correlation-inl.hpp; Perdew, Burke and Ernzerhof, Phys. Rev.
// Lett. 77, 3865 (1996), eqs. 3 to 8; Johnson, Gill and Pople, J. Chem. Phys. 98, 5612 (1993),
// appendix, for LYP.
#if defined(FG_XC_SPIN_CORRELATION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_XC_SPIN_CORRELATION_INL
#undef FG_XC_SPIN_CORRELATION_INL
#else
#define FG_XC_SPIN_CORRELATION_INL
#endif

#include "electrons/exchange_correlation/lyp_correlation-inl.hpp"
#include "electrons/exchange_correlation/pbe_correlation-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

/// What is known of a point: densities and their sum, whose -1/3 power is u, and products of
/// gradients.
struct SpinDensity {
  Lanes up, down, rho, u;
  Lanes uu, ud, dd;

  /// |grad rho|^2, not negative.
  HWY_INLINE Lanes sigma() const { return at_least(multiply_add(ud, 2.0, uu + dd), 0.0); }
};

/// Energy per volume, with derivatives by the densities and the products of gradients.
struct SpinTerm {
  Lanes energy, by_up, by_down, by_uu, by_ud, by_dd;
};

template <Correlation C>
HWY_INLINE SpinTerm spin_uniform_gas(const SpinDensity& n) {
  const Polarisation p = polarisation(n.up, n.down, n.rho);
  const OfRadiusAndSpin gas = uniform_gas<C>(n.u, p);
  const Lanes common = multiply_add((-xc::wigner_seitz / 3) * n.u, gas.by_radius, gas.value);
  SpinTerm t{0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  t.energy = n.rho * gas.value;
  // rho times the derivatives of zeta are 1 - zeta and -(1 + zeta).
  t.by_up = multiply_add(p.minus, gas.by_zeta, common);
  t.by_down = subtract_product(common, p.plus, gas.by_zeta);
  return t;
}

/// phi = ((1 + zeta)^(2/3) + (1 - zeta)^(2/3)) / 2 and its derivative by zeta. A spin with less
/// than the least share counts as if it had that share. Then its part of phi is constant.
struct PhiOfSpin {
  Lanes value, slope;
};

HWY_INLINE PhiOfSpin phi_of_spin(const Polarisation& p, double least_share) {
  const Lanes least = 2 * least_share;
  const Lanes inverse = inverse_cube_root(at_least(least, 2 * xc::smallest_share));
  const Lanes third = least * inverse * inverse;
  const Mask few_up = p.plus < least, few_down = p.minus < least;
  const Lanes up = choose(few_up, third, p.plus_third);
  const Lanes down = choose(few_down, third, p.minus_third);
  return {0.5 * multiply_add(up, up, down * down),
          (1.0 / 3) * (zero_where(few_up, p.plus_inverse_third) -
                       zero_where(few_down, p.minus_inverse_third))};
}

HWY_INLINE SpinTerm spin_pbe(const SpinDensity& n, double least_share) {
  const Polarisation p = polarisation(n.up, n.down, n.rho);
  const OfRadiusAndSpin gas = uniform_gas<Correlation::pbe>(n.u, p);
  const auto [phi, phi_slope] = phi_of_spin(p, least_share);
  const Lanes inverse = 1.0 / phi, phi3 = phi * phi * phi;
  const Lanes u2 = n.u * n.u, u4 = u2 * u2, u7 = u4 * u2 * n.u;
  const Lanes t2 = xc::pbe_t * n.sigma() * u7 * (inverse * inverse);
  const Lanes eps = gas.value * (inverse * inverse * inverse);
  const GradientTerm h = pbe_gradient_term(eps, t2);
  const Lanes value = multiply_add(phi3, h.value, gas.value);
  const Lanes by_gas = 1.0 + h.by_energy;
  // At constant r_s, phi^3 h changes with phi also through eps / phi^3 and t^2.
  const Lanes t2_part = phi3 * t2 * h.by_square;
  const Lanes by_phi =
      inverse * (phi3 * 3.0 * subtract_product(h.value, eps, h.by_energy) - 2.0 * t2_part);
  const Lanes by_zeta = multiply_add(gas.by_zeta, by_gas, phi_slope * by_phi);
  const Lanes common = multiply_add((-xc::wigner_seitz / 3) * n.u * gas.by_radius, by_gas, value) -
                       (7.0 / 3) * t2_part;
  const Lanes by_sigma = xc::pbe_t * u4 * phi * h.by_square;
  return {n.rho * value,
          multiply_add(p.minus, by_zeta, common),
          subtract_product(common, p.plus, by_zeta),
          by_sigma,
          2.0 * by_sigma,
          by_sigma};
}

/// One spin's part of LYP: 9 times its coefficient of sigma_aa, in units of -a b omega rho^2. The
/// derivatives are by its own share a of the density, by the other's share b, and by delta.
struct LypShare {
  Lanes value, by_own, by_other, by_delta;
};

HWY_INLINE LypShare lyp_share(Lanes a, Lanes b, Lanes delta) {
  const Lanes m = delta - 11.0;
  const Lanes inner = subtract_product(subtract_product(1.0, 3.0, delta), m, a);
  const Lanes ab = a * b;
  return {multiply_add(ab, inner, -9.0 * b * b), b * subtract_product(inner, m, a),
          multiply_add(a, inner, -18.0 * b), -ab * (3.0 + a)};
}

/// With shares a = up / rho and b = down / rho, and W = a b E D (omega = E D rho^(-11/3)),
///   e = -4 a D rho a b - W K rho (a^(11/3) b + a b^(11/3))
///       - W rho^(-5/3) (share_aa sigma_uu + share_ab sigma_ud + share_bb sigma_dd) / 9.
HWY_INLINE SpinTerm spin_lyp(const SpinDensity& n) {
  constexpr double ab_factor = xc::lyp_a * xc::lyp_b;
  const LypDensity l = lyp_density(n.u);
  const Lanes inverse = 1.0 / n.rho;
  const Lanes a = n.up * inverse, b = n.down * inverse, ab = a * b;
  const Lanes W = ab_factor * l.ED;
  const Lanes third_delta = (1.0 / 3) * l.delta;  // rho dW/d rho = W delta / 3

  // a^(2/3), b^(2/3); 0 for an empty spin.
  const Lanes a_least = at_least(a, 1e-300), b_least = at_least(b, 1e-300);
  const Lanes a23 = a * inverse_cube_root(a_least), b23 = b * inverse_cube_root(b_least);
  const Lanes a83 = a * a * a23, b83 = b * b * b23;
  const Lanes kinetic = ab * (a83 + b83);
  const Lanes K = xc::lyp_spin_kinetic * W;

  const LypShare uu = lyp_share(a, b, l.delta), dd = lyp_share(b, a, l.delta);
  const Lanes mixed = subtract_product(47.0, 7.0, l.delta);
  const Lanes ud_value = multiply_add(ab, mixed, -12.0);
  const Lanes ud_by_delta = -7.0 * ab;
  const Lanes u2 = n.u * n.u, u4 = u2 * u2, u5 = u4 * n.u;
  const Lanes scale = (-1.0 / 9) * W * u5;
  const auto contract = [&](Lanes of_uu, Lanes of_ud, Lanes of_dd) {
    return multiply_add(of_uu, n.uu, multiply_add(of_ud, n.ud, of_dd * n.dd));
  };
  const Lanes gradient = contract(uu.value, ud_value, dd.value);
  const Lanes local = multiply_add(4 * xc::lyp_a * l.D, ab, K * kinetic);

  SpinTerm t{0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  t.energy = subtract_product(scale * gradient, n.rho, local);
  // At constant shares: the derivative by rho, as d(rho g)/d rho = g + rho dg/d rho.
  const Lanes u8 = u5 * u2 * n.u;
  const Lanes slope_scale = (-1.0 / 9) * W * u8;
  const Lanes by_rho =
      slope_scale * multiply_add(gradient, third_delta - 5.0 / 3,
                                 l.delta_slope * contract(uu.by_delta, ud_by_delta, dd.by_delta)) -
      local - (4 * xc::lyp_a * xc::lyp_d / 3) * n.u * l.D * l.D * ab - K * kinetic * third_delta;
  // At constant rho: the derivatives by the shares, over rho.
  const Lanes kinetic_a = b * multiply_add(a83, 11.0 / 3, b83);
  const Lanes kinetic_b = a * multiply_add(b83, 11.0 / 3, a83);
  const Lanes by_a = slope_scale * contract(uu.by_own, b * mixed, dd.by_other) -
                     multiply_add(4 * xc::lyp_a * l.D, b, K * kinetic_a);
  const Lanes by_b = slope_scale * contract(uu.by_other, a * mixed, dd.by_own) -
                     multiply_add(4 * xc::lyp_a * l.D, a, K * kinetic_b);
  // da/d up = b / rho, db/d up = -b / rho, and the like for down.
  const Lanes turn = by_a - by_b;
  t.by_up = multiply_add(b, turn, by_rho);
  t.by_down = subtract_product(by_rho, a, turn);
  t.by_uu = scale * uu.value;
  t.by_ud = scale * ud_value;
  t.by_dd = scale * dd.value;
  return t;
}

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // FG_XC_SPIN_CORRELATION_INL
