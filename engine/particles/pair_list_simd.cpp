// SPDX-License-Identifier: BSD-3-Clause
#include "particles/pair_list_simd.hpp"

#include "base/simd_targets.hpp"
#include "particles/neighbourhood.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "particles/pair_list_simd.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "base/fused-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// One bit per lane.
template <class D, class M>
HWY_INLINE std::uint32_t bits_of(D d, M mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  return bits[0] | static_cast<std::uint32_t>(bits[1]) << 8;
}

template <class Real>
HWY_INLINE std::size_t near_boxes(const QuadBoxes<Real>& boxes, std::int32_t home,
                                  std::int32_t first, std::int32_t end, Real cutoff2,
                                  std::uint32_t* near) {
  const hn::CappedTag<Real, 8> d;
  const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
  const auto limit = hn::Set(d, cutoff2);
  const auto zero = hn::Zero(d);
  std::size_t found = 0;
  for (std::int32_t q = first / lanes * lanes; q < end; q += lanes) {
    auto distance2 = zero;
    for (int axis = 0; axis < 3; ++axis) {
      const auto below =
          hn::Sub(hn::Set(d, boxes.low[axis][home]), hn::Load(d, boxes.high[axis] + q));
      const auto above =
          hn::Sub(hn::Load(d, boxes.low[axis] + q), hn::Set(d, boxes.high[axis][home]));
      const auto gap = hn::Max(hn::Max(below, above), zero);
      distance2 = fused::mul_add(gap, gap, distance2);
    }
    std::uint32_t bits = bits_of(d, hn::Lt(distance2, limit));
    while (bits != 0) {
      const std::int32_t found_quad =
          q + static_cast<std::int32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
      near[found] = static_cast<std::uint32_t>(found_quad);
      found += found_quad >= first && found_quad < end;
      bits &= bits - 1;
    }
  }
  return found;
}

/// Four coordinates of each of the quads of a vector.
template <class Real, class D>
HWY_INLINE hn::Vec<D> load_quads(D d, const Real* data, const std::uint32_t* partners, int field) {
#if HWY_MAX_BYTES >= 32
  if constexpr (hn::MaxLanes(d) >= 8) {
    const hn::Half<D> half;
    return hn::Combine(d, load_quads(half, data, partners + hn::MaxLanes(d) / 8, field),
                       load_quads(half, data, partners, field));
  } else
#endif
    return hn::LoadU(d, data + partners[0] + field);
}

template <class Real>
HWY_INLINE std::size_t prune_quads(const Real* data, std::uint32_t home,
                                   const std::uint32_t* partners, std::size_t n, Real cutoff2,
                                   std::uint32_t* kept) {
  const hn::CappedTag<Real, 16> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  constexpr std::size_t quads = lanes < 4 ? 1 : lanes / 4;
  constexpr int parts = lanes < 4 ? 4 / static_cast<int>(lanes) : 1;
  constexpr int part_size = lanes < 4 ? static_cast<int>(lanes) : 4;
  /// Partners are scattered over more memory than the nearest cache has.
  constexpr std::size_t ahead = 24;
  const auto limit = hn::Set(d, cutoff2);
  alignas(64) Real at[12 * lanes];  // x, y, z of the home quad's atoms, one per vector
  for (int row = 0; row < 4; ++row) {
    for (int axis = 0; axis < 3; ++axis)
      hn::Store(hn::Set(d, data[home + 4 * axis + row]), d, at + (3 * row + axis) * lanes);
  }
  std::size_t end = 0;
  const auto keep_near = [&](const std::uint32_t* tested, std::size_t count) HWY_ATTR {
    std::uint32_t bits = 0;
    for (int part = 0; part < parts; ++part) {
      const auto x = load_quads(d, data, tested, quad::x + part_size * part);
      const auto y = load_quads(d, data, tested, quad::y + part_size * part);
      const auto z = load_quads(d, data, tested, quad::z + part_size * part);
      auto least = limit;
      for (int row = 0; row < 4; ++row) {
        const auto dx = hn::Sub(x, hn::Load(d, at + (3 * row + 0) * lanes));
        const auto dy = hn::Sub(y, hn::Load(d, at + (3 * row + 1) * lanes));
        const auto dz = hn::Sub(z, hn::Load(d, at + (3 * row + 2) * lanes));
        const auto r2 = fused::mul_add(dz, dz, fused::mul_add(dy, dy, hn::Mul(dx, dx)));
        least = hn::Min(least, r2);
      }
      bits |= bits_of(d, hn::Lt(least, limit));
    }
    for (std::size_t q = 0; q < count; ++q) {
      kept[end] = tested[q];
      end += (bits >> (4 * q) & 15) != 0;
    }
  };
  std::size_t k = 0;
  for (; k + quads <= n; k += quads) {
    for (std::size_t q = 0; q < quads; ++q) {
      const std::uint32_t next = partners[std::min(k + ahead + q, n - 1)];
      hwy::Prefetch(data + next);
      hwy::Prefetch(data + next + 11);
    }
    keep_near(partners + k, quads);
  }
  if (k == n) return end;
  std::uint32_t last[quads];
  for (std::size_t q = 0; q < quads; ++q) last[q] = partners[std::min(k + q, n - 1)];
  keep_near(last, n - k);
  return end;
}

std::size_t near_float(const QuadBoxes<float>& boxes, std::int32_t home, std::int32_t first,
                       std::int32_t end, float cutoff2, std::uint32_t* near) {
  return near_boxes(boxes, home, first, end, cutoff2, near);
}
std::size_t near_double(const QuadBoxes<double>& boxes, std::int32_t home, std::int32_t first,
                        std::int32_t end, double cutoff2, std::uint32_t* near) {
  return near_boxes(boxes, home, first, end, cutoff2, near);
}
std::size_t prune_float(const float* data, std::uint32_t home, const std::uint32_t* partners,
                        std::size_t n, float cutoff2, std::uint32_t* kept) {
  return prune_quads(data, home, partners, n, cutoff2, kept);
}
std::size_t prune_double(const double* data, std::uint32_t home, const std::uint32_t* partners,
                         std::size_t n, double cutoff2, std::uint32_t* kept) {
  return prune_quads(data, home, partners, n, cutoff2, kept);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {

HWY_EXPORT(near_float);
HWY_EXPORT(near_double);
HWY_EXPORT(prune_float);
HWY_EXPORT(prune_double);

}  // namespace

std::size_t find_near(const QuadBoxes<float>& boxes, std::int32_t home, std::int32_t first,
                      std::int32_t end, float cutoff2, std::uint32_t* near) noexcept {
  return HWY_DYNAMIC_DISPATCH(near_float)(boxes, home, first, end, cutoff2, near);
}
std::size_t find_near(const QuadBoxes<double>& boxes, std::int32_t home, std::int32_t first,
                      std::int32_t end, double cutoff2, std::uint32_t* near) noexcept {
  return HWY_DYNAMIC_DISPATCH(near_double)(boxes, home, first, end, cutoff2, near);
}

std::size_t prune_row(const float* data, std::uint32_t home, const std::uint32_t* partners,
                      std::size_t n, float cutoff2, std::uint32_t* kept) noexcept {
  return HWY_DYNAMIC_DISPATCH(prune_float)(data, home, partners, n, cutoff2, kept);
}
std::size_t prune_row(const double* data, std::uint32_t home, const std::uint32_t* partners,
                      std::size_t n, double cutoff2, std::uint32_t* kept) noexcept {
  return HWY_DYNAMIC_DISPATCH(prune_double)(data, home, partners, n, cutoff2, kept);
}

}  // namespace fg
#endif
