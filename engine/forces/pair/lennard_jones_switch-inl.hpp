// SPDX-License-Identifier: BSD-3-Clause
//
// The two ways in which Lennard-Jones goes smoothly to zero at the cutoff, compiled once per SIMD
// target. Forces are those of the pair kernel: over r, and in units of 12 times the energy.

// Included once per target, hence no #pragma once.
#if defined(FG_FORCES_PAIR_LENNARD_JONES_SWITCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FORCES_PAIR_LENNARD_JONES_SWITCH_INL
#undef FG_FORCES_PAIR_LENNARD_JONES_SWITCH_INL
#else
#define FG_FORCES_PAIR_LENNARD_JONES_SWITCH_INL
#endif

#include <hwy/highway.h>

#include "base/fused-inl.hpp"
#include "base/sized_vectors-inl.hpp"
#include "forces/pair/pair_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class Vec>
struct Switched {
  Vec factor, well;  // force over r, and energy
};

/// The energy `well`, and the force `depth` times `slope` that belongs to it, times S(x) = 1 -
/// 10 x^3 + 15 x^4 - 6 x^5, as OpenMM has it. `past` is r beyond the start, or zero; `inverse` is
/// 1/r.
template <class D, class Real, class Vec = sized::Vec<D> >
HWY_INLINE Switched<Vec> switch_potential(D d, const SwitchConstants<Real>& c, sized::Vec<D> past,
                                          sized::Vec<D> inverse, sized::Vec<D> depth,
                                          sized::Vec<D> slope, sized::Vec<D> well) {
  const Vec x = hn::Mul(past, hn::Set(d, c.scale));
  const Vec x2 = hn::Mul(x, x);
  const Vec cubic = fused::mul_add(fused::mul_add(hn::Set(d, Real(-6)), x, hn::Set(d, Real(15))), x,
                                   hn::Set(d, Real(-10)));
  const Vec value = fused::mul_add(hn::Mul(x2, x), cubic, hn::Set(d, Real(1)));
  const Vec minus_one = hn::Sub(x, hn::Set(d, Real(1)));
  const Vec derivative =
      hn::Mul(hn::Set(d, Real(-30) * c.scale), hn::Mul(x2, hn::Mul(minus_one, minus_one)));
  return {fused::neg_mul_add(hn::Mul(well, hn::Set(d, Real(1.0 / 12.0))),
                             hn::Mul(derivative, inverse), hn::Mul(depth, hn::Mul(slope, value))),
          hn::Mul(well, value)};
}

/// The force that goes to zero, and its energy. `factor` and `well` are those of the plain form.
/// `inverse` is 1/r, and `epsilon` the product that both have as a factor.
template <class D, class Real, class Vec = sized::Vec<D> >
HWY_INLINE Switched<Vec> switch_force(D d, const SwitchConstants<Real>& c, sized::Vec<D> past,
                                      sized::Vec<D> inverse, sized::Vec<D> factor,
                                      sized::Vec<D> well, sized::Vec<D> epsilon,
                                      sized::Vec<D> sigma2) {
  const Vec inverse2 = hn::Mul(inverse, inverse), sigma6 = hn::Mul(hn::Mul(sigma2, sigma2), sigma2);
  const Vec r3 = hn::Mul(inverse2, inverse), r6 = hn::Mul(r3, r3);
  const Vec g3 = hn::Sub(r3, hn::Set(d, c.six.end)), g6 = hn::Sub(r6, hn::Set(d, c.twelve.end));
  const Vec six = hn::Mul(hn::Set(d, c.six.factor), g3);
  const Vec twelve = hn::Mul(hn::Mul(sigma6, hn::Set(d, c.twelve.factor)), g6);
  const Vec c6 = hn::Mul(epsilon, sigma6);
  const Vec slope = hn::Sub(hn::Mul(twelve, r6), hn::Mul(six, hn::Mul(hn::Set(d, Real(0.5)), r3)));
  const Vec energy = hn::Sub(hn::Mul(twelve, g6), hn::Mul(six, g3));
  const Vec shift = fused::mul_sub(sigma6, hn::Set(d, c.twelve.shift), hn::Set(d, c.six.shift));
  const auto beyond = hn::Lt(hn::Zero(d), past);
  return {hn::IfThenElse(beyond, hn::Mul(hn::Mul(c6, inverse2), slope), factor),
          hn::IfThenElse(beyond, hn::Mul(c6, energy), fused::neg_mul_add(c6, shift, well))};
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
