// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/waves/nearest_image.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fg::electrons {

namespace {

/// A vector only crosses a face if this makes it shorter beyond rounding, so that the way ends.
constexpr double rounding = 1e-12;

/// The lattice vector a + 2 t that is shortest, t being any vector of the lattice.
Vec3 shortest_of_coset(const Lattice& lattice, const std::array<int, 3>& a) {
  constexpr int reach = 2;  // of a reduced lattice
  Vec3 best{};
  double square = std::numeric_limits<double>::infinity();
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = -reach; z <= reach; ++z) {
        const Vec3 v =
            lattice.position({static_cast<double>(a[0] + 2 * x), static_cast<double>(a[1] + 2 * y),
                              static_cast<double>(a[2] + 2 * z)});
        if (dot(v, v) < square) {
          square = dot(v, v);
          best = v;
        }
      }
  return best;
}

}  // namespace

NearestImage::NearestImage(const Lattice& lattice) : given_(lattice) {
  check_lattice(lattice);
  lattice_ = reduced(lattice);
  for (int i = 1; i < 8; ++i)
    faces_.push_back(shortest_of_coset(lattice_, {i & 1, i >> 1 & 1, i >> 2 & 1}));
}

Vec3 NearestImage::operator()(const Vec3& r) const noexcept {
  Vec3 s = lattice_.fractional(r);
  s = {s.x - std::nearbyint(s.x), s.y - std::nearbyint(s.y), s.z - std::nearbyint(s.z)};
  Vec3 nearest = lattice_.position(s);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Vec3& face : faces_) {
      const double square = dot(face, face), along = dot(nearest, face);
      if (2 * std::abs(along) <= square * (1 + rounding)) continue;
      nearest -= face * std::nearbyint(along / square);
      changed = true;
    }
  }
  return nearest;
}

double NearestImage::shortest() const noexcept {
  double square = std::numeric_limits<double>::infinity();
  for (const Vec3& face : faces_) square = std::min(square, dot(face, face));
  return std::sqrt(square);
}

double NearestImage::growth(const Vec3& r) const noexcept {
  double growth = 0;
  for (const Vec3& face : faces_)
    growth = std::max(growth, 2 * std::abs(dot(r, face)) / dot(face, face));
  return growth;
}

}  // namespace fg::electrons
