// SPDX-License-Identifier: BSD-3-Clause
//
// The snake order of points, line by line. Each line begins at the end at which the last one
// stopped (Phillips et al., SC14, 81 (2014), section III). In a full box each step goes to a
// neighbour.
#pragma once

#include <span>
#include <vector>

#include "topology/coordinates.hpp"

namespace fg::topology {

/// Puts `rows` of `points` in snake order. The first of `dimensions` varies most slowly, the last
/// one fastest. Rows that agree in all of these dimensions keep their order.
void sort_in_snake_order(const Coordinates& points, std::span<const int> dimensions,
                         std::span<int> rows);

/// The number of positions between the lowest and the highest of `rows`, both included, in each
/// dimension. All zero if there are no rows.
std::vector<int> spans_of(const Coordinates& points, std::span<const int> rows);

/// The numbers of the dimensions, that with the longest span first; equal ones by number.
std::vector<int> longest_first(std::span<const int> spans);

}  // namespace fg::topology
