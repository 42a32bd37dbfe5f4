// SPDX-License-Identifier: BSD-3-Clause
//
// Plain twins of functions of matrices, of `electrons/matrices` and `electrons/orbitals`. Each does
// in plain loops what the engine's function of the same name does, or what is said here.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "electrons/matrices/point_products.hpp"
#include "electrons/matrices/row_products.hpp"

namespace fg::electrons::reference {

void add_squares(const std::complex<double>* points, std::size_t count, double* sums) noexcept;
void multiply_points(const double* factors, std::size_t count,
                     std::complex<double>* points) noexcept;

void add_inner_products(const Rows& a, const Rows& b, std::size_t length, double* sums,
                        std::size_t stride) noexcept;
void combine_rows(std::span<const double* const> from, const Weights& weights, std::size_t length,
                  Sum sum, double* to, std::size_t to_stride) noexcept;

/// InverseSquareRoot by Jacobi's rotations, for symmetric positive matrices.
std::vector<double> inverse_square_root(int n, std::span<const double> s);

/// OrthonormalityForces by elimination of the n^2 unknowns of each of Newton's steps.
std::vector<double> constraint_forces(int n, std::span<const double> a, std::span<const double> b,
                                      std::span<const double> c);
double constrained_kinetic_part(int n, std::span<const double> overlaps, std::span<const double> m);

/// OrbitalAlignment by the mean of a matrix and its transposed inverse, again and again.
std::vector<double> polar_factor(int n, std::span<const double> overlaps);

/// VelocityRepair, T' from T S T = I: with R = T^(-1) = S T, it solves T' R + R T' = -T S' T by
/// elimination of its n^2 unknowns.
std::vector<double> inverse_root_rate(int n, std::span<const double> s,
                                      std::span<const double> s_rate);

}  // namespace fg::electrons::reference
