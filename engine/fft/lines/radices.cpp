// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines/radices.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>

namespace fg::fft {

namespace {

/// Vector operations per point of a pass. These are additions and multiplications of the small
/// transform, and for each pass the twiddle, the loads and the stores.
struct RadixCost {
  int radix;
  double operations;
};
constexpr double pass_cost = 8;
constexpr RadixCost radix_costs[] = {{2, 2},   {3, 4},     {4, 4},     {5, 7.2},  {6, 6},
                                     {7, 9.4}, {8, 6.5},   {9, 9.8},   {10, 9.2}, {11, 13.6},
                                     {12, 8},  {13, 15.7}, {15, 11.2}, {16, 10.1}};

constexpr double impossible = std::numeric_limits<double>::infinity();

struct Division {
  double cost;    // per point
  int radix = 0;  // of one pass
};

/// Finds the best division of a length from those of its divisors.
class Divisions {
 public:
  Division best(int length) {
    if (length == 1) return {0};
    if (const auto known = known_.find(length); known != known_.end()) return known->second;
    Division best{impossible};
    for (const auto& [radix, operations] : radix_costs) {
      if (length % radix != 0) continue;
      const double cost = operations + pass_cost + this->best(length / radix).cost;
      if (cost < best.cost) best = {cost, radix};
    }
    return known_[length] = best;
  }

 private:
  std::map<int, Division> known_;
};

/// The lengths from `least` to below `end` without prime factors above 13, in their order.
std::vector<int> lengths_with_radices(int least, std::int64_t end) {
  std::vector<std::int64_t> products{1};
  for (const int prime : {2, 3, 5, 7, 11, 13})
    for (std::size_t i = 0; i < products.size(); ++i)
      if (products[i] * prime < end) products.push_back(products[i] * prime);
  std::vector<int> lengths;
  for (const std::int64_t product : products)
    if (product >= least) lengths.push_back(static_cast<int>(product));
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

}  // namespace

std::vector<int> radices_of(int length) {
  Divisions divisions;
  if (divisions.best(length).cost == impossible) return {};
  std::vector<int> radices;
  for (int rest = length; rest > 1; rest /= radices.back())
    radices.push_back(divisions.best(rest).radix);
  std::sort(radices.begin(), radices.end());
  return radices;
}

int convenient_length(int least) {
  Divisions divisions;
  int best = 0;
  double lowest = impossible;
  // A power of two lies in this range.
  for (const int length : lengths_with_radices(least, 2 * std::int64_t{least})) {
    const double cost = divisions.best(length).cost * length;
    if (cost < lowest) lowest = cost, best = length;
  }
  return best;
}

}  // namespace fg::fft
