// SPDX-License-Identifier: BSD-3-Clause
//
// Whole vectors here; the plain loops do the numbers behind the last of them.
#include "ab_initio/orbitals/orbital_lines.hpp"

#include <algorithm>

#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ab_initio/orbitals/orbital_lines.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::ab_initio::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using FloatTag = hn::Rebind<float, Tag>;
using Vec = hn::Vec<Tag>;

/// The numbers of `n` that are in whole vectors; none if vectors hold no complex number.
HWY_INLINE std::size_t whole(std::size_t n) {
  const std::size_t lanes = hn::Lanes(Tag());
  return lanes < 2 ? 0 : n - n % lanes;
}
HWY_INLINE double sum_of(Vec all) {
  return hn::GetLane(hn::SumOfLanes(Tag(), all));
}
HWY_INLINE Vec wide(const float* from) {
  return hn::PromoteTo(Tag(), hn::LoadU(FloatTag(), from));
}
HWY_INLINE Vec denominator(Vec squares, double below) {
  const Tag d;
  return hn::MulAdd(hn::Set(d, 0.5), squares, hn::Set(d, below));
}

double kinetic(const double* squares, const double* psi, std::size_t n, double* to) {
  const Tag d;
  const std::size_t end = whole(n);
  Vec sum = hn::Zero(d);
  const Vec half = hn::Set(d, 0.5);
  for (std::size_t i = 0; i < end; i += hn::Lanes(d)) {
    const Vec c = hn::LoadU(d, psi + i);
    const Vec h = hn::Mul(hn::LoadU(d, squares + i), c);
    sum = hn::MulAdd(h, c, sum);
    hn::StoreU(hn::Mul(half, h), d, to + i);
  }
  return sum_of(sum) + reference::kinetic_line(squares + end, psi + end, n - end, to + end);
}

GradientSums gradient(const double* h_psi, const double* inside, const double* direction,
                      std::size_t n, double* gradient) {
  const Tag d;
  const std::size_t end = whole(n);
  Vec sum = hn::Zero(d), largest = hn::Zero(d);
  for (std::size_t i = 0; i < end; i += hn::Lanes(d)) {
    const Vec g = hn::Sub(hn::LoadU(d, h_psi + i), hn::LoadU(d, inside + i));
    hn::StoreU(g, d, gradient + i);
    sum = hn::MulAdd(g, hn::LoadU(d, direction + i), sum);
    const Vec square = hn::Mul(g, g);
    largest = hn::Max(largest, hn::Add(square, hn::Reverse2(d, square)));
  }
  const GradientSums rest =
      reference::gradient_line(h_psi + end, inside + end, direction + end, n - end, gradient + end);
  return {.largest = std::max(hn::GetLane(hn::MaxOfLanes(d, largest)), rest.largest),
          .slope = sum_of(sum) + rest.slope};
}

double direction(const double* inside, const double* gradient, std::size_t n, double* direction) {
  const Tag d;
  const std::size_t end = whole(n);
  Vec sum = hn::Zero(d);
  for (std::size_t i = 0; i < end; i += hn::Lanes(d)) {
    const Vec x = hn::Sub(hn::LoadU(d, direction + i), hn::LoadU(d, inside + i));
    hn::StoreU(x, d, direction + i);
    sum = hn::MulAdd(x, hn::LoadU(d, gradient + i), sum);
  }
  return sum_of(sum) +
         reference::direction_line(inside + end, gradient + end, n - end, direction + end);
}

void precondition(const double* squares, double below, const double* y, std::size_t n, double* to) {
  const Tag d;
  const std::size_t end = whole(n);
  for (std::size_t i = 0; i < end; i += hn::Lanes(d))
    hn::StoreU(hn::Div(hn::LoadU(d, y + i), denominator(hn::LoadU(d, squares + i), below)), d,
               to + i);
  reference::precondition_line(squares + end, below, y + end, n - end, to + end);
}

void new_pair(const NewPair& of, std::size_t n, float* step, float* change) {
  const Tag d;
  const FloatTag narrow;
  const std::size_t end = whole(n);
  const Vec length = hn::Set(d, of.length);
  for (std::size_t i = 0; i < end; i += hn::Lanes(d)) {
    const Vec s = hn::Mul(length, hn::LoadU(d, of.direction + i));
    const Vec y = hn::Sub(hn::LoadU(d, of.gradient + i), hn::LoadU(d, of.gradient_before + i));
    hn::StoreU(hn::DemoteTo(narrow, s), narrow, step + i);
    hn::StoreU(hn::DemoteTo(narrow, y), narrow, change + i);
  }
  reference::new_pair_line(
      {of.direction + end, of.gradient + end, of.gradient_before + end, of.length}, n - end,
      step + end, change + end);
}

void widen(const float* from, std::size_t n, double* to) {
  const std::size_t end = whole(n);
  for (std::size_t i = 0; i < end; i += hn::Lanes(Tag())) hn::StoreU(wide(from + i), Tag(), to + i);
  reference::widen_line(from + end, n - end, to + end);
}

void search(const double* squares, double below, const double* gradient, const SearchTerms& terms,
            std::size_t n, double* direction) {
  const Tag d;
  const std::size_t end = whole(n);
  const Vec scale = hn::Set(d, -terms.scale);
  for (std::size_t i = 0; i < end; i += hn::Lanes(d)) {
    Vec q = hn::LoadU(d, gradient + i);
    for (std::size_t p = 0; p < terms.changes.size(); ++p)
      q = hn::NegMulAdd(hn::Set(d, terms.by_change[p]), wide(terms.changes[p] + terms.first + i),
                        q);
    Vec r = hn::Div(hn::Mul(scale, q), denominator(hn::LoadU(d, squares + i), below));
    for (std::size_t p = 0; p < terms.steps.size(); ++p)
      r = hn::NegMulAdd(hn::Set(d, terms.by_step[p]), wide(terms.steps[p] + terms.first + i), r);
    hn::StoreU(r, d, direction + i);
  }
  SearchTerms rest = terms;
  rest.first += end;
  reference::search_line(squares + end, below, gradient + end, rest, n - end, direction + end);
}

}  // namespace fg::ab_initio::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::ab_initio {

HWY_EXPORT(kinetic);
HWY_EXPORT(gradient);
HWY_EXPORT(direction);
HWY_EXPORT(precondition);
HWY_EXPORT(new_pair);
HWY_EXPORT(widen);
HWY_EXPORT(search);

double kinetic_line(const double* squares, const double* psi, std::size_t n, double* to) noexcept {
  return HWY_DYNAMIC_DISPATCH(kinetic)(squares, psi, n, to);
}

GradientSums gradient_line(const double* h_psi, const double* inside, const double* direction,
                           std::size_t n, double* gradient) noexcept {
  return HWY_DYNAMIC_DISPATCH(gradient)(h_psi, inside, direction, n, gradient);
}

double direction_line(const double* inside, const double* gradient, std::size_t n,
                      double* direction) noexcept {
  return HWY_DYNAMIC_DISPATCH(direction)(inside, gradient, n, direction);
}

void precondition_line(const double* squares, double below, const double* y, std::size_t n,
                       double* to) noexcept {
  HWY_DYNAMIC_DISPATCH(precondition)(squares, below, y, n, to);
}

void new_pair_line(const NewPair& of, std::size_t n, float* step, float* change) noexcept {
  HWY_DYNAMIC_DISPATCH(new_pair)(of, n, step, change);
}

void widen_line(const float* from, std::size_t n, double* to) noexcept {
  HWY_DYNAMIC_DISPATCH(widen)(from, n, to);
}

void search_line(const double* squares, double below, const double* gradient,
                 const SearchTerms& terms, std::size_t n, double* direction) noexcept {
  HWY_DYNAMIC_DISPATCH(search)(squares, below, gradient, terms, n, direction);
}

}  // namespace fg::ab_initio
#endif
