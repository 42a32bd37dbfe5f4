// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/ions/ion_waves.hpp"

#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "electrons/waves/harmonics.hpp"

namespace fg::electrons {

namespace {

using Complex = std::complex<double>;

std::size_t orientations(const RadialTable& table) {
  return static_cast<std::size_t>(2 * table.l() + 1);
}

/// The direction of a wave; G = 0 has none.
Vec3 direction(const PlaneWaves& waves, std::size_t i) {
  const double square = waves.squares()[i];
  return square == 0 ? Vec3{} : waves.wave(i) * (1 / std::sqrt(square));
}

/// (-i)^l.
Complex turn(int l) {
  constexpr Complex turns[] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
  return turns[l % 4];
}

}  // namespace

IonWaves::IonWaves(const PlaneWaves& waves,
                   std::vector<std::span<const RadialTable>> tables_of_kinds)
    : waves_(&waves), phases_(waves), kinds_(tables_of_kinds.size()) {
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    Kind& kind = kinds_[k];
    kind.tables = tables_of_kinds[k];
    for (const RadialTable& table : kind.tables) {
      FG_CHECK(table.l() <= most_l);
      kind.l.insert(kind.l.end(), orientations(table), table.l());
    }
    kind.forms.resize(kind.l.size() * waves.size());
  }
  write_forms();
}

void IonWaves::change_waves(const PlaneWaves& waves) {
  FG_CHECK(waves.size() == waves_->size());
  waves_ = &waves;
  phases_ = PhaseFactors(waves);
  write_forms();
}

void IonWaves::write_forms() {
  const PlaneWaves& waves = *waves_;
  const std::size_t size = waves.size();
  const double scale = 1 / std::sqrt(waves.lattice().volume());
  std::vector<double> values(size);
  for (Kind& kind : kinds_) {
    double* rows = kind.forms.data();
    for (const RadialTable& table : kind.tables) {
      table.evaluate(waves.squares(), values);
      for (std::size_t i = 0; i < size; ++i) {
        const auto harmonics = solid_harmonics(table.l(), direction(waves, i));
        for (std::size_t m = 0; m < orientations(table); ++m)
          rows[m * size + i] = scale * values[i] * harmonics[m].value;
      }
      rows += orientations(table) * size;
    }
  }
}

void IonWaves::write(int kind, const Vec3& position, std::span<Complex> out) const {
  std::vector<Complex> phase(waves_->size());
  write(kind, position, out, phase);
}

void IonWaves::write(int kind, const Vec3& position, std::span<Complex> out,
                     std::span<Complex> phase) const {
  const std::size_t size = waves_->size();
  FG_CHECK(out.size() == rows(kind) * size);
  phases_.write(position, phase);
  for (std::size_t row = 0; row < rows(kind); ++row) {
    const std::span<const double> factor = form(kind, row);
    const Complex rotation = turn(l(kind, row));
    const double re = rotation.real(), im = rotation.imag();
    Complex* to = out.data() + row * size;
    for (std::size_t i = 0; i < size; ++i) {
      const double a = phase[i].real() * factor[i], b = phase[i].imag() * factor[i];
      to[i] = Complex(re * a - im * b, re * b + im * a);
    }
  }
}

/// Let n be G / |G|, P the polynomial of the harmonic, and F = q(|G|) P(n). With P and its gradient
/// at n,
///   |G| dF/dG_a = (|G| q' - l q) n_a P(n) + q dP/dn_a.
/// A strain changes G_a by minus the sum over b of its component ab times G_b.
Virial IonWaves::strained(int kind, std::span<const double> weights) const {
  const std::size_t size = waves_->size();
  FG_CHECK(weights.size() == rows(kind) * size);
  const double scale = 1 / std::sqrt(waves_->lattice().volume());
  std::vector<double> values(size), slopes(size);
  Virial sum{};
  const double* row = weights.data();
  for (const RadialTable& table : kind_of(kind).tables) {
    table.evaluate(waves_->squares(), values, slopes);
    const int l = table.l();
    for (std::size_t i = 0; i < size; ++i) {
      const double square = waves_->squares()[i];
      if (square == 0) continue;
      const Vec3 n = direction(*waves_, i);
      const auto harmonics = solid_harmonics(l, n);
      const double along = std::sqrt(square) * slopes[i] - l * values[i];
      Vec3 change;
      for (std::size_t m = 0; m < orientations(table); ++m)
        change += (n * (along * harmonics[m].value) + harmonics[m].gradient * values[i]) *
                  (scale * row[m * size + i]);
      // Half of the components ab and half of ba.
      add_virial(sum, n * 0.5, change);
      add_virial(sum, change, n * 0.5);
    }
    row += orientations(table) * size;
  }
  return sum;
}

}  // namespace fg::electrons
