// SPDX-License-Identifier: BSD-3-Clause
//
// A row of elements cut into ranges, one for each PE, by known costs. Neighbours in the row stay
// together, and no PE has more to do than it must. Pure functions of integers, so that all
// processes find the same places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fg::balance {

/// The PE of each element: PEs in ascending order along the row. `already` is what each PE has to
/// do without these elements; its size is the number of PEs. The largest sum of a PE is as small as
/// any cut of the row allows (a bisection over this sum, such as in A. Pinar and C. Aykanat, J.
/// Parallel Distrib. Comput. 64, 974 (2004)). Within this limit each PE gets about the average of
/// what is left for it and those after it. So with equal costs, and nothing else to do, the numbers
/// of elements differ by at most one. All numbers are at least 0.
std::vector<int> consecutive(std::span<const std::int64_t> costs,
                             std::span<const std::int64_t> already);

}  // namespace fg::balance
