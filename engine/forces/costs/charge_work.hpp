// SPDX-License-Identifier: BSD-3-Clause
//
// What an object has just done, in counts of the kinds of work_times.hpp. On a simulated machine it
// takes the time of the table (runtime/simulated/simulated_time.hpp); elsewhere this is nothing. A
// test compiles the objects with FG_COUNT_WORK, and then finds the sums of all counts in `charged`.
#pragma once

#include <array>
#include <initializer_list>
#include <utility>

#include "forces/costs/work_times.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg {

/// For `share` of the work, if an object does it in several entries.
using CountedWork = std::initializer_list<std::pair<WorkKind, double>>;

#ifdef FG_COUNT_WORK
// A namespace of its own, because the rest of the test's program has the functions without counts.
inline namespace counted {
inline constexpr bool work_is_charged = true;
inline std::array<double, kinds_of_work.size()> charged{};  // by one PE
template <class Real>
void charge_work(CountedWork counts, double share = 1) {
  for (const auto& [kind, count] : counts) charged[kind] += share * count;
}
}  // namespace counted
#else
inline constexpr bool work_is_charged = time_is_simulated;
template <class Real>
void charge_work(CountedWork counts, double share = 1) {
  if constexpr (work_is_charged) {
    double picoseconds = 0;
    for (const auto& [kind, count] : counts)
      picoseconds += count * static_cast<double>(times_of_work<Real>()[kind]);
    charge_time(share * picoseconds);
  }
}
#endif

}  // namespace fg
