// SPDX-License-Identifier: BSD-3-Clause
//
// Three-dimensional vectors with one molecule per lane. Included once per SIMD target, only by
// kernels.
#if defined(FG_MOTION_VEC3_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_MOTION_VEC3_LANES_INL
#undef FG_MOTION_VEC3_LANES_INL
#else
#define FG_MOTION_VEC3_LANES_INL
#endif

#include "hwy/highway.h"
#include "motion/moving_atoms.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace motion_lanes {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, MotionLayout::slot_multiple>;
using Slots = hn::Rebind<std::int64_t, Doubles>;
using Vec = hn::Vec<Doubles>;
using SlotVec = hn::Vec<Slots>;

struct Vec3v {
  Vec x, y, z;
};

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

HWY_INLINE Vec3v sub(const Vec3v& a, const Vec3v& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Vec3v add(const Vec3v& a, const Vec3v& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE Vec3v scale(Vec s, const Vec3v& a) {
  return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}
/// s a + b
HWY_INLINE Vec3v mul_add(Vec s, const Vec3v& a, const Vec3v& b) {
  return {hn::MulAdd(s, a.x, b.x), hn::MulAdd(s, a.y, b.y), hn::MulAdd(s, a.z, b.z)};
}
HWY_INLINE Vec dot(const Vec3v& a, const Vec3v& b) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
}
HWY_INLINE Vec3v cross(const Vec3v& a, const Vec3v& b) {
  return {hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)),
          hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y))};
}

}  // namespace motion_lanes
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#endif
