// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/waves/radial_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/shown.hpp"

namespace fg::electrons {

namespace {

constexpr int points = 2 * RadialTable::reach;

/// 1 over the product of (k - j) for all j but k, for points 0, ..., 7.
constexpr std::array<double, points> inverse_products = [] {
  std::array<double, points> result{};
  for (int k = 0; k < points; ++k) {
    double product = 1;
    for (int j = 0; j < points; ++j)
      if (j != k) product *= k - j;
    result[k] = 1 / product;
  }
  return result;
}();

/// The polynomial through f[0], ..., f[7] at x, and its derivative by x. For each k, the product of
/// (x - j) is over all j but k. It is the product before k times the product after k. So is its
/// derivative.
RadialValue polynomial(const double* f, double x) noexcept {
  std::array<double, points> before, before_slope;
  double product = 1, slope = 0;
  for (int k = 0; k < points; ++k) {
    before[k] = product;
    before_slope[k] = slope;
    slope = slope * (x - k) + product;
    product *= x - k;
  }
  RadialValue sum;
  product = 1, slope = 0;
  for (int k = points - 1; k >= 0; --k) {
    const double scaled = f[k] * inverse_products[k];
    sum.value += scaled * (before[k] * product);
    sum.slope += scaled * (before_slope[k] * product + before[k] * slope);
    slope = slope * (x - k) + product;
    product *= x - k;
  }
  return sum;
}

}  // namespace

RadialTable::RadialTable(std::vector<double> values, double spacing, int l)
    : spacing_(spacing),
      longest_((static_cast<double>(values.size()) - 1 - reach) * spacing),
      l_(l) {
  if (values.size() < points)
    throw InputError({.what = "a table of a function of |G| is too short",
                      .value = std::to_string(values.size()) + " points",
                      .limit = "8 or more",
                      .hint = "make the job again"});
  if (!(spacing > 0) || !std::isfinite(spacing))
    throw InputError({.what = "the spacing of a table of a function of |G| is not positive",
                      .value = shown(spacing) + " 1/bohr",
                      .hint = "make the job again"});
  if (l < 0)
    throw InputError({.what = "the angular momentum of a function of |G| is negative",
                      .value = std::to_string(l),
                      .hint = "make the job again"});
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]))
      throw InputError({.what = "a value in a table of a function of |G| is not finite",
                        .where = "point " + std::to_string(i),
                        .hint = "check the pseudopotential, and make the job again"});
    largest = std::max(largest, std::abs(values[i]));
  }
  const bool odd = l % 2 != 0;
  if (odd) {
    if (std::abs(values[0]) > 1e-9 * largest)
      throw InputError({.what = "a function of odd angular momentum is not 0 at G = 0",
                        .where = "a table with l = " + std::to_string(l),
                        .value = shown(values[0]),
                        .limit = "1e-9 of the largest value, " + shown(largest),
                        .hint = "check the pseudopotential, and make the job again"});
    values[0] = 0;
  }
  continued_.reserve(values.size() + reach - 1);
  for (int i = reach - 1; i > 0; --i) continued_.push_back(odd ? -values[i] : values[i]);
  continued_.insert(continued_.end(), values.begin(), values.end());
}

RadialValue RadialTable::at(double length) const {
  if (!(length >= 0) || !(length <= longest_))
    throw InputError({.what = "a wave is outside of a table of a function of |G|",
                      .value = "|G| = " + shown(length) + " 1/bohr",
                      .limit = "0 to " + shown(longest_) + " 1/bohr",
                      .hint = "make the job again for this cut-off"});
  const double place = length / spacing_;
  const double first = std::floor(place);
  // Point 0 of the polynomial is reach - 1 points before `first`, which is where the table begins.
  const RadialValue found =
      polynomial(continued_.data() + static_cast<std::size_t>(first), place - first + (reach - 1));
  return {found.value, found.slope / spacing_};
}

void RadialTable::evaluate(std::span<const double> squares, std::span<double> values,
                           std::span<double> slopes) const {
  FG_CHECK(values.size() == squares.size());
  FG_CHECK(slopes.empty() || slopes.size() == squares.size());
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const RadialValue found = at(std::sqrt(squares[i]));
    values[i] = found.value;
    if (!slopes.empty()) slopes[i] = found.slope;
  }
}

}  // namespace fg::electrons
