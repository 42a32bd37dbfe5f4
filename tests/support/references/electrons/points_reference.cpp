// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/electrons/points_reference.hpp"

#include "support/references/electrons/dual.hpp"

namespace fg::electrons::reference {

namespace {

using Number = Dual<5>;

struct SpinDensities {
  Number up, down, uu, ud, dd;
};

Number exchange_of_spin(Exchange kind, const Number& density, const Number& sigma) {
  if (density.value <= xc::density_floor) return {};
  const Number local = -xc::slater * thirds(density, 4);
  const Number square = sigma * thirds(density, -8);  // |grad rho|^2 / rho^(8/3)
  if (kind == Exchange::slater) return local;
  if (kind == Exchange::becke88) {
    const Number x2 = xc::becke_closed_shell * square;
    const Number g = x2 / (1.0 + 6 * xc::becke_b * product_with_asinh(x2));
    return local * (1.0 + xc::becke_b / xc::becke_slater * g);
  }
  const double kappa = kind == Exchange::pbe ? xc::pbe_kappa : xc::rev_pbe_kappa;
  const Number s2 = xc::reduced_gradient * square;
  return local * (1.0 + kappa - kappa / (1.0 + xc::pbe_mu / kappa * s2));
}

Number exchange(Exchange kind, const SpinDensities& n) {
  if (kind == Exchange::none) return {};
  return 0.5 * (exchange_of_spin(kind, 2.0 * n.up, 4.0 * n.uu) +
                exchange_of_spin(kind, 2.0 * n.down, 4.0 * n.dd));
}

Number perdew_wang(const xc::PerdewWangTerm& p, const Number& rs) {
  const Number s = sqrt(rs);
  const Number inner = 2 * p.a * (p.b1 * s + p.b2 * rs + p.b3 * rs * s + p.b4 * rs * rs);
  return -2 * p.a * (1.0 + p.alpha * rs) * log1p(1.0 / inner);
}

Number perdew_zunger(const xc::PerdewZunger& p, const Number& rs) {
  if (rs.value >= 1) return p.gamma / (1.0 + p.beta1 * sqrt(rs) + p.beta2 * rs);
  return p.a * log(rs) + p.b + p.c * rs * log(rs) + p.d * rs;
}

/// The share of a spin, not smaller than the smallest, and constant below the least.
Number share(const Number& spin, const Number& rho, double least = 0) {
  const Number plain = spin / rho;
  if (plain.value < least) return least;
  return plain.value < xc::smallest_share ? Number(plain, xc::smallest_share, 1) : plain;
}

/// Per electron.
Number uniform_gas(Correlation kind, const SpinDensities& n) {
  const Number rho = n.up + n.down;
  const Number rs = xc::wigner_seitz * thirds(rho, -1);
  const Number f = xc::spin_scale *
                   (thirds(2.0 * share(n.up, rho), 4) + thirds(2.0 * share(n.down, rho), 4) - 2.0);
  if (kind == Correlation::pz81) {
    const Number para = perdew_zunger(xc::pz81_paramagnetic, rs);
    return para + f * (perdew_zunger(xc::pz81_ferromagnetic, rs) - para);
  }
  const xc::PerdewWang& fit = kind == Correlation::pbe ? xc::pbe_pw92 : xc::pw92;
  const Number zeta = (n.up - n.down) / rho, z4 = zeta * zeta * zeta * zeta;
  const Number para = perdew_wang(fit.paramagnetic, rs);
  const Number stiffness = -1.0 * perdew_wang(fit.minus_stiffness, rs);
  return para + stiffness * (f / fit.curvature) * (1.0 - z4) +
         (perdew_wang(fit.ferromagnetic, rs) - para) * f * z4;
}

Number pbe(const SpinDensities& n, double least_share) {
  const Number rho = n.up + n.down;
  Number sigma = n.uu + 2.0 * n.ud + n.dd;
  if (sigma.value < 0) sigma.value = 0;
  const Number phi = 0.5 * (thirds(2.0 * share(n.up, rho, least_share), 2) +
                            thirds(2.0 * share(n.down, rho, least_share), 2));
  const Number phi3 = phi * phi * phi;
  const Number eps = uniform_gas(Correlation::pbe, n);
  const Number t2 = xc::pbe_t * sigma * thirds(rho, -7) / (phi * phi);
  const double ratio = xc::pbe_beta / xc::pbe_gamma;
  const Number A = ratio / expm1(-1.0 / xc::pbe_gamma * eps / phi3);
  // (1 + A t^2) / (1 + A t^2 + A^2 t^4), with numerator and denominator over 1 + A t^2.
  const Number y = A * t2;
  const Number fraction = 1.0 / (1.0 + y * (y / (1.0 + y)));
  return rho * (eps + xc::pbe_gamma * phi3 * log1p(ratio * t2 * fraction));
}

Number lyp(const SpinDensities& n) {
  const Number rho = n.up + n.down;
  const Number u = thirds(rho, -1);
  const Number damping = 1.0 / (1.0 + xc::lyp_d * u);
  const Number delta = xc::lyp_c * u + xc::lyp_d * u * damping;
  const Number omega = exp(-xc::lyp_c * u) * damping * thirds(rho, -11);
  const Number product = n.up * n.down;
  const auto coefficient = [&](const Number& own, const Number& other) {
    return 1.0 / 9 * product * (1.0 - 3.0 * delta - (delta - 11.0) * own / rho) - other * other;
  };
  const auto eight_thirds = [](const Number& x) { return x.value > 0 ? thirds(x, 8) : Number(); };
  const Number braces =
      xc::lyp_spin_kinetic * product * (eight_thirds(n.up) + eight_thirds(n.down)) +
      coefficient(n.up, n.down) * n.uu + coefficient(n.down, n.up) * n.dd +
      (1.0 / 9 * product * (47.0 - 7.0 * delta) - 4.0 / 3 * rho * rho) * n.ud;
  return -4 * xc::lyp_a * damping * product / rho - xc::lyp_a * xc::lyp_b * omega * braces;
}

Number correlation(Correlation kind, const SpinDensities& n, double least_share) {
  switch (kind) {
    case Correlation::none:
      return {};
    case Correlation::pbe:
      return pbe(n, least_share);
    case Correlation::lyp:
      return lyp(n);
    default:
      return (n.up + n.down) * uniform_gas(kind, n);
  }
}

/// Where the gradient does not count.
struct Flat {
  bool up, down, correlation;
};

/// e and its derivatives by up, down, uu, ud, dd. A flat gradient is a constant zero.
Number energy(FunctionalParts parts, Flat flat, double least_share, double up, double down,
              double uu, double ud, double dd) {
  up = up < 0 ? 0 : up, down = down < 0 ? 0 : down;
  if (up + down <= xc::density_floor) return {};
  const auto square = [](double x, int index) { return Number(x < 0 ? 0 : x, index); };
  const SpinDensities n = {{up, 0}, {down, 1}, square(uu, 2), {ud, 3}, square(dd, 4)};
  SpinDensities x = n, c = n;
  if (flat.up) x.uu = 0.0;
  if (flat.down) x.dd = 0.0;
  if (flat.correlation) c.uu = c.ud = c.dd = 0.0;
  return exchange(parts.exchange, x) + correlation(parts.correlation, c, least_share);
}

}  // namespace

void evaluate_points(FunctionalParts parts, const GradientCut& cut,
                     const PointArrays& points) noexcept {
  for (std::size_t i = 0; i < points.count; ++i) {
    const bool gradient = parts.uses_gradient();
    const double half = points.density[i] / 2, quarter = gradient ? points.sigma[i] / 4 : 0;
    const bool flat = points.density[i] <= cut.density || 4 * quarter <= cut.sigma;
    const Number e = energy(parts, {flat, flat, flat}, 0, half, half, quarter, quarter, quarter);
    points.energy[i] = e.value;
    points.by_density[i] = (e.slopes[0] + e.slopes[1]) / 2;
    if (gradient) points.by_sigma[i] = (e.slopes[2] + e.slopes[3] + e.slopes[4]) / 4;
  }
}

void evaluate_points(FunctionalParts parts, const GradientCut& cut,
                     const SpinPointArrays& points) noexcept {
  for (std::size_t i = 0; i < points.count; ++i) {
    const bool gradient = parts.uses_gradient();
    const auto sigma = [&](int k) { return gradient ? points.sigma[k][i] : 0; };
    const double up = points.density[0][i], down = points.density[1][i];
    const double rho = (up < 0 ? 0 : up) + (down < 0 ? 0 : down);
    const Flat flat = {.up = up <= cut.spin_density || sigma(0) <= cut.spin_sigma,
                       .down = down <= cut.spin_density || sigma(2) <= cut.spin_sigma,
                       .correlation = rho <= cut.sum_density ||
                                      sigma(0) + 2 * sigma(1) + sigma(2) <= cut.sum_sigma};
    const Number e = energy(parts, flat, cut.least_share, up, down, sigma(0), sigma(1), sigma(2));
    points.energy[i] = e.value;
    for (int k = 0; k < 2; ++k) points.by_density[k][i] = e.slopes[k];
    if (!gradient) continue;
    for (int k = 0; k < 3; ++k) points.by_sigma[k][i] = e.slopes[2 + k];
  }
}

}  // namespace fg::electrons::reference
