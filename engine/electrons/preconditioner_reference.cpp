// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "electrons/preconditioner.hpp"

namespace fg::electrons::reference {

double preconditioner(double square, double kinetic) noexcept {
  const double x = square / 2 / (1.5 * kinetic);
  const double top = 27 + 18 * x + 12 * std::pow(x, 2) + 8 * std::pow(x, 3);
  return top / (top + 16 * std::pow(x, 4));
}

}  // namespace fg::electrons::reference
