// SPDX-License-Identifier: BSD-3-Clause
//
// What a search by L-BFGS remembers of the last steps, for the coefficients of one object. It keeps
// pairs of a step s and the change y of the gradient that came with it. A product of whole vectors
// is a sum over all objects. So everything that a new direction needs is summed at once. Source:
// Nocedal and Wright, Numerical Optimization (2006), algorithm 7.4.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "ab_initio/orders/orders.hpp"
#include "base/aligned_vector.hpp"

namespace fg::ab_initio {

/// Products for a new direction; pairs are counted from the newest.
struct SearchProducts {
  static constexpr int m = most_pairs;
  using Row = std::array<double, m>;

  double step_square = 0, change_square = 0;  // of the newest pair
  double steepness = 0;                       // <g|K g>
  Row step_gradient{};                        // <s_i|g>
  Row change_gradient{};                      // <y_i|K g>
  Row newest_step_change{};                   // <s_0|y_i>
  Row step_newest_change{};                   // <s_i|y_0>
  std::array<Row, m> change_change{};         // <y_i|K y_k>

  static constexpr std::size_t count = 3 + 4 * m + m * m;
  std::array<double, count> values() const noexcept;
  static SearchProducts of(std::span<const double> values) noexcept;
};

/// <s_i|y_k>, the newest first.
using StepChange = std::array<SearchProducts::Row, most_pairs>;
/// Puts the products of the newest pair before those of older ones.
void add_newest(const SearchProducts& products, StepChange& step_change) noexcept;
/// The two loops on the products of all vectors.
SearchDirection two_loops(const SearchProducts& products, const StepChange& step_change,
                          int pairs) noexcept;

/// What is remembered is rounded to float. The directions need no more, and an iteration mostly
/// reads this memory.
class SearchMemory {
 public:
  using Number = std::complex<double>;
  using Vector = AlignedVector<Number>;

  /// Takes `rows` orbitals with these |G|^2 and the place of G = 0, or -1.
  SearchMemory(int rows, std::span<const double> squares, std::ptrdiff_t zero);

  /// Where a search has ended: this step times a direction, and the gradients after and before it.
  struct Step {
    const Vector& direction;
    double length;
    const Vector& gradient_before;
  };
  struct Pair {
    AlignedVector<float> step, change;  // [rows][waves][2]
  };
  /// The next pair, to be written; the oldest one goes if there is no more room.
  Pair& next();
  /// 0: the newest.
  const Pair& pair(int age) const noexcept {
    return pairs_[static_cast<std::size_t>((newest_ - age + most_pairs) % most_pairs)];
  }
  void clear() noexcept { count_ = 0; }
  /// Also gives the memory of the pairs back.
  void drop() noexcept {
    clear();
    pairs_ = {};
  }

  /// Remembers a step, if there is one; the oldest one goes if there is no more room. Returns this
  /// share of the products. The preconditioner is K = 1 / (G^2 / 2 + below_i) of orbital i.
  SearchProducts products(const Vector& gradient, std::span<const double> below,
                          const Step* step = nullptr);
  /// -(scale K (g - sum of by_change y) + sum of by_step s) of the newest pairs.
  void direction(const Vector& gradient, std::span<const double> below, const SearchDirection& of,
                 Vector& result) const;

  /// Takes those of another cell.
  void set_squares(std::span<const double> squares) noexcept;
  /// |G|^2 of each number of an orbital, [2 waves].
  std::span<const double> squares() const noexcept { return squares_; }

 private:
  int rows_;
  AlignedVector<double> squares_;
  std::ptrdiff_t zero_;
  std::array<Pair, most_pairs> pairs_;
  int newest_ = most_pairs - 1, count_ = 0;
};

}  // namespace fg::ab_initio
