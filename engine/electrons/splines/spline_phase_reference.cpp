// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numbers>

#include "electrons/splines/spline_phase.hpp"
#include "forces/mesh/bspline.hpp"

namespace fg::electrons::reference {

using Complex = std::complex<double>;

SplinePhase spline_phase(int order, int points, int k, double u) {
  const double step = 2 * std::numbers::pi * k / points;
  double reduced = 0;
  for (int m = -order; m <= order; ++m)
    reduced += bspline(order, m + 0.5 * order) * std::cos(step * m);
  SplinePhase result;
  const int near = static_cast<int>(std::floor(u));
  for (int n = near - order; n <= near + order; ++n) {
    const double x = u - n + 0.5 * order;
    const Complex wave = std::polar(1 / reduced, step * n);
    result.value += wave * bspline(order, x);
    result.slope += wave * (bspline(order - 1, x) - bspline(order - 1, x - 1));
  }
  return result;
}

IonPhases spline_phases(const PlaneWaves& waves, const fft::Grid& grid, int order) {
  return [&waves, grid, order](std::size_t wave, const Vec3& position) {
    const Vec3 multiples = waves.lattice().fractional(position);
    std::array<SplinePhase, 3> axes;
    for (std::size_t axis = 0; axis < 3; ++axis)
      axes[axis] = spline_phase(order, grid[axis], waves.indices()[wave][axis],
                                grid[axis] * multiples[static_cast<int>(axis)]);
    const auto reciprocal = waves.lattice().reciprocal();
    IonPhase result{axes[0].value * axes[1].value * axes[2].value, {}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Complex slope = axes[axis].slope * axes[(axis + 1) % 3].value *
                            axes[(axis + 2) % 3].value * (grid[axis] / (2 * std::numbers::pi));
      for (std::size_t a = 0; a < 3; ++a)
        result.gradient[a] += slope * reciprocal[axis][static_cast<int>(a)];
    }
    return result;
  };
}

}  // namespace fg::electrons::reference
