// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/ions/phase_factors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "base/error.hpp"

namespace fg::electrons {

namespace {

using Complex = std::complex<double>;

/// exp(-2 pi i k s) for k = -most, ..., most.
class AxisFactors {
 public:
  AxisFactors(int most, double s) : most_(most), values_(2 * static_cast<std::size_t>(most) + 1) {
    // The whole part of k s turns nothing, and would cost digits.
    const double turn = -2 * std::numbers::pi * (s - std::nearbyint(s));
    for (int k = 0; k <= most_; ++k) {
      values_[static_cast<std::size_t>(most_ + k)] = std::polar(1.0, k * turn);
      values_[static_cast<std::size_t>(most_ - k)] = std::polar(1.0, -k * turn);
    }
  }
  /// The phases from k on, for all larger ones.
  const Complex* from(int k) const noexcept { return values_.data() + most_ + k; }

 private:
  int most_;
  std::vector<Complex> values_;
};

/// Waves of a column that are added up at once, each in its own part of the sums.
constexpr std::size_t lanes = 4;
using Lanes = std::array<double, lanes>;

double total(const Lanes& sums) noexcept {
  return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

/// sum e q and sum z e q over a column of waves, for complex e and q, and z = 0, 1, ...
struct ColumnSums {
  Complex plain, by_place;
};
ColumnSums column_sums(std::size_t count, const double* er, const double* ei, const double* qr,
                       const double* qi) noexcept {
  Lanes re{}, im{}, re_by_place{}, im_by_place{};
  const auto add = [&](std::size_t i, std::size_t lane) {
    const double a = er[i] * qr[i] - ei[i] * qi[i], b = er[i] * qi[i] + ei[i] * qr[i];
    const double place = static_cast<double>(static_cast<int>(i));
    re[lane] += a;
    im[lane] += b;
    re_by_place[lane] += place * a;
    im_by_place[lane] += place * b;
  };
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) add(i + lane, lane);
  for (; i < count; ++i) add(i, i % lanes);
  return {{total(re), total(im)}, {total(re_by_place), total(im_by_place)}};
}

}  // namespace

PhaseFactors::PhaseFactors(const PlaneWaves& waves)
    : lattice_(waves.lattice()), reciprocal_(lattice_.reciprocal()), size_(waves.size()) {
  const std::span<const std::array<int, 3>> indices = waves.indices();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    for (int a = 0; a < 3; ++a) most_[a] = std::max(most_[a], std::abs(indices[i][a]));
    const auto [x, y, z] = indices[i];
    if (!runs_.empty()) {
      Run& last = runs_.back();
      if (last.x == x && last.y == y && last.z + static_cast<int>(last.count) == z) {
        ++last.count;
        continue;
      }
    }
    runs_.push_back({i, 1, x, y, z});
  }
}

/// `use` gets the place of a wave and both parts of its factor.
template <class Use>
void PhaseFactors::visit(const Vec3& position, const Use& use) const {
  const Vec3 s = lattice_.fractional(position);
  const std::array<AxisFactors, 3> axes{AxisFactors(most_[0], s.x), AxisFactors(most_[1], s.y),
                                        AxisFactors(most_[2], s.z)};
  for (const Run& run : runs_) {
    const Complex xy = *axes[0].from(run.x) * *axes[1].from(run.y);
    const double re = xy.real(), im = xy.imag();
    const Complex* z = axes[2].from(run.z);
    // Written out: the product of std::complex looks for infinities.
    for (std::size_t i = 0; i < run.count; ++i)
      use(run.first + i, re * z[i].real() - im * z[i].imag(), re * z[i].imag() + im * z[i].real());
  }
}

void PhaseFactors::write(const Vec3& position, std::span<Complex> phase) const {
  FG_CHECK(phase.size() == size_);
  Complex* out = phase.data();
  visit(position, [out](std::size_t i, double re, double im) { out[i] = Complex(re, im); });
}

void PhaseFactors::add(const Vec3& position, std::span<Complex> sum) const {
  FG_CHECK(sum.size() == size_);
  Complex* out = sum.data();
  visit(position, [out](std::size_t i, double re, double im) { out[i] += Complex(re, im); });
}

Vec3 PhaseFactors::slope(const Vec3& position, std::span<const double> real,
                         std::span<const double> imaginary) const {
  FG_CHECK(real.size() == size_ && imaginary.size() == size_);
  const Vec3 s = lattice_.fractional(position);
  const std::array<AxisFactors, 3> axes{AxisFactors(most_[0], s.x), AxisFactors(most_[1], s.y),
                                        AxisFactors(most_[2], s.z)};
  const std::size_t along_z = 2 * static_cast<std::size_t>(most_[2]) + 1;
  std::vector<double> z_real(along_z), z_imaginary(along_z);
  for (std::size_t k = 0; k < along_z; ++k) {
    z_real[k] = axes[2].from(-most_[2])[k].real();
    z_imaginary[k] = axes[2].from(-most_[2])[k].imag();
  }
  Vec3 sum;
  for (const Run& run : runs_) {
    const std::size_t first = static_cast<std::size_t>(run.z + most_[2]);
    const ColumnSums column =
        column_sums(run.count, z_real.data() + first, z_imaginary.data() + first,
                    real.data() + run.first, imaginary.data() + run.first);
    const Complex xy = *axes[0].from(run.x) * *axes[1].from(run.y);
    const double plain = (xy * column.plain).imag(), by_place = (xy * column.by_place).imag();
    const Vec3 begin = reciprocal_[0] * run.x + reciprocal_[1] * run.y + reciprocal_[2] * run.z;
    sum += begin * plain + reciprocal_[2] * by_place;
  }
  return sum;
}

}  // namespace fg::electrons
