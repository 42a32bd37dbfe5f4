// SPDX-License-Identifier: BSD-3-Clause
//
// Whole vectors here; the plain loops do the numbers behind the last of them.
#include "ab_initio/orbitals/motion_lines.hpp"

#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ab_initio/orbitals/motion_lines.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::ab_initio::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Vec = hn::Vec<Tag>;

HWY_INLINE std::size_t whole(std::size_t n) {
  return n - n % hn::Lanes(Tag());
}
HWY_INLINE Drift behind(const Drift& of, std::size_t end) {
  Drift rest = of;
  rest.h += end;
  rest.masses += end;
  return rest;
}
/// force_time h / m.
HWY_INLINE Vec change(const double* h, const double* masses, double force_time, std::size_t i) {
  const Tag d;
  return hn::Div(hn::Mul(hn::Set(d, force_time), hn::LoadU(d, h + i)), hn::LoadU(d, masses + i));
}

double kick(const double* h, const double* masses, double force_time, std::size_t n, double* v) {
  const Tag d;
  const std::size_t end = whole(n);
  Vec sum = hn::Zero(d);
  for (std::size_t i = 0; i < end; i += hn::Lanes(d)) {
    const Vec u = hn::Sub(hn::LoadU(d, v + i), change(h, masses, force_time, i));
    hn::StoreU(u, d, v + i);
    sum = hn::MulAdd(hn::Mul(hn::LoadU(d, masses + i), u), u, sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum)) +
         reference::kick_line(h + end, masses + end, force_time, n - end, v + end);
}

void drift(const Drift& of, const double* c, std::size_t n, double* v, double* moved,
           double* pulled) {
  const Tag d;
  const std::size_t end = whole(n);
  const Vec scale = hn::Set(d, of.velocity_scale), time = hn::Set(d, of.timestep);
  for (std::size_t i = 0; i < end; i += hn::Lanes(d)) {
    const Vec x = hn::LoadU(d, c + i);
    const Vec u = hn::MulSub(scale, hn::LoadU(d, v + i), change(of.h, of.masses, of.force_time, i));
    hn::StoreU(u, d, v + i);
    hn::StoreU(hn::MulAdd(time, u, x), d, moved + i);
    hn::StoreU(hn::Div(x, hn::LoadU(d, of.masses + i)), d, pulled + i);
  }
  reference::drift_line(behind(of, end), c + end, n - end, v + end, moved + end, pulled + end);
}

void free_drift(const Drift& of, std::size_t n, double* v, double* c) {
  const Tag d;
  const std::size_t end = whole(n);
  const Vec scale = hn::Set(d, of.velocity_scale), time = hn::Set(d, of.timestep);
  for (std::size_t i = 0; i < end; i += hn::Lanes(d)) {
    const Vec u = hn::MulSub(scale, hn::LoadU(d, v + i), change(of.h, of.masses, of.force_time, i));
    hn::StoreU(u, d, v + i);
    hn::StoreU(hn::MulAdd(time, u, hn::LoadU(d, c + i)), d, c + i);
  }
  reference::free_drift_line(behind(of, end), n - end, v + end, c + end);
}

void constrain(const double* moved, const double* by, double timestep, std::size_t n, double* v,
               double* c) {
  const Tag d;
  const std::size_t end = whole(n);
  const Vec time = hn::Set(d, timestep);
  for (std::size_t i = 0; i < end; i += hn::Lanes(d)) {
    const Vec y = hn::LoadU(d, by + i);
    hn::StoreU(hn::Add(hn::LoadU(d, moved + i), y), d, c + i);
    hn::StoreU(hn::Add(hn::LoadU(d, v + i), hn::Div(y, time)), d, v + i);
  }
  reference::constrain_line(moved + end, by + end, timestep, n - end, v + end, c + end);
}

}  // namespace fg::ab_initio::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::ab_initio {

HWY_EXPORT(kick);
HWY_EXPORT(drift);
HWY_EXPORT(free_drift);
HWY_EXPORT(constrain);

double kick_line(const double* h, const double* masses, double force_time, std::size_t n,
                 double* v) noexcept {
  return HWY_DYNAMIC_DISPATCH(kick)(h, masses, force_time, n, v);
}

void drift_line(const Drift& of, const double* c, std::size_t n, double* v, double* moved,
                double* pulled) noexcept {
  HWY_DYNAMIC_DISPATCH(drift)(of, c, n, v, moved, pulled);
}

void free_drift_line(const Drift& of, std::size_t n, double* v, double* c) noexcept {
  HWY_DYNAMIC_DISPATCH(free_drift)(of, n, v, c);
}

void constrain_line(const double* moved, const double* by, double timestep, std::size_t n,
                    double* v, double* c) noexcept {
  HWY_DYNAMIC_DISPATCH(constrain)(moved, by, timestep, n, v, c);
}

}  // namespace fg::ab_initio
#endif
