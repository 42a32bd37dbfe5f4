// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/wave_sphere.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/vec3.hpp"

namespace fg::fft {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

Vec3 row(const ReciprocalVectors& vectors, int k) {
  const auto& v = vectors[static_cast<std::size_t>(k)];
  return {v[0], v[1], v[2]};
}

void require_sense(const ReciprocalVectors& vectors, double cutoff) {
  if (!std::isfinite(cutoff) || cutoff < 0)
    throw InputError({.what = "the cut-off of a sphere of waves is not a length",
                      .value = std::to_string(cutoff),
                      .limit = "a finite number, not negative",
                      .hint = "give the largest |G|, in the unit of the reciprocal vectors; for an "
                              "energy E in hartree it is sqrt(2 E)"});
  const Vec3 b[] = {row(vectors, 0), row(vectors, 1), row(vectors, 2)};
  const double volume = std::abs(dot(b[0], cross(b[1], b[2])));
  const double edges = norm(b[0]) * norm(b[1]) * norm(b[2]);
  // Flatter than any cell of a simulation; rounding would decide which waves are in the sphere.
  constexpr double flattest = 1e-6;
  if (!std::isfinite(edges) || !(volume > flattest * edges))
    throw InputError({.what = "the reciprocal vectors span no cell",
                      .value = "volume " + std::to_string(volume) + ", product of the lengths " +
                               std::to_string(edges),
                      .limit = "finite vectors, a volume of at least 1e-6 of the product",
                      .hint =
                          "give b1, b2, b3 as rows; b = 2 pi times the inverse transpose of the "
                          "cell"});
}

/// The largest |index| along each axis that a wave may have: index k is G.a_k / 2 pi.
std::array<double, 3> reach_of(const ReciprocalVectors& vectors, double cutoff) {
  std::array<double, 3> reach{};
  for (int k = 0; k < 3; ++k) {
    const Vec3 b = row(vectors, k);
    const Vec3 across = cross(row(vectors, (k + 1) % 3), row(vectors, (k + 2) % 3));
    reach[static_cast<std::size_t>(k)] = cutoff * norm(across) / std::abs(dot(b, across));
  }
  return reach;
}

/// |G|^2 of a wave; the same to the bit for G and -G.
class Lengths {
 public:
  explicit Lengths(const ReciprocalVectors& v)
      : first_(row(v, 0)), second_(row(v, 1)), third_(row(v, 2)) {}

  double squared(int x, int y, int z) const noexcept {
    const Vec3 g = in_plane(x, y) + double(z) * third_;
    return dot(g, g);
  }
  /// The z, not an integer, of the shortest G with these x and y.
  double nearest(int x, int y) const noexcept {
    return -dot(in_plane(x, y), third_) / dot(third_, third_);
  }

 private:
  Vec3 in_plane(int x, int y) const noexcept { return double(x) * first_ + double(y) * second_; }

  Vec3 first_, second_, third_;
};

/// The column of all waves with these x and y; without waves if first > last.
Column column_at(const Lengths& lengths, int x, int y, double cutoff) {
  const double most = cutoff * cutoff;
  const auto inside = [&](int z) { return lengths.squared(x, y, z) <= most; };
  const int below = static_cast<int>(std::floor(lengths.nearest(x, y)));
  Column column{x, y, below + 1, below};
  while (inside(column.first - 1)) --column.first;
  while (inside(column.last + 1)) ++column.last;
  return column;
}

void require_room(const Grid& grid, std::span<const Column> columns, double cutoff) {
  std::array<int, 3> most{};
  for (const Column& c : columns) {
    most[0] = std::max(most[0], std::abs(c.x));
    most[1] = std::max(most[1], std::abs(c.y));
    most[2] = std::max({most[2], std::abs(c.first), std::abs(c.last)});
  }
  for (std::size_t a = 0; a < 3; ++a)
    if (2 * most[a] + 1 > grid[a])
      throw InputError(
          {.what =
               std::string("the sphere of waves is too large for the grid along ") + axis_names[a],
           .value = "indices up to " + std::to_string(most[a]) + " at a cut-off of " +
                    std::to_string(cutoff) + ", a grid of " + std::to_string(grid[a]) + " points",
           .limit = "indices up to " + std::to_string((grid[a] - 1) / 2),
           .hint = "use at least " + std::to_string(2 * most[a] + 1) +
                   " points along this axis, or a smaller cut-off"});
}

/// Throws if the ball is far too large for the grid, so that the search for its waves is short. The
/// exact limit is that of require_room: in a skew cell the outermost layers may hold no wave.
void require_reach(const Grid& grid, const std::array<double, 3>& reach) {
  for (std::size_t a = 0; a < 3; ++a) {
    if (grid[a] < 1)
      throw InputError({.what = "a grid needs at least one point per axis",
                        .value = std::to_string(grid[a]),
                        .hint = "a size of 1 makes a transform of fewer dimensions"});
    if (reach[a] > 2.0 * grid[a] + 2)
      throw InputError(
          {.what =
               std::string("the sphere of waves is too large for the grid along ") + axis_names[a],
           .value = "indices up to about " + std::to_string(reach[a]) + ", a grid of " +
                    std::to_string(grid[a]) + " points",
           .limit = "indices up to " + std::to_string((grid[a] - 1) / 2),
           .hint = "use more points along this axis, or a smaller cut-off; see also that both have "
                   "the same unit"});
  }
}

}  // namespace

WaveSphere::WaveSphere(const Grid& grid, const ReciprocalVectors& vectors, double cutoff,
                       SphereKind kind)
    : grid_(grid), kind_(kind) {
  require_sense(vectors, cutoff);
  const std::array<double, 3> reach = reach_of(vectors, cutoff);
  require_reach(grid, reach);
  const Lengths lengths(vectors);
  // One more than the bound, which is rounded.
  const int most_x = static_cast<int>(reach[0]) + 1, most_y = static_cast<int>(reach[1]) + 1;
  const bool half = kind == SphereKind::half;
  for (int x = half ? 0 : -most_x; x <= most_x; ++x)
    for (int y = half && x == 0 ? 0 : -most_y; y <= most_y; ++y) {
      Column column = column_at(lengths, x, y, cutoff);
      if (half && x == 0 && y == 0) column.first = 0;
      if (column.waves() > 0) columns_.push_back(column);
    }
  require_room(grid, columns_, cutoff);
  for (const Column& column : columns_) waves_ += static_cast<std::size_t>(column.waves());
}

std::vector<std::vector<int>> share_columns(std::span<const Column> columns, int ranks) {
  std::vector<int> order(columns.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return columns[static_cast<std::size_t>(a)].waves() >
           columns[static_cast<std::size_t>(b)].waves();
  });
  using Load = std::pair<std::size_t, int>;  // waves, rank
  std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
  for (int rank = 0; rank < ranks; ++rank) least.emplace(0, rank);
  std::vector<std::vector<int>> shares(static_cast<std::size_t>(ranks));
  for (const int column : order) {
    auto [waves, rank] = least.top();
    least.pop();
    shares[static_cast<std::size_t>(rank)].push_back(column);
    least.emplace(
        waves + static_cast<std::size_t>(columns[static_cast<std::size_t>(column)].waves()), rank);
  }
  for (auto& share : shares) std::sort(share.begin(), share.end());
  return shares;
}

}  // namespace fg::fft
