// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines/plain_transform.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "fft/lines/unit_roots.hpp"

namespace fg::fft {

namespace {

std::size_t smallest_prime_factor(std::size_t n) {
  for (std::size_t p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}

using Roots = std::vector<LongComplex>;

const long double* parts_of(const std::vector<LongComplex>& numbers) {
  return reinterpret_cast<const long double*>(numbers.data());
}
long double* parts_of(std::vector<LongComplex>& numbers) {
  return reinterpret_cast<long double*>(numbers.data());
}

/// The roots exp(-2 pi i k / n). If n is odd, they are those of a whole turn. If n is even, those
/// of the first half turn are enough, since two parts need no more.
Roots roots_of(std::size_t n) {
  const std::vector<UnitRoot> half = half_turn_of_roots(static_cast<std::int64_t>(n));
  Roots roots(n % 2 == 0 ? n / 2 : n);
  for (std::size_t k = 0; k < roots.size(); ++k) {
    const UnitRoot& root = half[std::min(k, n - k)];
    roots[k] = {root.cosine, 2 * k < n ? -root.sine : root.sine};
  }
  return roots;
}

/// How a line of `points` is put together from as many lines as its smallest prime factor.
struct Level {
  std::size_t points, parts;
  Roots roots;
};

/// The outermost level first. Roots of half an order have the bits of every second one. Each level
/// has its own roots, side by side, since roots far apart would share a few lines of the caches.
std::vector<Level> levels_of(std::size_t n) {
  std::vector<Level> levels;
  for (std::size_t rest = n; rest > 1; rest /= levels.back().parts) {
    const std::size_t parts = smallest_prime_factor(rest);
    if (levels.empty() || levels.back().parts != 2 || parts != 2) {
      levels.push_back({rest, parts, roots_of(rest)});
      continue;
    }
    Roots roots(rest / 2);
    for (std::size_t k = 0; k < roots.size(); ++k) roots[k] = levels.back().roots[2 * k];
    levels.push_back({rest, parts, std::move(roots)});
  }
  return levels;
}

// Plain numbers from here on. Complex ones of the library are copied by way of memory and tested
// for infinity, which takes most of the time.

void join_two(const Level& level, long double* out) {
  const std::size_t m = level.points / 2;
  const long double* root = parts_of(level.roots);
  long double* const odd = out + 2 * m;
  for (std::size_t k = 0; k < 2 * m; k += 2, root += 2) {
    const long double x = root[0] * odd[k] - root[1] * odd[k + 1];
    const long double y = root[0] * odd[k + 1] + root[1] * odd[k];
    const long double even_x = out[k], even_y = out[k + 1];
    out[k] = even_x + x;
    out[k + 1] = even_y + y;
    odd[k] = even_x - x;
    odd[k + 1] = even_y - y;
  }
}

/// `p`: the parts, a constant for the compiler where they are few. `parts`: work.
template <class Count>
void join(Count p, const Level& level, long double* out, long double* parts) {
  const std::size_t n = level.points, m = n / p;
  const long double* const roots = parts_of(level.roots);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t r = 0; r < p; ++r) {
      parts[2 * r] = out[2 * (r * m + k)];
      parts[2 * r + 1] = out[2 * (r * m + k) + 1];
    }
    for (std::size_t wave = k; wave < n; wave += m) {
      long double x = parts[0], y = parts[1];
      std::size_t turn = 0;  // r times the wave, modulo n
      for (std::size_t r = 1; r < p; ++r) {
        turn += wave;
        turn -= turn >= n ? n : 0;
        const long double* const root = roots + 2 * turn;
        x += root[0] * parts[2 * r] - root[1] * parts[2 * r + 1];
        y += root[0] * parts[2 * r + 1] + root[1] * parts[2 * r];
      }
      out[2 * wave] = x;
      out[2 * wave + 1] = y;
    }
  }
}

template <std::size_t p>
using Parts = std::integral_constant<std::size_t, p>;

void join_any(const Level& level, long double* out, std::vector<long double>& work) {
  work.resize(std::max(work.size(), 2 * level.parts));
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

/// `stride` is that of the points, as numbers.
void transform(const std::vector<Level>& levels, std::size_t at, const long double* in,
               std::size_t stride, long double* out, std::vector<long double>& work) {
  if (at == levels.size()) {
    out[0] = in[0];
    out[1] = in[1];
    return;
  }
  const Level& level = levels[at];
  const std::size_t m = level.points / level.parts;
  for (std::size_t r = 0; r < level.parts; ++r)
    transform(levels, at + 1, in + r * stride, stride * level.parts, out + 2 * r * m, work);
  join_any(level, out, work);
}

}  // namespace

std::vector<LongComplex> plain_transform(const std::vector<LongComplex>& line) {
  std::vector<LongComplex> waves(line.size());
  std::vector<long double> work;
  if (!line.empty()) transform(levels_of(line.size()), 0, parts_of(line), 2, parts_of(waves), work);
  return waves;
}

}  // namespace fg::fft
