// SPDX-License-Identifier: BSD-3-Clause
//
// A function of |G| from its values at |G| = 0, h, 2h, ... It is the transform of a radial function
// of an ion with angular momentum l. It continues to negative |G| with the parity (-1)^l. Between
// the points it is the polynomial of degree 7 through the 8 nearest. The error of the value is at
// most 1.07e-3 h^8 times the largest eighth derivative. The error of the slope is at most 3.58e-3
// h^7 times the eighth derivative and 1.19e-4 h^8 times the ninth. With h = 0.01 rounding is more.
// Units: |G| and h [1/bohr]; values as they are given. Source: Lagrange's form, Abramowitz and
// Stegun, Handbook of Mathematical Functions, 25.2.
#pragma once

#include <span>
#include <vector>

namespace fg::electrons {

struct RadialValue {
  double value = 0;
  double slope = 0;  // the derivative by |G|
};

class RadialTable {
 public:
  /// The points on each side of a place that its polynomial goes through.
  static constexpr int reach = 4;

  /// `values` of the points from |G| = 0 on. Throws InputError if there are fewer than eight, or if
  /// one is not finite. Throws it if the spacing is not finite or not positive. Throws it if l is
  /// negative, or if l is odd and the first value is not 0. A first value up to 1e-9 of the largest
  /// is rounding, and is taken for 0.
  RadialTable(std::vector<double> values, double spacing, int l);

  int l() const noexcept { return l_; }
  /// Up to this |G| there are points enough.
  double longest() const noexcept { return longest_; }

  /// Throws InputError if |G| is negative, not finite or above `longest`.
  RadialValue at(double length) const;

  /// The same for waves with the squares |G|^2 [waves]; slopes only if there is room for them, else
  /// `slopes` is empty. A wave has the same bits wherever it is in the arrays.
  void evaluate(std::span<const double> squares, std::span<double> values,
                std::span<double> slopes = {}) const;

 private:
  std::vector<double> continued_;  // from |G| = -(reach - 1) h on
  double spacing_;
  double longest_;
  int l_;
};

}  // namespace fg::electrons
