// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/preconditioner.hpp"

#include <cmath>
#include <cstddef>
#include <string>

#include "base/error.hpp"
#include "base/shown.hpp"

namespace fg::electrons {

void precondition(std::span<const double> squares, std::span<const double> kinetic,
                  std::span<std::complex<double>> block) {
  const std::size_t size = squares.size();
  FG_CHECK(block.size() == kinetic.size() * size);
  for (std::size_t s = 0; s < kinetic.size(); ++s) {
    if (!(kinetic[s] > 0) || !std::isfinite(kinetic[s]))
      throw NumericsError({.what = "the kinetic energy of an orbital is not positive",
                           .where = "orbital " + std::to_string(s + 1) + " of its block",
                           .value = shown(kinetic[s]) + " hartree",
                           .hint = "start from other orbitals, and check the structure"});
    const double scale = 1 / (3 * kinetic[s]);
    std::complex<double>* row = block.data() + s * size;
    for (std::size_t i = 0; i < size; ++i) {
      const double x = squares[i] * scale;
      const double top = 27 + x * (18 + x * (12 + x * 8)), x2 = x * x;
      row[i] *= top / (top + 16 * x2 * x2);
    }
  }
}

}  // namespace fg::electrons
