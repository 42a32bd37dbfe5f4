// SPDX-License-Identifier: BSD-3-Clause
#include "base/elementary.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numbers>

#include "base/arctangent.hpp"

namespace fg::elementary::portable {

namespace {

using std::numbers::pi;

// Constants in two or three parts, the first of which have zeros at their end: whole multiples of
// these are exact.
constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
constexpr double half_pi[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};

/// 1 + x / first (1 + x / (first + 1) (1 + ...)), of `terms` terms.
double exponential_series(double x, int first, int terms) noexcept {
  double sum = 1;
  for (int k = first + terms - 1; k >= first; --k) sum = 1 + sum * x / k;
  return sum;
}

/// 2 artanh(t) = ln((1 + t) / (1 - t)) for |t| < 0.18.
double logarithm_series(double t) noexcept {
  const double square = t * t;
  double sum = 0;
  for (int k = 23; k > 0; k -= 2) sum = sum * square + 1.0 / k;
  return 2 * t * sum;
}

struct Reduced {
  double x;     // at most pi / 4 in size
  int quarter;  // modulo 4
};
Reduced reduced(double x) noexcept {
  const double quarters = std::nearbyint(x * (2 / pi));
  for (const double part : half_pi) x -= quarters * part;
  return {x, static_cast<int>(static_cast<long long>(quarters) & 3)};
}

double sine_series(double x) noexcept {
  const double square = x * x;
  double sum = 1;
  for (int k = 18; k > 0; k -= 2) sum = 1 - sum * square / (k * (k + 1));
  return x * sum;
}
double cosine_series(double x) noexcept {
  const double square = x * x;
  double sum = 1;
  for (int k = 18; k > 0; k -= 2) sum = 1 - sum * square / (k * (k - 1));
  return sum;
}

double wave(double x, int ahead) noexcept {
  const auto [rest, quarter] = reduced(x);
  const int at = (quarter + ahead) % 4;
  const double size = at % 2 == 0 ? sine_series(rest) : cosine_series(rest);
  return at < 2 ? size : -size;
}

/// The arctangent for 0 <= t <= 1.
double arctangent(double t) noexcept {
  const bool large = t > tan_eighth_pi;
  const double x = large ? (t - 1) / (t + 1) : t, square = x * x;
  double sum = 0;
  for (int k = arctangent_terms - 1; k >= 0; --k) sum = sum * square + arctangent_series[k];
  return (large ? pi / 4 : 0) + (x + x * square * sum);
}

/// From here on erfc is found by its continued fraction, below by the series of erf.
constexpr double fraction_from = 2;

double erf_series(double x) noexcept {
  const double square = x * x;
  double term = x, sum = x;
  for (int k = 1; std::abs(term) > 1e-18 * std::abs(sum); ++k)
    sum += term *= 2 * square / (2 * k + 1);
  return 2 * std::numbers::inv_sqrtpi * exp(-square) * sum;
}
double erfc_fraction(double x) noexcept {
  double below = x;
  for (int k = 80; k > 0; --k) below = x + 0.5 * k / below;
  return std::numbers::inv_sqrtpi * exp(-x * x) / below;
}

}  // namespace

double exp(double x) noexcept {
  if (!(x < 709.7)) return x > 0 ? std::numeric_limits<double>::infinity() : x;  // or NaN
  if (x < -745) return 0;
  const double k = std::nearbyint(x / std::numbers::ln2);
  const double rest = (x - k * ln2_high) - k * ln2_low;
  return std::ldexp(exponential_series(rest, 1, 14), static_cast<int>(k));
}

double expm1(double x) noexcept {
  return std::abs(x) < 0.35 ? x * exponential_series(x, 2, 13) : exp(x) - 1;
}

double log(double x) noexcept {
  if (!(x > 0)) {
    using Limits = std::numeric_limits<double>;
    return x == 0 ? -Limits::infinity() : Limits::quiet_NaN();
  }
  if (x > std::numeric_limits<double>::max()) return x;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < std::numbers::sqrt2 / 2) m *= 2, --exponent;
  return exponent * ln2_high + (logarithm_series((m - 1) / (m + 1)) + exponent * ln2_low);
}

double log1p(double x) noexcept {
  return std::abs(x) < 0.25 ? logarithm_series(x / (2 + x)) : log(1 + x);
}

double sin(double x) noexcept {
  return wave(x, 0);
}
double cos(double x) noexcept {
  return wave(x, 1);
}

double atan2(double y, double x) noexcept {
  const double a = std::abs(y), b = std::abs(x);
  const double most = std::max(a, b);
  double angle = most > 0 ? arctangent(std::min(a, b) / most) : 0;
  if (a > b) angle = pi / 2 - angle;
  if (std::signbit(x)) angle = pi - angle;
  return std::copysign(angle, y);
}

double erf(double x) noexcept {
  const double size = std::abs(x);
  if (!(size >= fraction_from)) return erf_series(x);
  return std::copysign(1 - erfc_fraction(size), x);
}

double erfc(double x) noexcept {
  if (x >= fraction_from) return erfc_fraction(x);
  return x > -fraction_from ? 1 - erf_series(x) : 2 - erfc_fraction(-x);
}

double pow(double x, double y) noexcept {
  constexpr double most = 16;
  if (std::abs(y) > most || y != std::nearbyint(y)) return exp(y * log(x));
  double product = 1;
  for (int k = 0; k < std::abs(y); ++k) product *= x;
  return y < 0 ? 1 / product : product;
}

double cbrt(double x) noexcept {
  const double near = exp(log(x) / 3);
  return near - (near * near * near - x) / (3 * near * near);
}

}  // namespace fg::elementary::portable
