// SPDX-License-Identifier: BSD-3-Clause
//
// Balancers: pure functions from measured loads to new PEs. They decide where an object works,
// never what it computes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace fg {

/// One element as a balancer sees it.
struct Burden {
  double load = 0;                   // in any unit, the same for all
  int pe = 0;                        // its present PE
  std::array<double, 3> position{};  // elements that communicate are near each other
};

namespace balance {

/// The heaviest first, each to the PE with the least load (longest processing time first: Graham,
/// SIAM J. Appl. Math. 17, 416 (1969)). Moves nearly everything.
std::vector<int> greedy(std::span<const Burden> elements, int pes);

/// Moves as few elements as needed to bring every PE below `tolerance` times the average. Takes
/// from the fullest PE the element that fits best into the emptiest.
std::vector<int> refine(std::span<const Burden> elements, int pes, double tolerance = 1.03);

/// Divides space across its longest side into two parts whose loads are proportional to their
/// numbers of PEs. Then divides each part again (Berger and Bokhari, IEEE Trans. Comput. C-36, 570
/// (1987)).
std::vector<int> bisection(std::span<const Burden> elements, int pes);

/// Random placement; another `seed` gives another one.
std::vector<int> scattered(std::size_t elements, int pes, std::uint64_t seed);

/// The largest load of a PE over the average; 1 is perfect.
double imbalance(std::span<const Burden> elements, std::span<const int> pe_of, int pes);

}  // namespace balance

}  // namespace fg
