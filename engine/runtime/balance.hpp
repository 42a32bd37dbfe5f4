// SPDX-License-Identifier: BSD-3-Clause
//
// Balancers: pure functions from what was measured to new PEs. They decide where work happens and
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
  int pe = 0;                        // where it is now
  std::array<double, 3> position{};  // elements that talk to each other lie near each other
};

namespace balance {

/// Heaviest first, each to the PE that has least (longest processing time first: Graham, SIAM J.
/// Appl. Math. 17, 416 (1969)). Moves nearly everything.
std::vector<int> greedy(std::span<const Burden> elements, int pes);

/// Moves as little as brings every PE below `tolerance` times the average, taking from the fullest
/// what fits best into the emptiest.
std::vector<int> refine(std::span<const Burden> elements, int pes, double tolerance = 1.03);

/// Cuts space across its longest side into two parts whose loads are as the numbers of their PEs,
/// and each part again (Berger and Bokhari, IEEE Trans. Comput. C-36, 570 (1987)).
std::vector<int> bisection(std::span<const Burden> elements, int pes);

/// Without pattern; another `seed`, another placement.
std::vector<int> scattered(std::size_t elements, int pes, std::uint64_t seed);

/// The largest load of a PE over the average; 1 is perfect.
double imbalance(std::span<const Burden> elements, std::span<const int> pe_of, int pes);

}  // namespace balance

}  // namespace fg
