// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel without spin. The powers of the density are computed once for both terms.
#include <algorithm>

#include "base/simd_targets.hpp"
#include "electrons/exchange_correlation/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "electrons/exchange_correlation/points.cpp"
// clang-format off: foreach_target.h must come before the code that is compiled once per target.
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "electrons/exchange_correlation/exchange-inl.hpp"
#include "electrons/exchange_correlation/lyp_correlation-inl.hpp"
#include "electrons/exchange_correlation/pbe_correlation-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

template <Correlation C>
HWY_INLINE Term correlation(Lanes rho, Lanes sigma, Lanes u) {
  if constexpr (C == Correlation::pbe) {
    return pbe_correlation(rho, sigma, u);
  } else if constexpr (C == Correlation::lyp) {
    return lyp_correlation(rho, sigma, u);
  } else {
    const OfRadius gas = uniform_gas<C>(u);
    return {rho * gas.value, multiply_add((-xc::wigner_seitz / 3) * u, gas.slope, gas.value), 0.0};
  }
}

template <Exchange X, Correlation C>
struct PointKernel {
  static constexpr bool gradient = FunctionalParts{X, C}.uses_gradient();

  static HWY_INLINE Term at(const GradientCut& cut, Lanes density, Lanes sigma) {
    const Mask empty = density <= Lanes(xc::density_floor);
    const Lanes rho = choose(empty, 1.0, density);
    const Lanes u = inverse_cube_root(rho);
    Mask flat = empty;
    if constexpr (gradient) {
      flat = hn::Or(density <= Lanes(cut.density), sigma <= Lanes(cut.sigma));
      sigma = zero_where(hn::Or(empty, flat), at_least(sigma, 0.0));
    }
    Term sum{0.0, 0.0, 0.0};
    if constexpr (X != Exchange::none) sum = exchange<X>(rho, sigma, u);
    if constexpr (C != Correlation::none) {
      const Term c = correlation<C>(rho, sigma, u);
      sum = {sum.energy + c.energy, sum.by_density + c.by_density, sum.by_sigma + c.by_sigma};
    }
    sum.energy = zero_where(empty, sum.energy);
    sum.by_density = zero_where(empty, sum.by_density);
    if constexpr (gradient) sum.by_sigma = zero_where(hn::Or(empty, flat), sum.by_sigma);
    return sum;
  }

  static void run(const GradientCut& cut, const PointArrays& points) noexcept {
    const std::size_t lanes = hn::Lanes(Tag()), count = points.count;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      const Term t =
          at(cut, load(points.density + i), gradient ? load(points.sigma + i) : Lanes(0.0));
      store(t.energy, points.energy + i);
      store(t.by_density, points.by_density + i);
      if constexpr (gradient) store(t.by_sigma, points.by_sigma + i);
    }
    if (i == count) return;
    // The last points, in a vector filled up with empty ones.
    constexpr std::size_t most = hn::MaxLanes(Tag());
    double in[2][most] = {}, out[3][most];
    const std::size_t rest = count - i;
    std::copy_n(points.density + i, rest, in[0]);
    if constexpr (gradient) std::copy_n(points.sigma + i, rest, in[1]);
    const Term t = at(cut, load(in[0]), load(in[1]));
    store(t.energy, out[0]);
    store(t.by_density, out[1]);
    store(t.by_sigma, out[2]);
    std::copy_n(out[0], rest, points.energy + i);
    std::copy_n(out[1], rest, points.by_density + i);
    if constexpr (gradient) std::copy_n(out[2], rest, points.by_sigma + i);
  }
};

template <Exchange X>
void with_exchange(Correlation c, const GradientCut& cut, const PointArrays& points) noexcept {
  switch (c) {
    case Correlation::none:
      return PointKernel<X, Correlation::none>::run(cut, points);
    case Correlation::pz81:
      return PointKernel<X, Correlation::pz81>::run(cut, points);
    case Correlation::pw92:
      return PointKernel<X, Correlation::pw92>::run(cut, points);
    case Correlation::pbe:
      return PointKernel<X, Correlation::pbe>::run(cut, points);
    case Correlation::lyp:
      return PointKernel<X, Correlation::lyp>::run(cut, points);
  }
}

void any_points(FunctionalParts parts, const GradientCut& cut, const PointArrays& points) {
  switch (parts.exchange) {
    case Exchange::none:
      return with_exchange<Exchange::none>(parts.correlation, cut, points);
    case Exchange::slater:
      return with_exchange<Exchange::slater>(parts.correlation, cut, points);
    case Exchange::pbe:
      return with_exchange<Exchange::pbe>(parts.correlation, cut, points);
    case Exchange::rev_pbe:
      return with_exchange<Exchange::rev_pbe>(parts.correlation, cut, points);
    case Exchange::becke88:
      return with_exchange<Exchange::becke88>(parts.correlation, cut, points);
  }
}

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::electrons {

HWY_EXPORT(any_points);

void evaluate_points(FunctionalParts parts, const GradientCut& cut,
                     const PointArrays& points) noexcept {
  HWY_DYNAMIC_DISPATCH(any_points)(parts, cut, points);
}

}  // namespace fg::electrons
#endif
