// SPDX-License-Identifier: BSD-3-Clause
//
// Ions on the points of a grid that one part has. Gathers sums of a field with the weights W(n; R)
// of an ion, and scatters values with these weights to a field. W is the product of three splines.
// Two real fields are the real and the imaginary part of one, as transforms of a half sphere have
// them. Units: bohr for the slopes. Source: spline_phase.hpp.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "electrons/splines/spline_phase.hpp"

namespace fg::electrons {

/// The sums for two fields: sum_n W(n; R) P(n), and its gradient by R.
struct SplineSums {
  std::array<double, 2> values{};
  std::array<Vec3, 2> gradients{};
};

class IonSplines {
 public:
  using Field = std::span<const std::complex<double>>;

  /// `box` has whole lines along x. Throws as check_spline_grid does, InternalError if the box is
  /// another one.
  IonSplines(const fft::Grid& grid, int order, const fft::GridBox& box);

  /// Takes a new cell or new positions [ions].
  void place(const Lattice& lattice, std::span<const Vec3> positions);
  std::size_t ions() const noexcept { return ions_.size(); }

  /// The part of an ion's sums on these points [box, row by row].
  SplineSums gather(std::size_t ion, Field points) const noexcept;
  /// Adds values[c] W(n; R) to field c.
  void scatter(std::size_t ion, const std::array<double, 2>& values,
               std::span<std::complex<double>> points) const noexcept;

 private:
  /// Points along z that follow each other in the spline and in the box.
  struct Run {
    int from, to, size;
  };
  struct Ion {
    std::array<AxisSpline, 3> axes;
    std::array<int, most_spline_order> rows{};  // along y of the box, or -1
    std::array<Run, 2> runs;
    int run_count = 0;
  };
  template <int Order>
  SplineSums gather_of(const Ion& ion, const double* points) const noexcept;
  template <int Order>
  void scatter_of(const Ion& ion, const std::array<double, 2>& values,
                  double* points) const noexcept;

  fft::Grid grid_;
  int order_;
  fft::GridBox box_;
  std::array<Vec3, 3> steps_;  // the gradient by R of u along each axis
  std::vector<Ion> ions_;
};

}  // namespace fg::electrons
