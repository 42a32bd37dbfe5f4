// SPDX-License-Identifier: BSD-3-Clause
#include "particles/add_fixed.hpp"

#include "base/fixed_point.hpp"
#include "base/simd_targets.hpp"
#include "particles/neighbourhood.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "particles/add_fixed.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> load(D d, const double* from) {
  return hn::LoadU(d, from);
}
template <class D>
HWY_INLINE hn::Vec<D> load(D d, const float* from) {
  const hn::Rebind<float, D> narrow;
  return hn::PromoteTo(d, hn::LoadU(narrow, from));
}

/// Adds a vector of forces. `fit` becomes false in lanes with one that does not fit.
template <class D, class Real>
HWY_INLINE void add_vector(D d, const Real* values, std::int64_t* to, hn::Mask<D>& fit) {
  const hn::RebindToSigned<D> di;
  constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52: the unit place is the last bit
  const auto shift = hn::Set(d, magic);
  const auto value = load(d, values);
  fit = hn::And(fit, hn::Lt(hn::Abs(value), hn::Set(d, force_scale.limit())));
  // Multiply, round, add, as FixedScale::to_fixed does. The product with a power of two is
  // exact. So a fused multiply-add would give the same result; it is not used.
  const auto shifted = hn::Add(hn::Mul(value, hn::Set(d, force_scale.scale)), shift);
  const auto fixed = hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, shift));
  hn::StoreU(hn::Add(hn::LoadU(di, to), fixed), di, to);
}

template <class D>
HWY_INLINE hn::Mask<D> all_lanes(D d) {
  const auto any = hn::Zero(d);
  return hn::Eq(any, any);
}

template <class Real>
HWY_INLINE int add_clusters(std::int64_t* sums, const Real* values, const std::int32_t* place,
                            int clusters) {
  const hn::CappedTag<double, cluster_size> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  for (int c = 0; c < clusters; ++c, values += cluster_numbers) {
    std::int64_t* const to = sums + static_cast<std::ptrdiff_t>(place[c]) * cluster_numbers;
    auto fit = all_lanes(d);
    for (int k = 0; k < cluster_numbers; k += lanes) add_vector(d, values + k, to + k, fit);
    if (!hn::AllTrue(d, fit)) return c;
  }
  return clusters;
}

/// The number of clusters before one that does not fit.
template <class Real>
HWY_INLINE std::size_t add_quads(std::int64_t* sums, const Real* quads,
                                 std::span<const std::int32_t> touched) {
  const hn::CappedTag<double, quad_size> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  for (std::size_t t = 0; t < touched.size(); ++t) {
    const auto cluster = static_cast<std::ptrdiff_t>(touched[t]);
    const Real* const from = quads + 2 * cluster * quad::stride + quad::force_x;
    std::int64_t* const to = sums + cluster * cluster_numbers;
    auto fit = all_lanes(d);
    for (int axis = 0; axis < 3; ++axis)
      for (int half = 0; half < 2; ++half)
        for (int k = 0; k < quad_size; k += lanes)
          add_vector(d, from + half * quad::stride + axis * quad_size + k,
                     to + axis * cluster_size + half * quad_size + k, fit);
    if (!hn::AllTrue(d, fit)) return t;
  }
  return touched.size();
}

int add_float(std::int64_t* sums, const float* values, const std::int32_t* place, int clusters) {
  return add_clusters(sums, values, place, clusters);
}
int add_double(std::int64_t* sums, const double* values, const std::int32_t* place, int clusters) {
  return add_clusters(sums, values, place, clusters);
}
std::size_t add_quads_float(std::int64_t* sums, const float* quads,
                            std::span<const std::int32_t> touched) {
  return add_quads(sums, quads, touched);
}
std::size_t add_quads_double(std::int64_t* sums, const double* quads,
                             std::span<const std::int32_t> touched) {
  return add_quads(sums, quads, touched);
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
HWY_EXPORT(add_quads_float);
HWY_EXPORT(add_quads_double);

template <class Real>
std::size_t first_bad(const Real* values, std::size_t n) noexcept {
  std::size_t k = 0;
  while (k < n && force_scale.fits(values[k])) ++k;
  return k;
}

/// The slot of a force of this cluster that does not fit.
template <class Real>
int bad_slot(const Real* quads, std::int32_t cluster) noexcept {
  for (int half = 0;; ++half) {
    const Real* const forces = quads + (2 * cluster + half) * quad::stride + quad::force_x;
    const std::size_t bad = first_bad(forces, 3 * quad_size);
    if (bad < 3 * quad_size || half == 1)
      return cluster * cluster_size + half * quad_size + static_cast<int>(bad) % quad_size;
  }
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

int add_fixed_quads(std::int64_t* sums, const float* quads,
                    std::span<const std::int32_t> touched) noexcept {
  const std::size_t added = HWY_DYNAMIC_DISPATCH(add_quads_float)(sums, quads, touched);
  return added == touched.size() ? -1 : bad_slot(quads, touched[added]);
}
int add_fixed_quads(std::int64_t* sums, const double* quads,
                    std::span<const std::int32_t> touched) noexcept {
  const std::size_t added = HWY_DYNAMIC_DISPATCH(add_quads_double)(sums, quads, touched);
  return added == touched.size() ? -1 : bad_slot(quads, touched[added]);
}

std::size_t find_bad(const float* values, std::size_t n) noexcept {
  return first_bad(values, n);
}
std::size_t find_bad(const double* values, std::size_t n) noexcept {
  return first_bad(values, n);
}

}  // namespace fg
#endif
