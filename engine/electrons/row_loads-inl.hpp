// SPDX-License-Identifier: BSD-3-Clause
//
// What products of rows of numbers share: the vectors of a row, of which the last need not be full.
// Included once per SIMD target, only by kernels.
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

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
