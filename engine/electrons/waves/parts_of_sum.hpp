// SPDX-License-Identifier: BSD-3-Clause
//
// Long sums in eight parts, so that additions need not wait for each other, whatever the compiler
// makes of the loop. Element i is in part i modulo 8. The parts are added in a fixed order.
#pragma once

#include <array>
#include <cstddef>

namespace fg::electrons {

/// The sum of term(0), ..., term(count - 1).
template <class Term>
double sum_in_parts(std::size_t count, const Term& term) noexcept {
  constexpr std::size_t parts = 8;
  std::array<double, parts> sums{};
  std::size_t i = 0;
  for (; i + parts <= count; i += parts)
    for (std::size_t p = 0; p < parts; ++p) sums[p] += term(i + p);
  for (; i < count; ++i) sums[i % parts] += term(i);
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

}  // namespace fg::electrons
