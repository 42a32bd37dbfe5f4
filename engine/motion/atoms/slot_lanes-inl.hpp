// SPDX-License-Identifier: BSD-3-Clause
//
// Slots of a patch in vectors, one molecule per lane. Included once per SIMD target, only by
// kernels.
#if defined(FG_MOTION_SLOT_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_MOTION_SLOT_LANES_INL
#undef FG_MOTION_SLOT_LANES_INL
#else
#define FG_MOTION_SLOT_LANES_INL
#endif

#include "base/sized_vectors-inl.hpp"
#include "base/vec3_lanes-inl.hpp"
#include "hwy/highway.h"
#include "motion/atoms/moving_atoms.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace motion_lanes {

namespace hn = hwy::HWY_NAMESPACE;
using namespace vec3_lanes;
using Doubles = hn::CappedTag<double, MotionLayout::slot_multiple>;
using Slots = hn::Rebind<std::int64_t, Doubles>;
using Vec = sized::Vec<Doubles>;
using SlotVec = sized::Vec<Slots>;

using Vec3v = Vec3Lanes<Vec>;

/// Whole vectors, beginning at slot i.
HWY_INLINE Vec3v load(const double* const* a, int i) {
  const Doubles d;
  return {hn::Load(d, a[0] + i), hn::Load(d, a[1] + i), hn::Load(d, a[2] + i)};
}
HWY_INLINE void store(const Vec3v& v, const Axes& a, int i) {
  const Doubles d;
  hn::Store(v.x, d, a[0] + i);
  hn::Store(v.y, d, a[1] + i);
  hn::Store(v.z, d, a[2] + i);
}

/// One slot per lane.
HWY_INLINE Vec3v gather(const double* const* a, SlotVec slots) {
  const Doubles d;
  return {hn::GatherIndex(d, a[0], slots), hn::GatherIndex(d, a[1], slots),
          hn::GatherIndex(d, a[2], slots)};
}
HWY_INLINE void scatter(const Vec3v& v, const Axes& a, SlotVec slots) {
  const Doubles d;
  hn::ScatterIndex(v.x, d, a[0], slots);
  hn::ScatterIndex(v.y, d, a[1], slots);
  hn::ScatterIndex(v.z, d, a[2], slots);
}

}  // namespace motion_lanes
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#endif
