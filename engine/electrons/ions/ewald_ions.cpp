// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/ions/ewald_ions.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "forces/constants.hpp"
#include "forces/mesh/ewald_constants.hpp"

namespace fg::electrons {

namespace {

constexpr double pi = std::numbers::pi;

/// Where erfc(x) = 5e-19 and exp(-x^2) = 6e-18; the sums end at r = x / k and G = 2 k x.
constexpr double tail = 6.3;
constexpr double closest = 1e-6;  // [bohr]

bool is_finite(const Vec3& r) {
  return std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.z);
}

double ball(double radius) {
  return 4 * pi / 3 * radius * radius * radius;
}

}  // namespace

EwaldIons::EwaldIons(const Lattice& lattice, std::vector<double> charges,
                     std::optional<double> splitting)
    : lattice_(lattice), charges_(std::move(charges)) {
  check_lattice(lattice);
  for (std::size_t i = 0; i < charges_.size(); ++i)
    if (!std::isfinite(charges_[i]))
      throw InputError({.what = "the charge of an ion is not finite",
                        .where = "ion " + std::to_string(i + 1),
                        .hint = "correct its pseudopotential"});
  lattice_ = reduced(lattice);
  if (splitting) {
    if (!(*splitting > 0) || !std::isfinite(*splitting))
      throw InputError({.what = "the splitting of an Ewald sum is not a positive number",
                        .value = shown(*splitting),
                        .hint = "leave it out: the best one is then found"});
    splitting_ = *splitting;
  } else {
    choose_splitting();
  }
  find_images();
  find_waves();
}

double EwaldIons::reach() const noexcept {
  double sum = 0;
  for (const Vec3& v : lattice_.vectors) sum += norm(v);
  return sum / 2;
}

/// Nanoseconds on one core, roughly; a wrong guess costs time, not precision.
void EwaldIons::choose_splitting() {
  constexpr double per_image = 1, per_pair = 40, per_wave = 4;
  const double count = static_cast<double>(charges_.size()), volume = lattice_.volume();
  const double pairs = count * (count + 1) / 2;
  const auto cost = [&](double k) {
    const double cutoff = tail / k;
    return pairs * (per_image * ball(cutoff + reach()) + per_pair * ball(cutoff)) / volume +
           count * per_wave * ball(2 * k * tail) * volume / (16 * pi * pi * pi);
  };
  // The best one with sums of the same cost per term, and steps of 2 % around it.
  const double start = std::sqrt(pi) * std::pow((count + 1) / (volume * volume), 1.0 / 6);
  splitting_ = start;
  for (int i = -60; i <= 120; ++i) {
    const double k = start * std::pow(1.02, i);
    if (cost(k) < cost(splitting_)) splitting_ = k;
  }
}

double EwaldIons::operations() const noexcept {
  constexpr double of_image = 9, of_pair = 100, of_wave = 18;
  const double count = static_cast<double>(charges_.size());
  const double near = ball(tail / splitting_) / lattice_.volume();  // images of an ion
  return count * (count + 1) / 2 * (of_image * static_cast<double>(images()) + of_pair * near) +
         count * of_wave * static_cast<double>(waves());
}

void EwaldIons::find_images() {
  const double radius = tail / splitting_ + reach();
  const std::array<Vec3, 3> b = lattice_.reciprocal();
  std::array<int, 3> most;
  // Planes of lattice points are 2 pi / |b| apart.
  for (int a = 0; a < 3; ++a) most[a] = static_cast<int>(radius * norm(b[a]) / (2 * pi));
  images_.assign(1, {});
  for (int x = -most[0]; x <= most[0]; ++x)
    for (int y = -most[1]; y <= most[1]; ++y)
      for (int z = -most[2]; z <= most[2]; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Vec3 image = lattice_.position({double(x), double(y), double(z)});
        if (dot(image, image) <= radius * radius) images_.push_back(image);
      }
}

void EwaldIons::find_waves() {
  const double longest = 2 * splitting_ * tail;
  std::array<int, 3> points;
  for (int a = 0; a < 3; ++a) {
    most_[a] = static_cast<int>(longest * norm(lattice_.vectors[a]) / (2 * pi)) + 1;
    points[a] = 2 * most_[a] + 1;
  }
  const fft::WaveSphere sphere({points[0], points[1], points[2]}, lattice_.reciprocal_rows(),
                               longest, fft::SphereKind::half);
  columns_.assign(sphere.columns().begin(), sphere.columns().end());
  waves_ = sphere.waves() - 1;  // without G = 0
}

IonEnergy EwaldIons::evaluate(std::span<const Vec3> positions) const {
  FG_CHECK(positions.size() == charges_.size());
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (!is_finite(positions[i]))
      throw NumericsError({.what = "the position of an ion is not finite",
                           .where = "ion " + std::to_string(i + 1),
                           .hint = "a shorter time step may help"});
  IonEnergy sum;
  sum.forces.resize(positions.size());
  const EwaldConstants constants = ewald_constants(charges_, splitting_);
  const double background = constants.background / lattice_.volume();
  sum.energy = constants.self + background;
  for (int k = 0; k < 3; ++k) sum.virial[k] = background;
  add_near(positions, sum);
  add_waves(positions, sum);
  return sum;
}

void EwaldIons::add_near(std::span<const Vec3> positions, IonEnergy& sum) const {
  const double cutoff2 = (tail / splitting_) * (tail / splitting_);
  const std::size_t count = positions.size();
  std::vector<Vec3> fractional(count);
  for (std::size_t i = 0; i < count; ++i) fractional[i] = lattice_.fractional(positions[i]);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i; j < count; ++j) {
      const bool self = i == j;  // an ion and its images, each pair of which is met twice
      const Vec3 s = fractional[i] - fractional[j];
      const Vec3 d = lattice_.position(
          {s.x - std::nearbyint(s.x), s.y - std::nearbyint(s.y), s.z - std::nearbyint(s.z)});
      const double product = charges_[i] * charges_[j] * (self ? 0.5 : 1);
      double energy = 0;
      Vec3 force;
      for (std::size_t k = self ? 1 : 0; k < images_.size(); ++k) {
        const Vec3 r = d + images_[k];
        const double r2 = dot(r, r);
        if (r2 >= cutoff2) continue;
        if (r2 < closest * closest)
          throw InputError(
              {.what = "two ions are at the same place",
               .where = "ions " + std::to_string(i + 1) + " and " + std::to_string(j + 1),
               .value = shown(std::sqrt(r2)) + " bohr apart",
               .limit = "1e-6 bohr",
               .hint = "check the structure, and that its cell is not too small"});
        const double length = std::sqrt(r2);
        const double term = std::erfc(splitting_ * length) / length;
        const double gauss =
            splitting_ * two_over_sqrt_pi * std::exp(-splitting_ * splitting_ * r2);
        const Vec3 f = r * ((term + gauss) / r2);
        energy += term;
        force += f;
        add_virial(sum.virial, r, f * product);
      }
      sum.energy += product * energy;
      if (self) continue;
      sum.forces[i] += force * product;
      sum.forces[j] -= force * product;
    }
}

void EwaldIons::add_waves(std::span<const Vec3> positions, IonEnergy& sum) const {
  using Complex = std::complex<double>;
  const std::size_t count = positions.size();
  // exp(i k b . R) for k = 0, 1, ... along each axis, [k][ion].
  std::array<std::vector<Complex>, 3> powers;
  for (int a = 0; a < 3; ++a) {
    powers[a].resize((most_[a] + 1) * count);
    for (std::size_t i = 0; i < count; ++i) {
      const double s = lattice_.fractional(positions[i])[a];
      const double turn = 2 * pi * (s - std::nearbyint(s));
      for (int k = 0; k <= most_[a]; ++k) powers[a][k * count + i] = std::polar(1.0, k * turn);
    }
  }
  const auto power = [&](int a, int k, std::size_t i) {
    const Complex p = powers[a][std::abs(k) * count + i];
    return k < 0 ? std::conj(p) : p;
  };
  const std::array<Vec3, 3> b = lattice_.reciprocal();
  const double damping = 1 / (4 * splitting_ * splitting_);
  std::vector<Complex> column(count), phase(count);
  for (const fft::Column& c : columns_) {
    for (std::size_t i = 0; i < count; ++i)
      column[i] = charges_[i] * power(0, c.x, i) * power(1, c.y, i);
    for (int z = c.first; z <= c.last; ++z) {
      if (c.x == 0 && c.y == 0 && z == 0) continue;
      const Vec3 g = b[0] * c.x + b[1] * c.y + b[2] * z;
      const double g2 = dot(g, g);
      Complex s = 0;
      for (std::size_t i = 0; i < count; ++i) s += phase[i] = column[i] * power(2, z, i);
      // Twice, for G and -G.
      const double factor = 4 * pi / lattice_.volume() * std::exp(-g2 * damping) / g2;
      const double energy = factor * std::norm(s);
      sum.energy += energy;
      for (std::size_t i = 0; i < count; ++i)
        sum.forces[i] += g * (2 * factor * (phase[i] * std::conj(s)).imag());
      const double f = 2 * energy * (1 / g2 + damping);
      for (int k = 0; k < 3; ++k) sum.virial[k] += energy;
      add_virial(sum.virial, g * -f, g);
    }
  }
}

}  // namespace fg::electrons
