// SPDX-License-Identifier: BSD-3-Clause
#include "particles/add_fixed.hpp"

#include "base/fixed_point.hpp"
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "particles/add_fixed.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, cluster_size>;

HWY_INLINE hn::Vec<D> load(D d, const double* from) {
  return hn::LoadU(d, from);
}
HWY_INLINE hn::Vec<D> load(D d, const float* from) {
  const hn::Rebind<float, D> narrow;
  return hn::PromoteTo(d, hn::LoadU(narrow, from));
}

template <class Real>
HWY_INLINE int add_clusters(std::int64_t* sums, const Real* values, const std::int32_t* place,
                            int clusters) {
  const D d;
  const hn::RebindToSigned<D> di;
  constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52: the unit place is the last bit
  constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
  const auto scale = hn::Set(d, force_scale.scale);
  const auto shift = hn::Set(d, magic);
  const auto shift_bits = hn::BitCast(di, shift);
  const auto limit = hn::Set(d, force_scale.limit());
  for (int c = 0; c < clusters; ++c, values += cluster_numbers) {
    std::int64_t* const to = sums + static_cast<std::ptrdiff_t>(place[c]) * cluster_numbers;
    auto fit = hn::Eq(scale, scale);
    for (int k = 0; k < cluster_numbers; k += lanes) {
      const auto value = load(d, values + k);
      fit = hn::And(fit, hn::Lt(hn::Abs(value), limit));
      // Multiply, round, add, as FixedScale::to_fixed does. The product with a power of two is
      // exact. So a fused multiply-add would give the same result; it is not used.
      const auto shifted = hn::Add(hn::Mul(value, scale), shift);
      const auto fixed = hn::Sub(hn::BitCast(di, shifted), shift_bits);
      hn::StoreU(hn::Add(hn::LoadU(di, to + k), fixed), di, to + k);
    }
    if (!hn::AllTrue(d, fit)) return c;
  }
  return clusters;
}

int add_float(std::int64_t* sums, const float* values, const std::int32_t* place, int clusters) {
  return add_clusters(sums, values, place, clusters);
}
int add_double(std::int64_t* sums, const double* values, const std::int32_t* place, int clusters) {
  return add_clusters(sums, values, place, clusters);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {

HWY_EXPORT(add_float);
HWY_EXPORT(add_double);

template <class Real>
std::size_t first_bad(const Real* values, std::size_t n) noexcept {
  std::size_t k = 0;
  while (k < n && force_scale.fits(values[k])) ++k;
  return k;
}

}  // namespace

int add_fixed(std::int64_t* sums, const float* values, const std::int32_t* place,
              int clusters) noexcept {
  return HWY_DYNAMIC_DISPATCH(add_float)(sums, values, place, clusters);
}
int add_fixed(std::int64_t* sums, const double* values, const std::int32_t* place,
              int clusters) noexcept {
  return HWY_DYNAMIC_DISPATCH(add_double)(sums, values, place, clusters);
}

std::size_t find_bad(const float* values, std::size_t n) noexcept {
  return first_bad(values, n);
}
std::size_t find_bad(const double* values, std::size_t n) noexcept {
  return first_bad(values, n);
}

}  // namespace fg
#endif
