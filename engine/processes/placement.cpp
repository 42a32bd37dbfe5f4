// SPDX-License-Identifier: BSD-3-Clause
#include "processes/placement.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "processes/torus_name.hpp"
#include "processes/two_levels.hpp"
#include "runtime/places/balance.hpp"

namespace fg {

namespace {

/// The position in the unit cube. Patches, their computes and their pencils are near each other.
std::array<double, 3> position(const ArrayCore& array, int ordinal) {
  const auto index = array.index_of(ordinal);
  std::array<double, 3> position{0.5, 0.5, 0.5};
  for (std::size_t axis = 0; axis < 3 && axis < static_cast<std::size_t>(array.dimensions); ++axis)
    position[axis] = (index[axis] + 0.5) / array.shape[axis];
  return position;
}

constexpr std::string_view torus_prefix = "torus-";

}  // namespace

std::array<int, 4> torus_numbers(const std::string& map) {
  std::array<int, 4> numbers{};
  const char* at = map.data() + torus_prefix.size();
  const char* const end = map.data() + map.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, numbers[i]);
    const char after = i < 2 ? 'x' : '-';
    if (error != std::errc() || numbers[i] < 1 || numbers[i] > 4096 ||
        (i < 3 ? next == end || *next != after : next != end))
      throw InputError({.what = "the torus of a map cannot be read",
                        .where = "--map",
                        .value = map,
                        .hint = "three sides and a number of prisms, such as torus-4x4x8-16"});
    at = next + 1;
  }
  return numbers;
}

std::optional<TorusPrisms> torus_of(const std::string& map) {
  if (!map.starts_with(torus_prefix)) return {};
  const auto [x, y, z, prisms] = torus_numbers(map);
  const TorusPrisms torus({x, y, z}, prisms);
  if (!torus.valid())
    throw InputError({.what = "a torus cannot be cut into this number of equal prisms",
                      .where = "--map",
                      .value = map,
                      .limit = "rectangles that tile " + std::to_string(x) + " x " +
                               std::to_string(y) + " nodes",
                      .hint = "the prisms span the third side"});
  return torus;
}

void require_nodes(const TorusPrisms& torus, const std::string& map, int pes) {
  if (torus.nodes() == pes) return;
  throw InputError({.what = "the torus of a map has another number of nodes than there are PEs",
                    .where = "--map",
                    .value = map,
                    .limit = std::to_string(pes) + " PEs"});
}

void check_balancer(const std::string& balancer) {
  if (std::find(std::begin(balancer_names), std::end(balancer_names), balancer) ==
      std::end(balancer_names))
    throw InputError({.what = "unknown balancer",
                      .value = balancer,
                      .hint = "the balancers are none, refine, greedy, bisection and random"});
}

topology::PeLayout layout_of_pes(const Runtime& runtime) {
  return {.processes = runtime.processes(),
          .pes_a_process = runtime.pes_here(),
          .hosts = {runtime.hosts().begin(), runtime.hosts().end()}};
}

std::vector<Runtime::Placement> balanced(Runtime& runtime, const std::vector<ArrayCore*>& arrays,
                                         const std::string& balancer, std::int64_t round) {
  runtime.agree_on_places();
  std::vector<Burden> burdens;
  for (ArrayCore* array : arrays) {
    const auto loads = runtime.loads(*array);
    for (std::size_t i = 0; i < loads.size(); ++i)
      burdens.push_back({.load = static_cast<double>(loads[i]),
                         .pe = array->locations[i].pe,
                         .position = position(*array, static_cast<int>(i))});
  }
  const std::vector<int> pes =
      balancer == "random"
          ? balance::scattered(burdens.size(), runtime.pes(), static_cast<std::uint64_t>(round))
          : balanced_in_two_levels(balancer, burdens, layout_of_pes(runtime));
  std::vector<Runtime::Placement> placements;
  auto next = pes.begin();
  for (ArrayCore* array : arrays) {
    const auto size = static_cast<std::ptrdiff_t>(array->locations.size());
    placements.push_back({array, {next, next + size}});
    next += size;
  }
  return placements;
}

}  // namespace fg
