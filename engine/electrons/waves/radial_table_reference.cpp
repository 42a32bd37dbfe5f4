// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstddef>

#include "electrons/waves/radial_table.hpp"

namespace fg::electrons::reference {

RadialValue radial_value(std::span<const double> values, double spacing, int l, double length) {
  const RadialTable checks({values.begin(), values.end()}, spacing, l);
  checks.at(length);
  const int nearest = static_cast<int>(std::floor(length / spacing));
  const auto value_at = [&](int i) {
    if (i >= 0) return i == 0 && l % 2 == 1 ? 0.0 : values[static_cast<std::size_t>(i)];
    return (l % 2 == 1 ? -1 : 1) * values[static_cast<std::size_t>(-i)];
  };
  RadialValue sum;
  for (int k = nearest - 3; k <= nearest + 4; ++k) {
    double basis = 1, basis_slope = 0;
    for (int j = nearest - 3; j <= nearest + 4; ++j) {
      if (j == k) continue;
      basis *= (length - j * spacing) / ((k - j) * spacing);
      double without = 1 / ((k - j) * spacing);
      for (int i = nearest - 3; i <= nearest + 4; ++i)
        if (i != j && i != k) without *= (length - i * spacing) / ((k - i) * spacing);
      basis_slope += without;
    }
    sum.value += basis * value_at(k);
    sum.slope += basis_slope * value_at(k);
  }
  return sum;
}

}  // namespace fg::electrons::reference
