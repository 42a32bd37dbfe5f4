// SPDX-License-Identifier: BSD-3-Clause
//
// Cosine and sine of 2 pi k / n. They have the same bits at run time and at compile time, whatever
// the mathematical library. Whole numbers reduce the angle to an eighth of a turn. So the only
// errors are those of a short series in long double.
#pragma once

#include <cstdint>

namespace fg::fft {

/// exp(2 pi i k / n)
struct UnitRoot {
  long double cosine;
  long double sine;
};

namespace detail {

/// Taylor's series for 0 <= x <= pi / 4; the first term left out is below 1e-26.
constexpr UnitRoot root_at(long double x) {
  const long double square = x * x;
  long double cosine = 1, sine = 1;
  for (int i = 24; i > 0; i -= 2) {
    cosine = 1 - cosine * square / ((i - 1) * i);
    sine = 1 - sine * square / (i * (i + 1));
  }
  return {cosine, x * sine};
}

}  // namespace detail

/// For 0 <= k < n.
constexpr UnitRoot unit_root(std::int64_t k, std::int64_t n) {
  constexpr long double eighth_turn = 0.785398163397448309615660845819875721L;
  const std::int64_t eighth = 8 * k / n, beyond = 8 * k - eighth * n;
  // Odd eighths are counted back from their end.
  const std::int64_t part = eighth % 2 == 0 ? beyond : n - beyond;
  const auto [c, s] = detail::root_at(eighth_turn * part / n);
  switch (eighth) {
    case 0:
      return {c, s};
    case 1:
      return {s, c};
    case 2:
      return {-s, c};
    case 3:
      return {-c, s};
    case 4:
      return {-c, -s};
    case 5:
      return {-s, -c};
    case 6:
      return {s, -c};
    default:
      return {c, -s};
  }
}

}  // namespace fg::fft
