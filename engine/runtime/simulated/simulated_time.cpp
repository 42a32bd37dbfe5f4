// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/simulated/simulated_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "runtime/simulated/operation_times.hpp"
#include "runtime/threads/clock.hpp"

// Functions of SimGrid, whose headers redefine functions of the C library.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
void smpi_execute_flops(double operations);
void* sg_host_self();
double sg_host_get_speed(const void* host);  // operations in a second
}
// NOLINTEND(readability-identifier-naming)

namespace fg {

namespace {

using Costs = std::array<double, kinds_of_arithmetic>;

std::optional<Costs> read_costs() {
  const char* const text = std::getenv("FINEGRAIN_SIMULATED_COSTS");
  if (!text) return std::nullopt;
  std::istringstream words(text);
  std::vector<double> given;
  for (double cost = 0; words >> cost;) given.push_back(cost);
  const bool are_costs = std::ranges::all_of(given, [](double cost) { return cost >= 0; });
  if (!words.eof() || !are_costs || given.size() < 3 || given.size() > 4)
    throw InputError({.what = "the costs of arithmetic are not three or four numbers",
                      .where = "FINEGRAIN_SIMULATED_COSTS",
                      .value = text,
                      .hint = "such as 0.25 0.125 1: for transforms, products, all other; a fourth "
                              "one is for ions"});
  // In the order of Work.
  return Costs{given[0], given[1], given[2], given[0], given.size() > 3 ? given[3] : 0};
}

/// 0: nothing is charged.
double read_speed() {
  const char* const text = std::getenv("FINEGRAIN_SIMULATED_SPEED");
  if (!text) return 0;
  std::istringstream words(text);
  double speed = 0;
  std::string more;
  if (!(words >> speed) || words >> more || !(speed > 0) || !std::isfinite(speed))
    throw InputError({.what = "the speed of the simulated processors is not a positive number",
                      .where = "FINEGRAIN_SIMULATED_SPEED",
                      .value = text,
                      .hint = "such as 0.1: a tenth of the speed of the measured processor"});
  return speed;
}

}  // namespace

void charge(Work kind, double operations) {
  static const std::optional<Costs> costs = read_costs();
  const auto number = static_cast<std::size_t>(kind);
  if (!costs) return charge_time(operation_picoseconds[number] * operations);
  const double all = (*costs)[number] * operations;
  if (all > 0) smpi_execute_flops(all);
}

void charge_time(double picoseconds) {
  static const double speed = read_speed();
  if (speed > 0 && picoseconds > 0)
    smpi_execute_flops(1e-12 * picoseconds / speed * sg_host_get_speed(sg_host_self()));
}

}  // namespace fg
