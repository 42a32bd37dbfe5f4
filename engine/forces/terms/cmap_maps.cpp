// SPDX-License-Identifier: BSD-3-Clause
#include "forces/terms/cmap_maps.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "base/shown.hpp"

namespace fg {

namespace {

/// Takes the slopes of a periodic cubic spline whose points are one step apart. They satisfy
/// m[i - 1] + 4 m[i] + m[i + 1] = 3 (y[i + 1] - y[i - 1]). The inverse of this matrix is
/// (z^k + z^(n - k)) / (2 sqrt(3) (1 - z^n)) for points k apart, z = sqrt(3) - 2. Source: Unser,
/// Aldroubi, Eden, IEEE Trans. Signal Process. 41, 821 (1993), doi:10.1109/78.193220.
class SplineSlopes {
 public:
  explicit SplineSlopes(int size) : size_(size), inverse_(size), rise_(size) {
    const double root = std::numbers::sqrt3, z = root - 2;
    std::vector<double> power(size + 1, 1.0);
    for (int k = 1; k <= size; ++k) power[k] = power[k - 1] * z;
    for (int k = 0; k < size; ++k)
      inverse_[k] = (power[k] + power[size - k]) / (2 * root * (1 - power[size]));
  }

  /// Goes from value(i) to slope(i, m), for i = 0 to size - 1.
  template <class Value, class Slope>
  void take(const Value& value, const Slope& slope) {
    for (int i = 0; i < size_; ++i)
      rise_[i] = 3 * (value((i + 1) % size_) - value((i + size_ - 1) % size_));
    for (int i = 0; i < size_; ++i) {
      double m = 0;
      for (int k = 0; k < size_; ++k) m += inverse_[k] * rise_[(i + k) % size_];
      slope(i, m);
    }
  }

 private:
  int size_;
  std::vector<double> inverse_, rise_;
};

/// Hermite's polynomials on [0, 1] and their derivatives: of the values and slopes at both ends.
struct Hermite {
  std::array<double, 2> value, slope, value_slope, slope_slope;

  explicit Hermite(double t) noexcept
      : value{1 - t * t * (3 - 2 * t), t * t * (3 - 2 * t)},
        slope{t * (1 - t) * (1 - t), t * t * (t - 1)},
        value_slope{6 * t * (t - 1), 6 * t * (1 - t)},
        slope_slope{(1 - t) * (1 - 3 * t), t * (3 * t - 2)} {}
};

/// The point of the grid at or before an angle, and the distance from it in steps.
struct GridPlace {
  int point;
  double beyond;

  GridPlace(double angle, int size) noexcept {
    const double turns = angle / (2 * std::numbers::pi);
    const double steps = (turns - std::floor(turns)) * size;
    point = static_cast<int>(steps);
    if (point >= size) point = size - 1;  // an angle just below zero is rounded to a whole turn
    beyond = steps - point;
  }
};

}  // namespace

CmapSurface::CmapSurface(int size, std::span<const double> energy)
    : size_(size), nodes_(energy.size()) {
  for (std::size_t i = 0; i < energy.size(); ++i) nodes_[i][0] = energy[i];
  SplineSlopes slopes(size);
  const auto along_first = [&](int from, int to) {
    for (int j = 0; j < size; ++j)
      slopes.take([&](int i) { return nodes_[i + size * j][from]; },
                  [&](int i, double m) { nodes_[i + size * j][to] = m; });
  };
  const auto along_second = [&](int from, int to) {
    for (int i = 0; i < size; ++i)
      slopes.take([&](int j) { return nodes_[i + size * j][from]; },
                  [&](int j, double m) { nodes_[i + size * j][to] = m; });
  };
  along_first(0, 1);
  along_second(0, 2);
  along_second(1, 3);
}

CmapResult CmapSurface::at(double first, double second) const noexcept {
  const GridPlace x(first, size_), y(second, size_);
  const Hermite p(x.beyond), q(y.beyond);
  CmapResult sum;
  for (int b = 0; b < 2; ++b)
    for (int a = 0; a < 2; ++a) {
      const Node& n = nodes_[(x.point + a) % size_ + size_ * ((y.point + b) % size_)];
      const double on_line = q.value[b] * n[0] + q.slope[b] * n[2];
      const double slope_on_line = q.value[b] * n[1] + q.slope[b] * n[3];
      sum.energy += p.value[a] * on_line + p.slope[a] * slope_on_line;
      sum.by_first += p.value_slope[a] * on_line + p.slope_slope[a] * slope_on_line;
      sum.by_second += p.value[a] * (q.value_slope[b] * n[0] + q.slope_slope[b] * n[2]) +
                       p.slope[a] * (q.value_slope[b] * n[1] + q.slope_slope[b] * n[3]);
    }
  const double steps_per_radian = size_ / (2 * std::numbers::pi);
  sum.by_first *= steps_per_radian;
  sum.by_second *= steps_per_radian;
  return sum;
}

std::optional<TermComplaint> CmapMaps::own_complaint() const {
  std::size_t points = 0;
  for (const std::int32_t edge : size) {
    if (edge < least_size || edge > most_size)
      return TermComplaint{"a CMAP table of this size cannot be used", std::to_string(edge),
                           std::to_string(least_size) + " to " + std::to_string(most_size) +
                               " points along each angle"};
    points += static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge);
  }
  if (points != energy.size())
    return TermComplaint{"the CMAP tables have the wrong number of energies",
                         std::to_string(energy.size()), std::to_string(points)};
  for (const double value : energy)
    if (!(std::abs(value) <= largest_energy))
      return TermComplaint{"an energy of a CMAP table is out of range", shown(value),
                           "-1e7 to 1e7"};
  return {};
}

TermComplaint CmapMaps::no_such_map(std::int32_t map) const {
  return {"a CMAP term names a map that does not exist", std::to_string(map),
          "numbers below " + std::to_string(count())};
}

CmapSurfaces::CmapSurfaces(const CmapMaps& maps) {
  surfaces_.reserve(maps.size.size());
  std::span<const double> left(maps.energy);
  for (const std::int32_t size : maps.size) {
    const std::size_t points = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
    surfaces_.emplace_back(size, left.first(points));
    left = left.subspan(points);
  }
}

}  // namespace fg
