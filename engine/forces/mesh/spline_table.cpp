// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/spline_table.hpp"

#include <algorithm>

#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/mesh/spline_table.cpp"
// clang-format off: foreach_target.h must come before the code that is compiled once per target.
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "forces/mesh/spline_rows-inl.hpp"
#include "forces/mesh/spline_scalar-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace fg::HWY_NAMESPACE {

template <class Real>
TouchedPoints splines_any(const SplineAtoms<Real>& atoms, SplineTable<Real>& table) noexcept {
  switch (table.order) {
    case 4:
      return SplineKernel<Real, 4>::make(atoms, table);
    case 5:
      return SplineKernel<Real, 5>::make(atoms, table);
    case 6:
      return SplineKernel<Real, 6>::make(atoms, table);
    default:
      return SplineKernel<Real, 8>::make(atoms, table);
  }
}

template <class Real>
void spread_any(const SplineTable<Real>& table, const GridView<Real>& grid) noexcept {
  switch (table.order) {
    case 4:
      return SplineKernel<Real, 4>::spread(table, grid);
    case 5:
      return SplineKernel<Real, 5>::spread(table, grid);
    case 6:
      return SplineKernel<Real, 6>::spread(table, grid);
    default:
      return SplineKernel<Real, 8>::spread(table, grid);
  }
}

template <class Real>
void gather_any(const SplineTable<Real>& table, const PotentialRows<Real>& potential,
                Real* forces) noexcept {
  switch (table.order) {
    case 4:
      return SplineKernel<Real, 4>::gather(table, potential, forces);
    case 5:
      return SplineKernel<Real, 5>::gather(table, potential, forces);
    case 6:
      return SplineKernel<Real, 6>::gather(table, potential, forces);
    default:
      return SplineKernel<Real, 8>::gather(table, potential, forces);
  }
}

TouchedPoints splines_float(const SplineAtoms<float>& a, SplineTable<float>& t) {
  return splines_any(a, t);
}
TouchedPoints splines_double(const SplineAtoms<double>& a, SplineTable<double>& t) {
  return splines_any(a, t);
}
void spread_float(const SplineTable<float>& t, const GridView<float>& g) {
  spread_any(t, g);
}
void spread_double(const SplineTable<double>& t, const GridView<double>& g) {
  spread_any(t, g);
}
void gather_float(const SplineTable<float>& t, const PotentialRows<float>& p, float* f) {
  gather_any(t, p, f);
}
void gather_double(const SplineTable<double>& t, const PotentialRows<double>& p, double* f) {
  gather_any(t, p, f);
}

}  // namespace fg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {

HWY_EXPORT(splines_float);
HWY_EXPORT(splines_double);
HWY_EXPORT(spread_float);
HWY_EXPORT(spread_double);
HWY_EXPORT(gather_float);
HWY_EXPORT(gather_double);

template <>
TouchedPoints make_splines(const SplineAtoms<float>& atoms, SplineTable<float>& table) noexcept {
  return HWY_DYNAMIC_DISPATCH(splines_float)(atoms, table);
}
template <>
TouchedPoints make_splines(const SplineAtoms<double>& atoms, SplineTable<double>& table) noexcept {
  return HWY_DYNAMIC_DISPATCH(splines_double)(atoms, table);
}
template <>
void spread_charges(const SplineTable<float>& table, const GridView<float>& grid) noexcept {
  HWY_DYNAMIC_DISPATCH(spread_float)(table, grid);
}
template <>
void spread_charges(const SplineTable<double>& table, const GridView<double>& grid) noexcept {
  HWY_DYNAMIC_DISPATCH(spread_double)(table, grid);
}
template <>
void gather_forces(const SplineTable<float>& table, const PotentialRows<float>& potential,
                   float* forces) noexcept {
  HWY_DYNAMIC_DISPATCH(gather_float)(table, potential, forces);
}
template <>
void gather_forces(const SplineTable<double>& table, const PotentialRows<double>& potential,
                   double* forces) noexcept {
  HWY_DYNAMIC_DISPATCH(gather_double)(table, potential, forces);
}

}  // namespace fg
#endif
