// SPDX-License-Identifier: BSD-3-Clause
//
// Floating-point operations of an evaluation, an iteration or a step, by which the objects charge a
// simulated machine (runtime/simulated/simulated_time.hpp). A line of n complex numbers counts as 5
// n log2 n; a product of real matrices as two for each multiplication. Copies count nothing.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "fft/sphere/sphere_plan.hpp"

namespace fg::ab_initio {

inline double line_operations(int points) noexcept {
  return points > 1 ? 5.0 * points * std::log2(points) : 0;
}

/// Operations of one transform of two real fields, by part: lines along z; then along y and x.
struct TransformCosts {
  std::vector<double> columns, planes;

  TransformCosts() = default;
  explicit TransformCosts(const fft::SpherePlan& plan) {
    const auto& grid = plan.sphere().grid();
    for (int part = 0; part < plan.ranks(); ++part) {
      const auto& along_y = plan.y_boxes()[static_cast<std::size_t>(part)];
      const auto& along_x = plan.x_boxes()[static_cast<std::size_t>(part)];
      columns.push_back(static_cast<double>(plan.lines_of(part).size()) * line_operations(grid[2]));
      planes.push_back(1.0 * along_y.size(2) * along_y.size(0) * line_operations(grid[1]) +
                       1.0 * along_x.size(2) * along_x.size(1) * line_operations(grid[0]));
    }
  }
};

/// Products of real matrices: each complex number of a wave is two real ones.
constexpr double block_product(int rows, int columns, std::size_t waves) noexcept {
  return 4.0 * rows * columns * static_cast<double>(waves);
}
constexpr double matrix_product(std::size_t rows, std::size_t columns, std::size_t inner) noexcept {
  return 2.0 * static_cast<double>(rows) * static_cast<double>(columns) *
         static_cast<double>(inner);
}
/// The eigenvalues of a symmetric matrix, by its reduction to three diagonals.
constexpr double eigenvalues_of(int n) noexcept {
  return 4.0 / 3 * n * n * n;
}
constexpr double eigenvectors_of(int n) noexcept {
  return 9.0 * n * n * n;
}

// For each coefficient, a complex number.
namespace operations {
constexpr double kinetic = 6, gradient = 8, sum = 2, product_of_vectors = 4;
// For each point. A pair of orbitals has its density and its product with the potential. The
// density has exchange and correlation, without and with the gradient, and the Hartree energy.
constexpr double density_of_pair = 4, potential_of_pair = 2;
constexpr double local_functional = 60, gradient_functional = 200, hartree = 40;
// For an ion and each wave: its phase and a field of it; the force by that field; each row of its
// projectors; the force by a row, and by all of them.
constexpr double phase = 6, ion_field = 8, ion_force = 14;
constexpr double projector = 10, row_force = 4, projector_force = 6;
// By splines, for a wave of each orbital and channel: to the transform, or back; for the virial.
// For each field of ions: its waves. For a point of an ion in two fields: the sums with their
// slopes; the way back. These points are short rows anywhere in a grid, and their lines are
// transformed alone. So both take longer than their operations: 10 and 4 for a point, and
// `spline_lines` is how much longer a line takes than those of orbitals. The tables of time of
// silicon and ice say so.
constexpr double spline_wave = 8, spline_virial = 10, spline_field = 6;
constexpr double spline_gather = 15, spline_scatter = 8, spline_lines = 1.8;
// For the virial, and in a new cell, for each wave: a function of |G| from its table; a row of
// projectors; the change of it by a strain; all that does not depend on ions.
constexpr double radial = 50, row_in_new_cell = 4, row_virial = 20, wave_virial = 12;
}  // namespace operations

}  // namespace fg::ab_initio
