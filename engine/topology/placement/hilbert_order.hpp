// SPDX-License-Identifier: BSD-3-Clause
//
// The order of points along Hilbert's curve. In a cube whose side is a power of two, each step goes
// to a neighbour. Any other box is part of the smallest such cube around it. The other points of
// the cube are left out.
#pragma once

#include <span>

#include "topology/coordinates.hpp"

namespace fg::topology {

/// Puts `rows` of `points` in Hilbert order. Rows at the same point keep their order. Throws
/// InputError if the bits of a coordinate times the number of dimensions exceed 64.
void sort_in_hilbert_order(const Coordinates& points, std::span<int> rows);

}  // namespace fg::topology
