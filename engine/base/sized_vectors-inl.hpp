// SPDX-License-Identifier: BSD-3-Clause
//
// The types of vectors and masks, for members of structs, elements of arrays and variables of
// kernels. They are Highway's own, except for Arm's SVE. Highway's types for SVE have no size that
// the compiler knows, so only local variables can have them. The types here have 256 bits, as every
// vector of the target SVE_256 has. They are converted where Highway's functions take or return
// them. Included once per SIMD target, only by kernels.
#if defined(FG_BASE_SIZED_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_BASE_SIZED_VECTORS_INL
#undef FG_BASE_SIZED_VECTORS_INL
#else
#define FG_BASE_SIZED_VECTORS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace sized {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SVE_256
template <class Unsized>
struct Of {
  using type [[gnu::arm_sve_vector_bits(256)]] = Unsized;
};
template <class D>
using Vec = typename Of<hn::Vec<D> >::type;
template <class D>
using Mask = typename Of<hn::Mask<D> >::type;
#else
template <class D>
using Vec = hn::Vec<D>;
template <class D>
using Mask = hn::Mask<D>;
#endif

/// The lanes of a tag, also of a half of one, of which Highway's MaxLanes expects too few with SVE.
template <class D>
constexpr std::size_t lanes(D d) {
#if HWY_TARGET == HWY_SVE_256
  return hn::Lanes(d);
#else
  return hn::MaxLanes(d);
#endif
}

/// Highway's own type, for those of its functions that want several vectors of one type.
template <class D>
HWY_INLINE hn::Vec<D> plain(D, Vec<D> v) {
  return v;
}

}  // namespace sized
}  // namespace HWY_NAMESPACE
}  // namespace fg

#if HWY_TARGET == HWY_SVE_256
namespace hwy {
namespace HWY_NAMESPACE {

// Functions for vectors of any type find out by this what is in them.
template <>
struct DFromV_t<fg::HWY_NAMESPACE::sized::Of<svfloat64_t>::type> : DFromV_t<svfloat64_t> {};
template <>
struct DFromV_t<fg::HWY_NAMESPACE::sized::Of<svfloat32_t>::type> : DFromV_t<svfloat32_t> {};
template <>
struct DFromV_t<fg::HWY_NAMESPACE::sized::Of<svint64_t>::type> : DFromV_t<svint64_t> {};
template <>
struct DFromV_t<fg::HWY_NAMESPACE::sized::Of<svint32_t>::type> : DFromV_t<svint32_t> {};

}  // namespace HWY_NAMESPACE
}  // namespace hwy
#endif
HWY_AFTER_NAMESPACE();

#endif
