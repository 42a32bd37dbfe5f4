// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines/unit_roots.hpp"

#include <algorithm>
#include <cstddef>

namespace fg::fft {

UnitRoots::UnitRoots(std::int64_t order) : order_(order) {
  while ((std::int64_t{1} << 2 * shift_) < order) ++shift_;
  const std::int64_t step = std::int64_t{1} << shift_;
  for (std::int64_t k = 0; k < order; k += step) far_.push_back(unit_root(k, order));
  for (std::int64_t k = 0; k < std::min(step, order); ++k) near_.push_back(unit_root(k, order));
}

std::vector<UnitRoot> half_turn_of_roots(std::int64_t order) {
  const std::int64_t half = order / 2;
  std::vector<UnitRoot> roots(static_cast<std::size_t>(half) + 1);
  const auto at = [&](std::int64_t k) -> UnitRoot& { return roots[static_cast<std::size_t>(k)]; };
  // unit_root counts angles from the nearest axis, so that mirrored ones have the same bits.
  const std::int64_t computed = order % 8 == 0 ? order / 8 : order % 4 == 0 ? order / 4 : half;
  for (std::int64_t k = 0; k <= computed; ++k) at(k) = unit_root(k, order);
  if (order % 8 == 0)
    for (std::int64_t k = computed + 1; k <= order / 4; ++k)
      at(k) = {at(order / 4 - k).sine, at(order / 4 - k).cosine};
  if (order % 4 == 0)
    for (std::int64_t k = order / 4 + 1; k <= half; ++k)
      at(k) = {-at(half - k).cosine, at(half - k).sine};
  // Its cosine is not counted as a sine, unlike that of an eighth.
  if (order % 8 == 0) at(3 * order / 8) = unit_root(3 * order / 8, order);
  return roots;
}

}  // namespace fg::fft
