// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/electrons/wave_references.hpp"

#include <cmath>
#include <numbers>

namespace fg::electrons::reference {

double effective_square(const EffectiveCutoff& cutoff, double square, int pairs) noexcept {
  const double step = square / (2 * pairs);
  const auto slope = [&](double s) {
    const double x = (s / 2 - cutoff.energy) / cutoff.width;
    return 1 + 2 * cutoff.height / (cutoff.width * std::sqrt(std::acos(-1.0))) * std::exp(-x * x);
  };
  double sum = slope(0) + slope(square);
  for (int i = 1; i < 2 * pairs; ++i) sum += (i % 2 == 1 ? 4 : 2) * slope(i * step);
  const double at_zero = 2 * cutoff.height * std::erfc(cutoff.energy / cutoff.width);
  return at_zero + sum * step / 3;
}

double fictitious_kinetic_energy(std::span<const double> masses, std::ptrdiff_t zero,
                                 std::span<const std::complex<double>> velocities) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double re = velocities[i].real(), im = velocities[i].imag();
    sum += masses[i] * (re * re + im * im);                                              // G
    if (static_cast<std::ptrdiff_t>(i) != zero) sum += masses[i] * (re * re + im * im);  // -G
  }
  return sum;
}

std::vector<double> solid_harmonics(int l, const Vec3& r) {
  const double length = norm(r), azimuth = std::atan2(r.y, r.x);
  const double polar = std::atan2(std::hypot(r.x, r.y), r.z);
  std::vector<double> values;
  for (int m = -l; m <= l; ++m) {
    const unsigned order = static_cast<unsigned>(std::abs(m));
    // Its sign (-1)^m is that of Condon and Shortley, which real harmonics do not have.
    const double legendre = (m % 2 == 0 ? 1 : -1) *
                            std::sph_legendre(static_cast<unsigned>(l), order, polar) *
                            std::pow(length, l);
    if (m == 0)
      values.push_back(legendre);
    else
      values.push_back(std::numbers::sqrt2 * legendre *
                       (m > 0 ? std::cos(m * azimuth) : std::sin(-m * azimuth)));
  }
  return values;
}

double kinetic_energy(std::span<const double> squares,
                      std::span<const std::complex<double>> coefficients) noexcept {
  double energy = 0;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const bool zero = squares[i] == 0;
    const std::complex<double> c = coefficients[i], mirrored = std::conj(c);
    energy += 0.5 * squares[i] * std::norm(c);
    if (!zero) energy += 0.5 * squares[i] * std::norm(mirrored);
  }
  return energy;
}

void add_kinetic_virial(const PlaneWaves& waves, std::span<const std::complex<double>> block,
                        std::size_t orbitals, double occupation, Virial& virial,
                        std::span<const double> slopes) {
  for (std::size_t s = 0; s < orbitals; ++s)
    for (std::size_t i = 0; i < waves.size(); ++i)
      for (const double sign : {1.0, -1.0}) {
        const Vec3 g = waves.wave(i) * sign;
        const double slope = slopes.empty() ? 1 : slopes[i];
        add_virial(virial, g, g * (slope * occupation * std::norm(block[s * waves.size() + i])));
      }
}

Vec3 nearest_image(const Lattice& lattice, const Vec3& r) {
  constexpr int reach = 4;
  const Lattice short_vectors = reduced(lattice);
  const Vec3 s = short_vectors.fractional(r);
  Vec3 best = r;
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = -reach; z <= reach; ++z) {
        const Vec3 image = short_vectors.position(
            {s.x - std::floor(s.x) + x, s.y - std::floor(s.y) + y, s.z - std::floor(s.z) + z});
        if (dot(image, image) < dot(best, best)) best = image;
      }
  return best;
}

RadialValue radial_value(std::span<const double> values, double spacing, int l, double length) {
  const RadialTable checks({values.begin(), values.end()}, spacing, l);
  checks.at(length);
  const int nearest = static_cast<int>(std::floor(length / spacing));
  const auto value_at = [&](int i) {
    if (i >= 0) return i == 0 && l % 2 == 1 ? 0.0 : values[static_cast<std::size_t>(i)];
    return (l % 2 == 1 ? -1 : 1) * values[static_cast<std::size_t>(-i)];
  };
  RadialValue sum;
  for (int k = nearest - 3; k <= nearest + 4; ++k) {
    double basis = 1, basis_slope = 0;
    for (int j = nearest - 3; j <= nearest + 4; ++j) {
      if (j == k) continue;
      basis *= (length - j * spacing) / ((k - j) * spacing);
      double without = 1 / ((k - j) * spacing);
      for (int i = nearest - 3; i <= nearest + 4; ++i)
        if (i != j && i != k) without *= (length - i * spacing) / ((k - i) * spacing);
      basis_slope += without;
    }
    sum.value += basis * value_at(k);
    sum.slope += basis_slope * value_at(k);
  }
  return sum;
}

}  // namespace fg::electrons::reference
