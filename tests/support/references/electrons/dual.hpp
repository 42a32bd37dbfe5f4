// SPDX-License-Identifier: BSD-3-Clause
//
// A number with its derivatives by several variables (forward differentiation): a formula written
// once for energies gives its derivatives, too. For reference code, not for speed.
#pragma once

#include <array>
#include <cmath>

namespace fg::electrons::reference {

template <int N>
struct Dual {
  double value = 0;
  std::array<double, N> slopes{};

  Dual() = default;
  Dual(double constant) : value(constant) {}
  /// The variable number `index`.
  Dual(double at, int index) : value(at) { slopes[index] = 1; }
  /// f(x), from f and f' at x.
  Dual(const Dual& x, double f, double slope) : value(f) {
    for (int i = 0; i < N; ++i) slopes[i] = slope * x.slopes[i];
  }

  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual r(a.value + b.value);
    for (int i = 0; i < N; ++i) r.slopes[i] = a.slopes[i] + b.slopes[i];
    return r;
  }
  friend Dual operator-(const Dual& a, const Dual& b) { return a + (-1.0) * b; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual r(a.value * b.value);
    for (int i = 0; i < N; ++i) r.slopes[i] = a.slopes[i] * b.value + a.value * b.slopes[i];
    return r;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    return a * Dual(b, 1 / b.value, -1 / (b.value * b.value));
  }

  friend Dual sqrt(const Dual& x) {
    const double root = std::sqrt(x.value);
    return {x, root, 0.5 / root};
  }
  friend Dual exp(const Dual& x) { return {x, std::exp(x.value), std::exp(x.value)}; }
  friend Dual expm1(const Dual& x) { return {x, std::expm1(x.value), std::exp(x.value)}; }
  friend Dual log(const Dual& x) { return {x, std::log(x.value), 1 / x.value}; }
  friend Dual log1p(const Dual& x) { return {x, std::log1p(x.value), 1 / (1 + x.value)}; }
  /// x^(1/3) to an integer power.
  friend Dual thirds(const Dual& x, int power) {
    const double root = std::pow(std::cbrt(x.value), power);
    return {x, root, power / 3.0 * (root / x.value)};
  }
  /// x asinh x as a function of x^2.
  friend Dual product_with_asinh(const Dual& x2) {
    const double x = std::sqrt(x2.value);
    const double ratio = x > 0 ? std::asinh(x) / x : 1;
    return {x2, x * std::asinh(x), 0.5 * (ratio + 1 / std::sqrt(1 + x2.value))};
  }
};

}  // namespace fg::electrons::reference
