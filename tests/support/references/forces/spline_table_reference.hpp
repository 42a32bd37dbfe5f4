// SPDX-License-Identifier: BSD-3-Clause
//
// The spline kernels in plain C++, atom by atom; gather_forces of a dense block.
#pragma once

#include "forces/mesh/spline_table.hpp"

namespace fg::reference {

template <class Real>
TouchedPoints make_splines(const SplineAtoms<Real>& atoms, SplineTable<Real>& table) noexcept;
template <class Real>
void spread_charges(const SplineTable<Real>& table, const GridView<Real>& grid) noexcept;
template <class Real>
void gather_forces(const SplineTable<Real>& table, const GridView<const Real>& grid,
                   Real* forces) noexcept;

}  // namespace fg::reference
