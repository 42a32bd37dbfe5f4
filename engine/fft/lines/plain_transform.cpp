// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines/plain_transform.hpp"

#include <cstdint>

#include "fft/lines/unit_root.hpp"

namespace fg::fft {

namespace {

std::size_t smallest_prime_factor(std::size_t n) {
  for (std::size_t p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}

}  // namespace

std::vector<LongComplex> plain_transform(const std::vector<LongComplex>& line) {
  const std::size_t n = line.size();
  if (n <= 1) return line;
  const std::size_t p = smallest_prime_factor(n), m = n / p;
  std::vector<LongComplex> roots(n), waves(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto [cosine, sine] =
        unit_root(static_cast<std::int64_t>(k), static_cast<std::int64_t>(n));
    roots[k] = {cosine, -sine};
  }
  for (std::size_t r = 0; r < p; ++r) {
    std::vector<LongComplex> part(m);
    for (std::size_t j = 0; j < m; ++j) part[j] = line[p * j + r];
    part = plain_transform(part);
    for (std::size_t k = 0; k < n; ++k) waves[k] += roots[r * k % n] * part[k % m];
  }
  return waves;
}

}  // namespace fg::fft
