// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/electrons/spline_references.hpp"

#include <cmath>
#include <numbers>
#include <utility>

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

namespace {

/// The weight of a point of a periodic axis and its derivative by u: one image in reach, or, on the
/// smallest grids, several.
std::pair<double, double> weight(int order, int points, double u, int n) {
  double value = 0, slope = 0;
  for (int image = -3; image <= 3; ++image) {
    const double x = u - n + image * points + 0.5 * order;
    value += bspline(order, x);
    slope += bspline(order - 1, x) - bspline(order - 1, x - 1);
  }
  return {value, slope};
}

}  // namespace

SplineSums gather(const Lattice& lattice, const fft::Grid& grid, int order, const Vec3& position,
                  IonSplines::Field points) {
  const Vec3 multiples = lattice.fractional(position);
  const auto reciprocal = lattice.reciprocal();
  const auto place = [&](int axis) {
    return grid[static_cast<std::size_t>(axis)] * (multiples[axis] - std::floor(multiples[axis]));
  };
  SplineSums result;
  std::size_t i = 0;
  for (int x = 0; x < grid[0]; ++x)
    for (int y = 0; y < grid[1]; ++y)
      for (int z = 0; z < grid[2]; ++z, ++i) {
        const auto [wx, sx] = weight(order, grid[0], place(0), x);
        const auto [wy, sy] = weight(order, grid[1], place(1), y);
        const auto [wz, sz] = weight(order, grid[2], place(2), z);
        const Vec3 slope =
            (reciprocal[0] * (grid[0] * sx * wy * wz) + reciprocal[1] * (grid[1] * wx * sy * wz) +
             reciprocal[2] * (grid[2] * wx * wy * sz)) *
            (0.5 / std::numbers::pi);
        const double parts[] = {points[i].real(), points[i].imag()};
        for (std::size_t field = 0; field < 2; ++field) {
          result.values[field] += parts[field] * wx * wy * wz;
          result.gradients[field] += slope * parts[field];
        }
      }
  return result;
}

SplineFieldValues spline_field(const PlaneWaves& waves, const fft::Grid& grid, int order,
                               const std::vector<RadialWaves>& kinds,
                               std::span<const int> kind_of_ion, std::span<const Vec3> positions,
                               IonField::Waves partner) {
  const IonPhases phases = spline_phases(waves, grid, order);
  SplineFieldValues result;
  result.field.resize(waves.size());
  result.forces.resize(positions.size());
  for (std::size_t ion = 0; ion < positions.size(); ++ion) {
    const RadialWaves& kind = kinds[static_cast<std::size_t>(kind_of_ion[ion])];
    if (kind.values.empty()) continue;
    for (std::size_t i = 0; i < waves.size(); ++i) {
      const IonPhase phase = phases(i, positions[ion]);
      result.field[i] += kind.values[i] * std::conj(phase.value) / waves.lattice().volume();
      const Vec3 g = waves.wave(i);
      const double length = norm(g);
      if (length == 0) continue;
      // Both waves of a pair.
      for (std::size_t a = 0; a < 3; ++a)
        result.forces[ion][static_cast<int>(a)] -=
            2 * kind.values[i] * (phase.gradient[a] * partner[i]).real();
      const double product = (phase.value * partner[i]).real();
      add_virial(result.virial, g, g * (2 * kind.slopes[i] / length * product));
    }
  }
  return result;
}

Nonlocal spline_nonlocal(const PlaneWaves& waves, const fft::Grid& grid, int order,
                         const std::vector<ProjectorKind>& kinds, std::span<const int> kind_of_ion,
                         std::span<const Vec3> positions, Projectors::Block block,
                         std::size_t orbitals, double occupation) {
  return nonlocal(waves, kinds, kind_of_ion, positions, block, orbitals, occupation,
                  spline_phases(waves, grid, order));
}

}  // namespace fg::electrons::reference
