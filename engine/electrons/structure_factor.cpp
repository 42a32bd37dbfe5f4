// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/structure_factor.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

namespace fg::electrons {

namespace {

using Complex = std::complex<double>;

/// exp(-2 pi i k s) for k = -most, ..., most.
class AxisFactors {
 public:
  explicit AxisFactors(int most) : most_(most), values_(2 * static_cast<std::size_t>(most) + 1) {}

  void set(double s) {
    // The whole part of k s turns nothing, and would cost digits.
    const double turn = -2 * std::numbers::pi * (s - std::nearbyint(s));
    for (int k = 0; k <= most_; ++k) {
      values_[static_cast<std::size_t>(most_ + k)] = std::polar(1.0, k * turn);
      values_[static_cast<std::size_t>(most_ - k)] = std::polar(1.0, -k * turn);
    }
  }
  /// From k on, for all larger ones.
  const Complex* from(int k) const noexcept { return values_.data() + most_ + k; }

 private:
  int most_;
  std::vector<Complex> values_;
};

/// Waves that follow each other along z.
struct Run {
  std::size_t first, count;
  int x, y, z;
};

std::vector<Run> runs_of(std::span<const std::array<int, 3>> indices) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto [x, y, z] = indices[i];
    if (!runs.empty()) {
      Run& last = runs.back();
      if (last.x == x && last.y == y && last.z + static_cast<int>(last.count) == z) {
        ++last.count;
        continue;
      }
    }
    runs.push_back({i, 1, x, y, z});
  }
  return runs;
}

}  // namespace

void structure_factor(const PlaneWaves& waves, std::span<const Vec3> positions,
                      std::span<Complex> factor) {
  std::array<int, 3> most{};
  for (const auto& index : waves.indices())
    for (int a = 0; a < 3; ++a) most[a] = std::max(most[a], std::abs(index[a]));
  std::array<AxisFactors, 3> axes{AxisFactors(most[0]), AxisFactors(most[1]), AxisFactors(most[2])};
  const std::vector<Run> runs = runs_of(waves.indices());
  std::fill(factor.begin(), factor.end(), Complex());
  for (const Vec3& position : positions) {
    const Vec3 s = waves.lattice().fractional(position);
    for (int a = 0; a < 3; ++a) axes[a].set(s[a]);
    for (const Run& run : runs) {
      const Complex xy = *axes[0].from(run.x) * *axes[1].from(run.y);
      const double re = xy.real(), im = xy.imag();
      const Complex* z = axes[2].from(run.z);
      Complex* out = factor.data() + run.first;
      // Written out: the product of std::complex looks for infinities.
      for (std::size_t i = 0; i < run.count; ++i)
        out[i] += Complex(re * z[i].real() - im * z[i].imag(), re * z[i].imag() + im * z[i].real());
    }
  }
}

}  // namespace fg::electrons
