// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel with two spins.
#include <algorithm>

#include "base/simd_targets.hpp"
#include "electrons/exchange_correlation/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "electrons/exchange_correlation/spin_points.cpp"
// clang-format off: foreach_target.h must come before the code that is compiled once per target.
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "electrons/exchange_correlation/exchange-inl.hpp"
#include "electrons/exchange_correlation/spin_correlation-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

/// The share of one spin in exchange, by the formula without spin at twice its density.
template <Exchange X>
HWY_INLINE Term exchange_of_spin(const GradientCut& cut, Lanes density, Lanes sigma) {
  const Lanes twice = density + density;
  const Mask empty = twice <= Lanes(xc::density_floor);
  const Lanes rho = choose(empty, 1.0, twice);
  Mask flat = empty;
  if constexpr (FunctionalParts{X, Correlation::none}.uses_gradient()) {
    const Mask low = hn::Or(density <= Lanes(cut.spin_density), sigma <= Lanes(cut.spin_sigma));
    flat = hn::Or(empty, low);
    sigma = zero_where(flat, at_least(sigma, 0.0));
  }
  const Term t = exchange<X>(rho, 4.0 * sigma, inverse_cube_root(rho));
  return {zero_where(empty, 0.5 * t.energy), zero_where(empty, t.by_density),
          zero_where(flat, 2.0 * t.by_sigma)};
}

template <Correlation C>
HWY_INLINE SpinTerm spin_correlation(const SpinDensity& n, double least_share) {
  if constexpr (C == Correlation::pbe)
    return spin_pbe(n, least_share);
  else if constexpr (C == Correlation::lyp)
    return spin_lyp(n);
  else
    return spin_uniform_gas<C>(n);
}

template <Exchange X, Correlation C>
struct SpinPointKernel {
  static constexpr bool gradient = FunctionalParts{X, C}.uses_gradient();
  static constexpr int inputs = 5, outputs = 6;

  /// Finds e and its derivatives by up, down, uu, ud, dd.
  static HWY_INLINE void at(const GradientCut& cut, const Lanes (&in)[inputs],
                            Lanes (&out)[outputs]) {
    SpinDensity n{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    n.up = at_least(in[0], 0.0);
    n.down = at_least(in[1], 0.0);
    const Lanes density = n.up + n.down;
    const Mask empty = density <= Lanes(xc::density_floor);
    // Half of each spin, so that the shares of an empty point are finite, too.
    n.up = choose(empty, 0.5, n.up);
    n.down = choose(empty, 0.5, n.down);
    n.rho = n.up + n.down;
    n.u = inverse_cube_root(n.rho);
    if constexpr (gradient) {
      n.uu = at_least(in[2], 0.0);
      n.ud = in[3];
      n.dd = at_least(in[4], 0.0);
    }
    SpinTerm sum{0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    if constexpr (C != Correlation::none) {
      Mask flat = empty;
      if constexpr (gradient) {
        const Lanes total = multiply_add(in[3], 2.0, in[2] + in[4]);
        const Mask low = hn::Or(density <= Lanes(cut.sum_density), total <= Lanes(cut.sum_sigma));
        flat = hn::Or(empty, low);
      }
      SpinDensity c = n;
      c.uu = zero_where(flat, n.uu);
      c.ud = zero_where(flat, n.ud);
      c.dd = zero_where(flat, n.dd);
      sum = spin_correlation<C>(c, cut.least_share);
      sum.by_uu = zero_where(flat, sum.by_uu);
      sum.by_ud = zero_where(flat, sum.by_ud);
      sum.by_dd = zero_where(flat, sum.by_dd);
    }
    if constexpr (X != Exchange::none) {
      const Term up = exchange_of_spin<X>(cut, n.up, n.uu);
      const Term down = exchange_of_spin<X>(cut, n.down, n.dd);
      sum.energy = (up.energy + down.energy) + sum.energy;
      sum.by_up = up.by_density + sum.by_up;
      sum.by_down = down.by_density + sum.by_down;
      sum.by_uu = up.by_sigma + sum.by_uu;
      sum.by_dd = down.by_sigma + sum.by_dd;
    }
    out[0] = zero_where(empty, sum.energy);
    out[1] = zero_where(empty, sum.by_up);
    out[2] = zero_where(empty, sum.by_down);
    if constexpr (gradient) {
      out[3] = zero_where(empty, sum.by_uu);
      out[4] = zero_where(empty, sum.by_ud);
      out[5] = zero_where(empty, sum.by_dd);
    }
  }

  static void run(const GradientCut& cut, const SpinPointArrays& points) noexcept {
    constexpr int read = gradient ? 5 : 2, written = gradient ? 6 : 3;
    const double* const from[inputs] = {points.density[0], points.density[1], points.sigma[0],
                                        points.sigma[1], points.sigma[2]};
    double* const to[outputs] = {points.energy,      points.by_density[0], points.by_density[1],
                                 points.by_sigma[0], points.by_sigma[1],   points.by_sigma[2]};
    const std::size_t lanes = hn::Lanes(Tag()), count = points.count;
    Lanes in[inputs], out[outputs];
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      for (int k = 0; k < read; ++k) in[k] = load(from[k] + i);
      at(cut, in, out);
      for (int k = 0; k < written; ++k) store(out[k], to[k] + i);
    }
    if (i == count) return;
    // The last points, in a vector filled up with empty ones.
    double part[hn::MaxLanes(Tag())] = {};
    const std::size_t rest = count - i;
    for (int k = 0; k < read; ++k) {
      std::copy_n(from[k] + i, rest, part);
      in[k] = load(part);
    }
    at(cut, in, out);
    for (int k = 0; k < written; ++k) {
      store(out[k], part);
      std::copy_n(part, rest, to[k] + i);
    }
  }
};

template <Exchange X>
void with_spin_exchange(Correlation c, const GradientCut& cut,
                        const SpinPointArrays& points) noexcept {
  switch (c) {
    case Correlation::none:
      return SpinPointKernel<X, Correlation::none>::run(cut, points);
    case Correlation::pz81:
      return SpinPointKernel<X, Correlation::pz81>::run(cut, points);
    case Correlation::pw92:
      return SpinPointKernel<X, Correlation::pw92>::run(cut, points);
    case Correlation::pbe:
      return SpinPointKernel<X, Correlation::pbe>::run(cut, points);
    case Correlation::lyp:
      return SpinPointKernel<X, Correlation::lyp>::run(cut, points);
  }
}

void any_spin_points(FunctionalParts parts, const GradientCut& cut, const SpinPointArrays& points) {
  switch (parts.exchange) {
    case Exchange::none:
      return with_spin_exchange<Exchange::none>(parts.correlation, cut, points);
    case Exchange::slater:
      return with_spin_exchange<Exchange::slater>(parts.correlation, cut, points);
    case Exchange::pbe:
      return with_spin_exchange<Exchange::pbe>(parts.correlation, cut, points);
    case Exchange::rev_pbe:
      return with_spin_exchange<Exchange::rev_pbe>(parts.correlation, cut, points);
    case Exchange::becke88:
      return with_spin_exchange<Exchange::becke88>(parts.correlation, cut, points);
  }
}

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::electrons {

HWY_EXPORT(any_spin_points);

void evaluate_points(FunctionalParts parts, const GradientCut& cut,
                     const SpinPointArrays& points) noexcept {
  HWY_DYNAMIC_DISPATCH(any_spin_points)(parts, cut, points);
}

}  // namespace fg::electrons
#endif
