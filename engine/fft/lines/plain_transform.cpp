// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines/plain_transform.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "fft/lines/unit_roots.hpp"

namespace fg::fft {

namespace {

std::size_t smallest_prime_factor(std::size_t n) {
  for (std::size_t p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}

using Roots = std::vector<LongComplex>;

/// exp(-2 pi i k / n) for 0 <= k < n
Roots roots_of(std::size_t n) {
  Roots roots(n);
  const std::vector<UnitRoot> half = half_turn_of_roots(static_cast<std::int64_t>(n));
  for (std::size_t k = 0; k <= n / 2; ++k) {
    if (k > 0) roots[n - k] = {half[k].cosine, half[k].sine};
    roots[k] = {half[k].cosine, -half[k].sine};
  }
  return roots;
}

/// How a line of `points` is put together from as many lines as its smallest prime factor.
struct Level {
  std::size_t points, parts;
  std::shared_ptr<const Roots> roots;
  std::size_t step;  // between the roots of this order
};

/// The outermost level first. Roots of half an order have the bits of every second one.
std::vector<Level> levels_of(std::size_t n) {
  std::vector<Level> levels;
  for (std::size_t rest = n; rest > 1; rest /= levels.back().parts) {
    const std::size_t parts = smallest_prime_factor(rest);
    if (!levels.empty() && levels.back().parts == 2)
      levels.push_back({rest, parts, levels.back().roots, 2 * levels.back().step});
    else
      levels.push_back({rest, parts, std::make_shared<const Roots>(roots_of(rest)), 1});
  }
  return levels;
}

/// Without the library's tests for infinite numbers.
inline LongComplex product(const LongComplex& a, const LongComplex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

void join_two(const Level& level, LongComplex* out) {
  const std::size_t m = level.points / 2;
  for (std::size_t k = 0; k < m; ++k) {
    const LongComplex even = out[k], odd = product((*level.roots)[k * level.step], out[m + k]);
    out[k] = even + odd;
    out[m + k] = even - odd;
  }
}

/// `p`: the parts, a constant for the compiler where they are few.
template <class Count>
void join(Count p, const Level& level, LongComplex* out, LongComplex* parts) {
  const std::size_t n = level.points, m = n / p;
  const LongComplex* const roots = level.roots->data();
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t r = 0; r < p; ++r) parts[r] = out[r * m + k];
    for (std::size_t wave = k; wave < n; wave += m) {
      LongComplex sum = parts[0];
      std::size_t turn = 0;  // r times the wave, modulo n
      for (std::size_t r = 1; r < p; ++r) {
        turn += wave;
        turn -= turn >= n ? n : 0;
        sum += product(roots[turn * level.step], parts[r]);
      }
      out[wave] = sum;
    }
  }
}

template <std::size_t p>
using Parts = std::integral_constant<std::size_t, p>;

void join_any(const Level& level, LongComplex* out, std::vector<LongComplex>& work) {
  work.resize(std::max(work.size(), level.parts));
  switch (level.parts) {
    case 2:
      return join_two(level, out);
    case 3:
      return join(Parts<3>{}, level, out, work.data());
    case 5:
      return join(Parts<5>{}, level, out, work.data());
    case 7:
      return join(Parts<7>{}, level, out, work.data());
    default:
      return join(level.parts, level, out, work.data());
  }
}

void transform(const std::vector<Level>& levels, std::size_t at, const LongComplex* in,
               std::size_t stride, LongComplex* out, std::vector<LongComplex>& work) {
  if (at == levels.size()) {
    *out = *in;
    return;
  }
  const Level& level = levels[at];
  const std::size_t m = level.points / level.parts;
  for (std::size_t r = 0; r < level.parts; ++r)
    transform(levels, at + 1, in + r * stride, stride * level.parts, out + r * m, work);
  join_any(level, out, work);
}

}  // namespace

std::vector<LongComplex> plain_transform(const std::vector<LongComplex>& line) {
  std::vector<LongComplex> waves(line.size()), work;
  if (!line.empty()) transform(levels_of(line.size()), 0, line.data(), 1, waves.data(), work);
  return waves;
}

}  // namespace fg::fft
