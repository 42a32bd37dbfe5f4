// SPDX-License-Identifier: BSD-3-Clause
#include "motion/constraints/constraint_forces.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "base/error.hpp"

namespace fg {

namespace {

/// The least that may be left of a diagonal element of A, in units of the element. It is the
/// squared sine of the angle between a constraint and those before it.
constexpr double least_pivot = 1e-8;

struct Link {
  std::array<std::size_t, 2> ions;  // a, b
  Vec3 direction;
  double distance;
};

std::vector<Link> links_of(std::span<const IonPair> pairs) {
  std::vector<Link> links;
  links.reserve(pairs.size());
  for (const IonPair& pair : pairs) {
    const double distance = norm(pair.way);
    links.push_back({{static_cast<std::size_t>(pair.a), static_cast<std::size_t>(pair.b)},
                     pair.way * (1 / distance),
                     distance});
  }
  return links;
}

double element(const Link& c, const Link& d, std::span<const double> masses) noexcept {
  double share = 0;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 0; k < 2; ++k)
      if (c.ions[i] == d.ions[k]) share += (i == k ? 1 : -1) / masses[c.ions[i]];
  return share == 0 ? 0 : share * dot(c.direction, d.direction);
}

/// A = L L^T: the lower triangle by rows; nothing if A is not positive definite.
std::optional<std::vector<double>> root_of(std::span<const Link> links,
                                           std::span<const double> masses) {
  const std::size_t n = links.size();
  std::vector<double> root(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k <= i; ++k) {
      const double whole = element(links[i], links[k], masses);
      double rest = whole;
      for (std::size_t j = 0; j < k; ++j) rest -= root[i * n + j] * root[k * n + j];
      if (k < i) {
        root[i * n + k] = rest / root[k * n + k];
      } else {
        if (!(rest > least_pivot * whole)) return std::nullopt;
        root[i * n + i] = std::sqrt(rest);
      }
    }
  return root;
}

}  // namespace

bool are_independent(std::span<const IonPair> pairs, std::span<const double> masses) {
  return root_of(links_of(pairs), masses).has_value();
}

std::vector<double> constraint_forces(std::span<const IonPair> pairs,
                                      std::span<const double> masses,
                                      std::span<const Vec3> velocities,
                                      std::span<const Vec3> forces) {
  const std::vector<Link> links = links_of(pairs);
  const auto root = root_of(links, masses);
  if (!root)
    throw NumericsError({.what = "the constraints of distances have come to depend on each other",
                         .hint = "leave out one of those of atoms that are in one line"});
  const std::size_t n = links.size();
  std::vector<double> f(n);
  for (std::size_t c = 0; c < n; ++c) {
    const auto [a, b] = links[c].ions;
    const Vec3 v = velocities[b] - velocities[a];
    const double along = dot(links[c].direction, v);
    f[c] = -dot(links[c].direction, forces[b] * (1 / masses[b]) - forces[a] * (1 / masses[a])) -
           (dot(v, v) - along * along) / links[c].distance;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) f[i] -= (*root)[i * n + j] * f[j];
    f[i] /= (*root)[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) f[i] -= (*root)[j * n + i] * f[j];
    f[i] /= (*root)[i * n + i];
  }
  return f;
}

}  // namespace fg
