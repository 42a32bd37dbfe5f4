// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/places/balance.hpp"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

#include "runtime/places/maps.hpp"

namespace fg::balance {

namespace {

std::vector<double> loads_of(std::span<const Burden> elements, std::span<const int> pe_of,
                             int pes) {
  std::vector<double> loads(static_cast<std::size_t>(pes));
  for (std::size_t i = 0; i < elements.size(); ++i)
    loads[static_cast<std::size_t>(pe_of[i])] += elements[i].load;
  return loads;
}

/// Indices of the elements, heaviest first; ties by index, so that all processes agree.
std::vector<std::size_t> heaviest_first(std::span<const Burden> elements) {
  std::vector<std::size_t> order(elements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return elements[a].load > elements[b].load;
  });
  return order;
}

void bisect(std::span<const Burden> elements, std::span<std::size_t> part, int first_pe, int pes,
            std::vector<int>& result) {
  if (pes == 1 || part.empty()) {
    for (std::size_t i : part) result[i] = first_pe;
    return;
  }
  std::array<double, 3> low = elements[part[0]].position, high = low;
  double whole = 0;
  for (std::size_t i : part) {
    whole += elements[i].load;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], elements[i].position[axis]);
      high[axis] = std::max(high[axis], elements[i].position[axis]);
    }
  }
  std::size_t longest = 0;
  for (std::size_t axis = 1; axis < 3; ++axis)
    if (high[axis] - low[axis] > high[longest] - low[longest]) longest = axis;
  std::sort(part.begin(), part.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(elements[a].position[longest], a) <
           std::pair(elements[b].position[longest], b);
  });
  const int pes_below = pes / 2;
  const double wanted = whole * pes_below / pes;
  double below = 0;
  std::size_t cut = 0;
  // Adds elements until one more would leave the share farther from the wanted one.
  while (cut < part.size() && below + 0.5 * elements[part[cut]].load <= wanted)
    below += elements[part[cut++]].load;
  if (whole == 0)
    cut = part.size() * static_cast<std::size_t>(pes_below) / static_cast<std::size_t>(pes);
  bisect(elements, part.first(cut), first_pe, pes_below, result);
  bisect(elements, part.subspan(cut), first_pe + pes_below, pes - pes_below, result);
}

}  // namespace

std::vector<int> greedy(std::span<const Burden> elements, int pes) {
  using Pe = std::pair<double, int>;  // load and rank
  std::priority_queue<Pe, std::vector<Pe>, std::greater<>> emptiest;
  for (int pe = 0; pe < pes; ++pe) emptiest.emplace(0.0, pe);
  std::vector<int> result(elements.size());
  for (std::size_t i : heaviest_first(elements)) {
    const auto [load, pe] = emptiest.top();
    emptiest.pop();
    result[i] = pe;
    emptiest.emplace(load + elements[i].load, pe);
  }
  return result;
}

std::vector<int> refine(std::span<const Burden> elements, int pes, double tolerance) {
  std::vector<int> result;
  for (const Burden& element : elements) result.push_back(element.pe);
  std::vector<double> loads = loads_of(elements, result, pes);
  const double average = std::accumulate(loads.begin(), loads.end(), 0.0) / pes;
  std::vector<std::vector<std::size_t>> on(static_cast<std::size_t>(pes));
  for (std::size_t i : heaviest_first(elements))
    on[static_cast<std::size_t>(result[i])].push_back(i);
  for (std::size_t moves = 0; moves < elements.size(); ++moves) {
    const auto full =
        static_cast<std::size_t>(std::max_element(loads.begin(), loads.end()) - loads.begin());
    const auto empty =
        static_cast<std::size_t>(std::min_element(loads.begin(), loads.end()) - loads.begin());
    if (loads[full] <= tolerance * average) break;
    // The best element to move has a load as near as possible to half of the difference.
    const double gap = loads[full] - loads[empty];
    std::size_t best = on[full].size();
    double left = gap;
    for (std::size_t k = 0; k < on[full].size(); ++k) {
      const double load = elements[on[full][k]].load;
      const double then = std::max(gap - load, load);
      if (load > 0 && then < left) {
        left = then;
        best = k;
      }
    }
    if (best == on[full].size()) break;
    const std::size_t i = on[full][best];
    on[full].erase(on[full].begin() + static_cast<std::ptrdiff_t>(best));
    on[empty].push_back(i);
    loads[full] -= elements[i].load;
    loads[empty] += elements[i].load;
    result[i] = static_cast<int>(empty);
  }
  return result;
}

std::vector<int> bisection(std::span<const Burden> elements, int pes) {
  std::vector<std::size_t> all(elements.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<int> result(elements.size());
  bisect(elements, all, 0, pes, result);
  return result;
}

std::vector<int> scattered(std::size_t elements, int pes, std::uint64_t seed) {
  std::vector<int> result;
  result.reserve(elements);
  const std::array<int, 1> shape{static_cast<int>(elements)};
  for (int i = 0; i < shape[0]; ++i)
    result.push_back(maps::hashed(std::array<int, 1>{i}, shape, pes, seed));
  return result;
}

double imbalance(std::span<const Burden> elements, std::span<const int> pe_of, int pes) {
  const std::vector<double> loads = loads_of(elements, pe_of, pes);
  const double whole = std::accumulate(loads.begin(), loads.end(), 0.0);
  return whole > 0 ? *std::max_element(loads.begin(), loads.end()) * pes / whole : 1.0;
}

}  // namespace fg::balance
