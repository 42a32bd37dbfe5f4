// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/matrices/point_products.hpp"

#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "electrons/matrices/point_products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;

/// `body(d, i)` for full vectors from i on, then for one number at a time: the same operations.
template <class Body>
HWY_INLINE void for_each_vector(std::size_t count, const Body& body) {
  const Tag d;
  const hn::CappedTag<double, 1> one;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) body(d, i);
  for (; i < count; ++i) body(one, i);
}

void squares(const double* points, std::size_t count, double* sums) {
  for_each_vector(count, [&](auto d, std::size_t i) HWY_ATTR {
    hn::Vec<decltype(d)> a, b;
    hn::LoadInterleaved2(d, points + 2 * i, a, b);
    hn::StoreU(hn::MulAdd(a, a, hn::MulAdd(b, b, hn::LoadU(d, sums + i))), d, sums + i);
  });
}

void products(const double* factors, std::size_t count, double* points) {
  for_each_vector(count, [&](auto d, std::size_t i) HWY_ATTR {
    hn::Vec<decltype(d)> a, b;
    hn::LoadInterleaved2(d, points + 2 * i, a, b);
    const auto factor = hn::LoadU(d, factors + i);
    hn::StoreInterleaved2(hn::Mul(a, factor), hn::Mul(b, factor), d, points + 2 * i);
  });
}

}  // namespace
}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::electrons {

HWY_EXPORT(squares);
HWY_EXPORT(products);

void add_squares(const std::complex<double>* points, std::size_t count, double* sums) noexcept {
  HWY_DYNAMIC_DISPATCH(squares)(reinterpret_cast<const double*>(points), count, sums);
}

void multiply_points(const double* factors, std::size_t count,
                     std::complex<double>* points) noexcept {
  HWY_DYNAMIC_DISPATCH(products)(factors, count, reinterpret_cast<double*>(points));
}

}  // namespace fg::electrons
#endif
