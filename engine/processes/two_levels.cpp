// SPDX-License-Identifier: BSD-3-Clause
#include "processes/two_levels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <tuple>

#include "base/error.hpp"

namespace fg {

namespace {

using Places = std::vector<int>;
using Point = std::array<double, 3>;

constexpr double tolerance_of_run = 1.03;     // of the fullest PE, over the average
constexpr double tolerance_of_level = 1.015;  // two of these are about one of those

/// The way from one point to another in the periodic unit cube. Without functions of the C library,
/// whose last digits differ between hosts.
Point way(const Point& from, const Point& to) {
  Point between{};
  for (std::size_t axis = 0; axis < between.size(); ++axis) {
    between[axis] = to[axis] - from[axis];
    between[axis] -= std::round(between[axis]);
  }
  return between;
}

double squared_distance(const Point& a, const Point& b) {
  const Point between = way(a, b);
  return between[0] * between[0] + between[1] * between[1] + between[2] * between[2];
}

/// What `refine` between processes knows of one of them.
struct Process {
  double load = 0;
  Point middle{0.5, 0.5, 0.5};
  std::vector<std::size_t> elements{};
};

std::vector<Process> processes_of(std::span<const Burden> elements, const Places& process_of,
                                  int count) {
  std::vector<Process> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Process& process = all[static_cast<std::size_t>(process_of[i])];
    process.load += elements[i].load;
    process.elements.push_back(i);
  }
  for (Process& process : all) {
    if (process.elements.empty()) continue;
    const Point& first = elements[process.elements.front()].position;
    process.middle = first;
    for (const std::size_t i : process.elements) {
      const Point from_first = way(first, elements[i].position);
      for (std::size_t axis = 0; axis < 3; ++axis)
        process.middle[axis] += from_first[axis] / static_cast<double>(process.elements.size());
    }
  }
  return all;
}

/// The process that takes from `full`: on the same host if one there has room enough, then the
/// nearest. Room enough is half of the largest difference of loads.
std::size_t receiver(const std::vector<Process>& all, std::size_t full,
                     const topology::PeLayout& layout) {
  const double least = std::ranges::min_element(all, {}, &Process::load)->load;
  const double enough = all[full].load - (all[full].load - least) / 2;
  const auto rank = [&](std::size_t process) {
    const bool elsewhere =
        layout.host_of(static_cast<int>(process)) != layout.host_of(static_cast<int>(full));
    return std::tuple(all[process].load > enough, elsewhere,
                      squared_distance(all[process].middle, all[full].middle), process);
  };
  std::size_t best = full == 0 ? 1 : 0;
  for (std::size_t process = 0; process < all.size(); ++process)
    if (process != full && rank(process) < rank(best)) best = process;
  return best;
}

/// The element to move. It brings at least half of what the best one would, and of these elements
/// it is the nearest to the receiver. The number of elements if none makes the larger load smaller.
std::size_t mover(std::span<const Burden> elements, const Process& full, const Process& to) {
  const double gap = full.load - to.load;
  const auto left = [&](std::size_t i) {
    return std::max(gap - elements[i].load, elements[i].load);
  };
  double least = gap;
  for (const std::size_t i : full.elements)
    if (elements[i].load > 0) least = std::min(least, left(i));
  std::size_t best = elements.size();
  if (least >= gap) return best;
  double nearest = 0;
  for (const std::size_t i : full.elements) {
    if (elements[i].load <= 0 || left(i) > (least + gap) / 2) continue;
    const double distance = squared_distance(elements[i].position, to.middle);
    if (best == elements.size() || distance < nearest) {
      best = i;
      nearest = distance;
    }
  }
  return best;
}

/// Moves elements from the fullest process to others until it has at most `tolerance` times the
/// average.
void refine_processes(std::span<const Burden> elements, Places& process_of,
                      const topology::PeLayout& layout, double tolerance) {
  std::vector<Process> all = processes_of(elements, process_of, layout.processes);
  double average = 0;
  for (const Process& process : all) average += process.load / layout.processes;
  for (std::size_t moves = 0; moves < elements.size(); ++moves) {
    const auto full =
        static_cast<std::size_t>(std::ranges::max_element(all, {}, &Process::load) - all.begin());
    if (all[full].load <= tolerance * average) break;
    const std::size_t to = receiver(all, full, layout);
    const std::size_t i = mover(elements, all[full], all[to]);
    if (i == elements.size()) break;
    std::erase(all[full].elements, i);
    all[to].elements.push_back(i);
    all[full].load -= elements[i].load;
    all[to].load += elements[i].load;
    process_of[i] = static_cast<int>(to);
  }
}

/// The elements of one process, and their places in the whole list.
struct Share {
  std::vector<Burden> elements{};
  std::vector<std::size_t> numbers{};
};

/// PEs are numbered from 0 in each share. Elements that come from another process go to a PE of
/// their new process, the heaviest first. It is the PE that has the least to do.
std::vector<Share> shares_of(std::span<const Burden> elements, const Places& process_of,
                             const topology::PeLayout& layout) {
  std::vector<Share> shares(static_cast<std::size_t>(layout.processes));
  std::vector<double> loads(static_cast<std::size_t>(layout.pes()));
  std::vector<std::size_t> arrived;
  const auto add = [&](std::size_t i, int pe) {
    Share& share = shares[static_cast<std::size_t>(process_of[i])];
    share.elements.push_back(elements[i]);
    share.elements.back().pe = pe - process_of[i] * layout.pes_a_process;
    share.numbers.push_back(i);
    loads[static_cast<std::size_t>(pe)] += elements[i].load;
  };
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (layout.process_of(elements[i].pe) == process_of[i])
      add(i, elements[i].pe);
    else
      arrived.push_back(i);
  }
  std::ranges::stable_sort(arrived, std::greater<>(),
                           [&](std::size_t i) { return elements[i].load; });
  for (const std::size_t i : arrived) {
    const auto first = loads.begin() + std::ptrdiff_t{process_of[i]} * layout.pes_a_process;
    const auto emptiest = std::min_element(first, first + layout.pes_a_process);
    add(i, static_cast<int>(emptiest - loads.begin()));
  }
  return shares;
}

Places between_processes(std::string_view balancer, std::span<const Burden> elements,
                         const topology::PeLayout& layout) {
  if (balancer == "greedy") return balance::greedy(elements, layout.processes);
  if (balancer == "bisection") {
    const std::vector<int> by_host = layout.processes_by_host();
    Places places = balance::bisection(elements, layout.processes);
    for (int& place : places) place = by_host[static_cast<std::size_t>(place)];
    return places;
  }
  Places places;
  places.reserve(elements.size());
  for (const Burden& element : elements) places.push_back(layout.process_of(element.pe));
  refine_processes(elements, places, layout,
                   layout.pes_a_process == 1 ? tolerance_of_run : tolerance_of_level);
  return places;
}

Places between_pes(std::string_view balancer, std::span<const Burden> elements, int pes,
                   double tolerance) {
  if (balancer == "greedy") return balance::greedy(elements, pes);
  if (balancer == "bisection") return balance::bisection(elements, pes);
  FG_CHECK(balancer == "refine");
  return balance::refine(elements, pes, tolerance);
}

}  // namespace

std::vector<int> balanced_in_two_levels(std::string_view balancer, std::span<const Burden> elements,
                                        const topology::PeLayout& layout) {
  if (layout.processes == 1) return between_pes(balancer, elements, layout.pes(), tolerance_of_run);
  const Places process_of = between_processes(balancer, elements, layout);
  Places places(elements.size());
  const std::vector<Share> shares = shares_of(elements, process_of, layout);
  for (int process = 0; process < layout.processes; ++process) {
    const Share& share = shares[static_cast<std::size_t>(process)];
    const Places inside =
        between_pes(balancer, share.elements, layout.pes_a_process, tolerance_of_level);
    for (std::size_t k = 0; k < inside.size(); ++k)
      places[share.numbers[k]] = process * layout.pes_a_process + inside[k];
  }
  return places;
}

}  // namespace fg
