// SPDX-License-Identifier: BSD-3-Clause
//
// Three-dimensional vectors side by side, one in each lane: for kernels that compute many molecules
// or terms at once. Products are fused with sums (fused-inl.hpp). Included once per SIMD target,
// only by kernels.
#if defined(FG_BASE_VEC3_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_BASE_VEC3_LANES_INL
#undef FG_BASE_VEC3_LANES_INL
#else
#define FG_BASE_VEC3_LANES_INL
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "base/fused-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace vec3_lanes {

namespace hn = hwy::HWY_NAMESPACE;

template <class V>
struct Vec3Lanes {
  V x, y, z;
};

template <class V>
HWY_INLINE Vec3Lanes<V> sub(const Vec3Lanes<V>& a, const Vec3Lanes<V>& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
template <class V>
HWY_INLINE Vec3Lanes<V> add(const Vec3Lanes<V>& a, const Vec3Lanes<V>& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
template <class V>
HWY_INLINE Vec3Lanes<V> neg(const Vec3Lanes<V>& a) {
  return {hn::Neg(a.x), hn::Neg(a.y), hn::Neg(a.z)};
}
template <class V>
HWY_INLINE Vec3Lanes<V> scale(std::type_identity_t<V> s, const Vec3Lanes<V>& a) {
  return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}
/// s a + b
template <class V>
HWY_INLINE Vec3Lanes<V> mul_add(std::type_identity_t<V> s, const Vec3Lanes<V>& a,
                                const Vec3Lanes<V>& b) {
  return {fused::mul_add(V(s), a.x, b.x), fused::mul_add(V(s), a.y, b.y),
          fused::mul_add(V(s), a.z, b.z)};
}
template <class V>
HWY_INLINE V dot(const Vec3Lanes<V>& a, const Vec3Lanes<V>& b) {
  return fused::mul_add(a.z, b.z, fused::mul_add(a.y, b.y, hn::Mul(a.x, b.x)));
}
template <class V>
HWY_INLINE Vec3Lanes<V> cross(const Vec3Lanes<V>& a, const Vec3Lanes<V>& b) {
  return {fused::neg_mul_add(a.z, b.y, hn::Mul(a.y, b.z)),
          fused::neg_mul_add(a.x, b.z, hn::Mul(a.z, b.x)),
          fused::neg_mul_add(a.y, b.x, hn::Mul(a.x, b.y))};
}

}  // namespace vec3_lanes
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#endif
