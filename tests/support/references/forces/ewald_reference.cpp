// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/forces/ewald_reference.hpp"

#include <cmath>
#include <complex>
#include <numbers>

#include "forces/constants.hpp"

namespace fg::reference {

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;

void add_pair(TermResult& result, std::size_t i, std::size_t j, const Vec3& d, double energy,
              double force_over_r) {
  const Vec3 f = d * force_over_r;
  result.energy += energy;
  result.forces[i] += f;
  result.forces[j] -= f;
  const Virial w{d.x * f.x, d.y * f.y, d.z * f.z, d.x * f.y, d.x * f.z, d.y * f.z};
  for (int k = 0; k < 6; ++k) result.virial[k] += w[k];
}

}  // namespace

TermResult ewald_fourier(const Box& box, double alpha, const WaveRule& rule,
                         std::span<const Vec3> positions, std::span<const double> charges) {
  const std::size_t atoms = positions.size();
  TermResult result;
  result.forces.resize(atoms);

  // exp(2 pi i k s) per atom, axis and k = 0 .. limit; s is the fractional coordinate.
  std::array<std::vector<Complex>, 3> powers;
  for (int a = 0; a < 3; ++a) {
    const std::size_t row = rule.limit[a] + 1;
    powers[a].resize(atoms * row);
    for (std::size_t i = 0; i < atoms; ++i)
      for (std::size_t k = 0; k < row; ++k)
        powers[a][i * row + k] =
            std::polar(1.0, 2 * pi * static_cast<double>(k) * box.fractional(positions[i])[a]);
  }
  const auto power = [&](int a, std::size_t i, int k) {
    const Complex p = powers[a][i * (rule.limit[a] + 1) + std::abs(k)];
    return k < 0 ? std::conj(p) : p;
  };

  const Tilt slant = box.reciprocal_tilt();
  std::vector<Complex> phase(atoms);
  for (int kx = 0; kx <= rule.limit[0]; ++kx)
    for (int ky = -rule.limit[1]; ky <= rule.limit[1]; ++ky)
      for (int kz = -rule.limit[2]; kz <= rule.limit[2]; ++kz) {
        const int k2 = kx * kx + ky * ky + kz * kz;
        if (k2 == 0 || (rule.below_square > 0 && k2 >= rule.below_square)) continue;
        const double both_signs = kx == 0 ? 1 : 2;
        const Vec3 m = from_axes({kx / box.edge.x, ky / box.edge.y, kz / box.edge.z}, slant);
        const double m2 = dot(m, m);
        if (rule.longest > 0 && m2 > rule.longest * rule.longest) continue;
        const double factor =
            both_signs * std::exp(-pi * pi * m2 / (alpha * alpha)) / (2 * pi * box.volume() * m2);
        Complex sum = 0;
        for (std::size_t i = 0; i < atoms; ++i) {
          phase[i] = charges[i] * power(0, i, kx) * power(1, i, ky) * power(2, i, kz);
          sum += phase[i];
        }
        const double energy = factor * std::norm(sum);
        result.energy += energy;
        const double f = 2 * energy * (1 / m2 + pi * pi / (alpha * alpha));
        const Virial w{energy - f * m.x * m.x, energy - f * m.y * m.y, energy - f * m.z * m.z,
                       -f * m.x * m.y,         -f * m.x * m.z,         -f * m.y * m.z};
        for (int c = 0; c < 6; ++c) result.virial[c] += w[c];
        for (std::size_t i = 0; i < atoms; ++i)
          result.forces[i] += m * (4 * pi * factor * (phase[i] * std::conj(sum)).imag());
      }
  return result;
}

TermResult ewald_real(const Box& box, double alpha, double cutoff, std::span<const Vec3> positions,
                      std::span<const double> charges, std::span<const int> molecule) {
  TermResult result;
  result.forces.resize(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t j = i + 1; j < positions.size(); ++j) {
      if (molecule[i] == molecule[j]) continue;
      const Vec3 d = box.nearest_image(positions[i] - positions[j]);
      const double r = norm(d);
      if (r >= cutoff) continue;
      const double energy = charges[i] * charges[j] * std::erfc(alpha * r) / r;
      const double gauss =
          charges[i] * charges[j] * alpha * two_over_sqrt_pi * std::exp(-alpha * alpha * r * r);
      add_pair(result, i, j, d, energy, (energy + gauss) / (r * r));
    }
  return result;
}

TermResult ewald_excluded(const Box& box, double alpha, std::span<const Vec3> positions,
                          std::span<const double> charges, std::span<const int> molecule) {
  TermResult result;
  result.forces.resize(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t j = i + 1; j < positions.size(); ++j) {
      if (molecule[i] != molecule[j]) continue;
      const Vec3 d = box.nearest_image(positions[i] - positions[j]);
      const double r = norm(d);
      const double energy = -charges[i] * charges[j] * std::erf(alpha * r) / r;
      const double gauss =
          charges[i] * charges[j] * alpha * two_over_sqrt_pi * std::exp(-alpha * alpha * r * r);
      add_pair(result, i, j, d, energy, (energy + gauss) / (r * r));
    }
  return result;
}

}  // namespace fg::reference
