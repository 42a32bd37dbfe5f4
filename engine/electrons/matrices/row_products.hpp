// SPDX-License-Identifier: BSD-3-Clause
//
// Products of a few long rows of real numbers: all inner products of two sets of rows, and sums of
// rows. These are the products of matrices of an ab initio run. Their two shapes differ much from
// those for which BLAS is made. So BLAS spends more time on copies than on products. Each number is
// a sum in a fixed order, whatever the number of rows and the threads at work. SIMD of another
// width has another order. Complex numbers are rows of twice as many real ones.
#pragma once

#include <cstddef>
#include <span>

namespace fg::electrons {

/// The first row, and the distance from one to the next.
struct Rows {
  const double* data;
  std::size_t count, stride;
};

/// A row, and where its inner products with the rows of another set are.
struct InnerRow {
  const double* row;
  double* sums;
};

/// Adds <a_i|b_k>, of the numbers `begin` to `end` of each row, to a_i.sums[k]. Up to 32 rows b
/// stay in the cache while all rows a are read once. Its bits are those of one call for all numbers
/// if `begin` is a multiple of 512.
void add_inner_products(std::span<const InnerRow> a, const Rows& b, std::size_t begin,
                        std::size_t end) noexcept;

/// Adds <a_i|b_k> of rows of `length` numbers to sums[i * stride + k].
void add_inner_products(const Rows& a, const Rows& b, std::size_t length, double* sums,
                        std::size_t stride) noexcept;

/// `scale` times a matrix [rows that are summed][sums], whose rows begin `stride` numbers apart.
struct Weights {
  const double* data;
  std::size_t count, stride;  // count: of sums
  double scale = 1;
};

enum class Sum { replaces, adds };

/// to_k = sum_i w_ik from_i, or added to it, for rows of `length` numbers that begin `to_stride`
/// numbers apart. No row of `from` may be one of `to`.
void combine_rows(std::span<const double* const> from, const Weights& weights, std::size_t length,
                  Sum sum, double* to, std::size_t to_stride) noexcept;

}  // namespace fg::electrons
