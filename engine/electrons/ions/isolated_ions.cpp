// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/ions/isolated_ions.hpp"

#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "electrons/waves/nearest_image.hpp"

namespace fg::electrons {

IonEnergy isolated_ions(const Lattice& lattice, std::span<const double> charges,
                        std::span<const Vec3> positions) {
  FG_CHECK(positions.size() == charges.size());
  constexpr double closest = 1e-6;  // [bohr]
  const NearestImage nearest(lattice);
  IonEnergy sum;
  sum.forces.resize(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!std::isfinite(norm(positions[i])))
      throw NumericsError({.what = "the position of an ion is not finite",
                           .where = "ion " + std::to_string(i + 1),
                           .hint = "correct the structure"});
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 r = nearest(positions[i] - positions[j]);
      const double length = norm(r);
      if (!(length >= closest))
        throw InputError(
            {.what = "two ions are at the same place",
             .where = "ions " + std::to_string(j + 1) + " and " + std::to_string(i + 1),
             .value = shown(length) + " bohr apart",
             .limit = "1e-6 bohr",
             .hint = "check the structure, and that its cell is not too small"});
      const double energy = charges[i] * charges[j] / length;
      const Vec3 force = r * (energy / (length * length));
      sum.energy += energy;
      sum.forces[i] += force;
      sum.forces[j] -= force;
    }
  }
  return sum;
}

}  // namespace fg::electrons
