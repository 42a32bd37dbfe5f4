// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/matrices/orthonormality_forces.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "electrons/matrices/blas.hpp"

namespace fg::electrons {

namespace {

constexpr int most_iterations = 50;   // of Newton's method
constexpr int most_directions = 500;  // of conjugate gradients
/// Accuracy of a Newton step, whose own error is of the size of the antisymmetric part of G.
constexpr double newton_accuracy = 1e-3;
/// Near rounding: a quantity of second order follows from it.
constexpr double velocity_accuracy = 1e-12;

double sum_of_products(std::span<const double> a, std::span<const double> b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

OrthonormalityForces::OrthonormalityForces(int n) : n_(n), rows_(static_cast<std::size_t>(n)) {
  for (Matrix* matrix : {&g_, &right_, &solution_, &direction_, &image_, &product_})
    matrix->resize(rows_ * rows_);
}

void OrthonormalityForces::multiply(std::span<const double> a, std::span<const double> b,
                                    Matrix& to) const {
  blas::multiply(n_, 1, a.data(), b.data(), 0, to.data());
}

ConstraintReport OrthonormalityForces::find(std::span<const double> a, std::span<const double> b,
                                            std::span<const double> c, double tolerance,
                                            std::span<double> x) {
  FG_CHECK(a.size() == rows_ * rows_ && b.size() == a.size() && c.size() == a.size() &&
           x.size() == a.size());
  ConstraintReport report;
  std::fill(x.begin(), x.end(), 0.0);
  std::fill(product_.begin(), product_.end(), 0.0);  // C X
  double before = 0;
  for (int iteration = 0;; ++iteration) {
    for (std::size_t i = 0; i < x.size(); ++i) g_[i] = b[i] + 0.5 * product_[i];
    multiply(x, g_, image_);
    double largest = 0;
    bool finite = true;
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t k = 0; k <= i; ++k) {
        const double residual =
            a[i * rows_ + k] - (i == k ? 1 : 0) + (image_[i * rows_ + k] + image_[k * rows_ + i]);
        right_[i * rows_ + k] = right_[k * rows_ + i] = -residual;
        largest = std::max(largest, std::abs(residual));
        finite = finite && std::isfinite(residual);
      }
    if (iteration == 0) report.deviation = largest;
    report.iterations = iteration;
    if (finite && largest <= tolerance) return report;
    if (!finite || iteration == most_iterations || (iteration > 3 && largest >= before))
      throw NumericsError({.what = "the orbitals could not be kept orthonormal",
                           .where = "iteration " + std::to_string(iteration),
                           .value = "largest component of the overlaps less 1: " + shown(largest),
                           .limit = shown(tolerance),
                           .hint = "use a shorter time step or a larger fictitious mass; the "
                                   "tolerance should not be below 1e-13"});
    before = largest;
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t k = 0; k < rows_; ++k)
        g_[i * rows_ + k] = 0.5 * ((b[i * rows_ + k] + product_[i * rows_ + k]) +
                                   (b[k * rows_ + i] + product_[k * rows_ + i]));
    solve(newton_accuracy);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += solution_[i];
    multiply(c, x, product_);
  }
}

double OrthonormalityForces::kinetic_part(std::span<const double> overlaps,
                                          std::span<const double> m) {
  FG_CHECK(overlaps.size() == rows_ * rows_ && m.size() == overlaps.size());
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t k = 0; k < rows_; ++k) {
      g_[i * rows_ + k] = m[i * rows_ + k];
      right_[i * rows_ + k] = -(overlaps[i * rows_ + k] + overlaps[k * rows_ + i]);
    }
  solve(velocity_accuracy);
  // Y (M Y + Y M) has twice the trace of Y M Y.
  double sum = 0;
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t k = 0; k < rows_; ++k)
      sum -= solution_[i * rows_ + k] * (overlaps[i * rows_ + k] + overlaps[k * rows_ + i]);
  return sum / 2;
}

void OrthonormalityForces::solve(double relative) {
  const auto diagonal = [&](std::size_t i, std::size_t k) {
    return g_[i * rows_ + i] + g_[k * rows_ + k];
  };
  std::fill(solution_.begin(), solution_.end(), 0.0);
  const double enough = relative * std::sqrt(sum_of_products(right_, right_));
  double before = 0;
  for (int round = 0;; ++round) {
    // right_ is the residual from now on.
    if (std::sqrt(sum_of_products(right_, right_)) <= enough) return;
    double steepness = 0;
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t k = 0; k < rows_; ++k)
        steepness += right_[i * rows_ + k] * right_[i * rows_ + k] / diagonal(i, k);
    const double share = round == 0 ? 0 : steepness / before;
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t k = 0; k < rows_; ++k) {
        double& d = direction_[i * rows_ + k];
        d = right_[i * rows_ + k] / diagonal(i, k) + (round == 0 ? 0 : share * d);
      }
    multiply(g_, direction_, image_);
    double curvature = 0;
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t k = 0; k < rows_; ++k)
        curvature += 2 * direction_[i * rows_ + k] * image_[i * rows_ + k];
    if (!(curvature > 0) || !(steepness > 0) || round == most_directions)
      throw NumericsError({.what = "the overlaps of orbitals with forces of constraint are not "
                                   "positive",
                           .where = "direction " + std::to_string(round),
                           .value = shown(curvature),
                           .limit = "above 0",
                           .hint = "use a shorter time step or a larger fictitious mass"});
    const double length = steepness / curvature;
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t k = 0; k < rows_; ++k) {
        solution_[i * rows_ + k] += length * direction_[i * rows_ + k];
        // d G is the transpose of G d.
        right_[i * rows_ + k] -= length * (image_[i * rows_ + k] + image_[k * rows_ + i]);
      }
    before = steepness;
  }
}

}  // namespace fg::electrons
