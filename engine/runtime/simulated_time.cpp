// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/simulated_time.hpp"

#include <array>
#include <cstdlib>
#include <sstream>

#include "base/error.hpp"
#include "runtime/threads/clock.hpp"

// A function of SimGrid, whose headers redefine functions of the C library.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void smpi_execute_flops(double operations);

namespace fg {

namespace {

using Costs = std::array<double, 3>;

Costs read_costs() {
  Costs costs{};
  const char* const text = std::getenv("FINEGRAIN_SIMULATED_COSTS");
  if (!text) return costs;
  std::istringstream words(text);
  for (double& cost : costs)
    if (!(words >> cost) || cost < 0)
      throw InputError({.what = "the costs of arithmetic are not three numbers",
                        .where = "FINEGRAIN_SIMULATED_COSTS",
                        .value = text,
                        .hint = "such as 0.25 0.125 1: for transforms, products, all other"});
  return costs;
}

}  // namespace

void charge(Work kind, double operations) {
  static const Costs costs = read_costs();
  const double all = costs[static_cast<std::size_t>(kind)] * operations;
  if (all > 0) smpi_execute_flops(all);
}

}  // namespace fg
