// SPDX-License-Identifier: BSD-3-Clause
//
// What products of rows of numbers share: the vectors of a row, copies of them, and fetching those
// that come next. The last vector of a row need not be full. Included once per SIMD target, only by
// kernels.
#if defined(FG_ELECTRONS_ROW_LOADS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_ELECTRONS_ROW_LOADS_INL
#undef FG_ELECTRONS_ROW_LOADS_INL
#else
#define FG_ELECTRONS_ROW_LOADS_INL
#endif

#include <algorithm>
#include <cstddef>

#include "base/sized_vectors-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace sized = fg::HWY_NAMESPACE::sized;

using Tag = hn::ScalableTag<double>;
using Vec = sized::Vec<Tag>;

inline constexpr std::size_t most_lanes = HWY_MAX_BYTES / sizeof(double);

/// The first `count` numbers of a vector; the others are 0.
HWY_INLINE Vec load_part(Tag d, const double* from, std::size_t count) {
  HWY_ALIGN double all[most_lanes] = {};
  std::copy_n(from, count, all);
  return hn::Load(d, all);
}

/// The same for any `count`: a whole vector, if there is one.
HWY_INLINE Vec load_up_to(Tag d, const double* from, std::size_t count) {
  if (count >= hn::Lanes(d)) return hn::LoadU(d, from);
  return load_part(d, from, count);
}

/// Asks for numbers that are needed soon. The pieces of rows that are read at once are short, so
/// the processor cannot see by itself what comes next. Memory is slower than the products.
HWY_INLINE void fetch(const double* from) {
  __builtin_prefetch(from, 0, 2);
}

/// Copies `length` numbers of a row, which begins anywhere in a line of the cache. Vectors that lie
/// across two lines cost twice as much, and one copy serves many products. The vectors come to lie
/// `step` numbers apart, and the last one is filled up with zeros.
HWY_INLINE void copy_vectors(const double* row, std::size_t length, double* to, std::size_t step) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t x = 0;
  for (; x + lanes <= length; x += lanes, to += step) hn::Store(hn::LoadU(d, row + x), d, to);
  if (x < length) hn::Store(load_part(d, row + x, length - x), d, to);
}

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
