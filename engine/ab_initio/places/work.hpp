// SPDX-License-Identifier: BSD-3-Clause
//
// Predicts the work of PEs in an ab initio run, before anything runs, in floating-point operations
// as division/costs.hpp counts them. It has transforms, points and waves of the density,
// projectors, products of orbitals and of matrices. Sums of vectors of orbitals are left out.
#pragma once

#include <vector>

#include "ab_initio/places/traffic.hpp"

namespace fg::ab_initio {

/// The operations of each PE of the layout.
std::vector<double> operations_of(const OrderCounts& orders, const Job& job, const Basis& basis,
                                  const MatrixTiles& tiles, const ObjectPlaces& places,
                                  const topology::PeLayout& layout);

}  // namespace fg::ab_initio
