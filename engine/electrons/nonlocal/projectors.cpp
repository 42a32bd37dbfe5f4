// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/nonlocal/projectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "electrons/matrices/row_products.hpp"
#include "electrons/waves/parts_of_sum.hpp"

namespace fg::electrons {

namespace {

using Complex = std::complex<double>;

/// The rows of D Z that are multiplied at once. The limit saves memory. At least the rows of one
/// ion are multiplied.
constexpr std::size_t rows_at_once = 32;

/// The place of an ion without a position.
constexpr Vec3 nowhere{std::numeric_limits<double>::quiet_NaN(), 0, 0};

std::vector<std::span<const RadialTable>> tables(const std::vector<ProjectorKind>& kinds) {
  std::vector<std::span<const RadialTable>> result;
  result.reserve(kinds.size());
  for (const ProjectorKind& kind : kinds) result.emplace_back(kind.tables);
  return result;
}

/// A complex number is two doubles (C++ standard, complex.numbers).
const double* parts(const Complex* c) noexcept {
  return reinterpret_cast<const double*>(c);
}
double* parts(Complex* c) noexcept {
  return reinterpret_cast<double*>(c);
}

}  // namespace

Projectors::Projectors(const PlaneWaves& waves, const std::vector<ProjectorKind>& kinds,
                       std::span<const int> kind_of_ion)
    : coupling_(kinds, kind_of_ion),
      kind_of_ion_(kind_of_ion.begin(), kind_of_ion.end()),
      ion_waves_(waves, tables(kinds)),
      positions_(kind_of_ion.size(), nowhere),
      b_(2 * waves.size() * rows()),
      directions_(3 * waves.size()) {
  for (std::size_t row = 0; row < rows(); ++row)
    b_rows_.push_back(b_.data() + row * 2 * waves.size());
  write_directions();
}

void Projectors::write_directions() {
  const PlaneWaves& waves = ion_waves_.waves();
  for (std::size_t i = 0; i < waves.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a)
      directions_[a * waves.size() + i] = waves.wave(i)[static_cast<int>(a)];
}

void Projectors::change_waves(const PlaneWaves& waves) {
  ion_waves_.change_waves(waves);
  write_directions();
  std::fill(positions_.begin(), positions_.end(), nowhere);
}

void Projectors::place(std::span<const Vec3> positions) {
  FG_CHECK(positions.size() == kind_of_ion_.size());
  std::vector<Complex> work;
  place(0, positions, work);
}

void Projectors::place(std::size_t first, std::span<const Vec3> some, std::vector<Complex>& work) {
  FG_CHECK(first + some.size() <= kind_of_ion_.size());
  std::copy(some.begin(), some.end(), positions_.begin() + static_cast<std::ptrdiff_t>(first));
  const std::size_t size = ion_waves_.waves().size();
  const std::ptrdiff_t zero = ion_waves_.waves().zero();
  for (std::size_t ion = first; ion < first + some.size(); ++ion) {
    const std::size_t numbers = ion_waves_.rows(kind_of_ion_[ion]) * size;
    work.resize(std::max(work.size(), numbers + size));
    const std::span<Complex> rows(work.data(), numbers), phases(work.data() + numbers, size);
    ion_waves_.write(kind_of_ion_[ion], positions_[ion], rows, phases);
    double* to = b_.data() + 2 * size * coupling_.first(ion);
    for (std::size_t i = 0; i < numbers; ++i) {
      const double weight = static_cast<std::ptrdiff_t>(i % size) == zero ? 1 : 2;
      to[2 * i] = weight * rows[i].real();
      to[2 * i + 1] = weight * rows[i].imag();
    }
  }
}

void Projectors::check(std::span<const double> dz, std::size_t block, std::size_t orbitals) const {
  FG_CHECK(positions_.empty() || !std::isnan(positions_.front().x));
  FG_CHECK(dz.size() == rows() * orbitals);
  FG_CHECK(block == orbitals * ion_waves_.waves().size());
}

void Projectors::project(Block block, std::size_t orbitals, std::span<double> z) const {
  check(z, block.size(), orbitals);
  const std::size_t numbers = 2 * ion_waves_.waves().size();
  std::fill(z.begin(), z.end(), 0.0);
  add_inner_products({b_.data(), rows(), numbers}, {parts(block.data()), orbitals, numbers},
                     numbers, z.data(), orbitals);
}

void Projectors::apply(std::span<const double> dz, std::size_t orbitals,
                       std::span<Complex> applied) const {
  check(dz, applied.size(), orbitals);
  const PlaneWaves& waves = ion_waves_.waves();
  const std::size_t numbers = 2 * waves.size();
  combine_rows(b_rows_, {.data = dz.data(), .count = orbitals, .stride = orbitals, .scale = 0.5},
               numbers, Sum::adds, parts(applied.data()), numbers);
  if (waves.zero() < 0) return;
  // The weight of G = 0 is 1, and b is real there.
  const std::size_t zero = static_cast<std::size_t>(waves.zero());
  for (std::size_t s = 0; s < orbitals; ++s) {
    double sum = 0;
    for (std::size_t p = 0; p < rows(); ++p)
      sum += dz[p * orbitals + s] * b_[p * numbers + 2 * zero];
    applied[s * waves.size() + zero] += 0.5 * sum;
  }
}

template <class Use>
void Projectors::for_each_ion(std::span<const double> dz, Block block, std::size_t orbitals,
                              std::size_t waves_at_once, const Use& use) const {
  check(dz, block.size(), orbitals);
  const std::size_t size = ion_waves_.waves().size(), ions = kind_of_ion_.size();
  AlignedVector<double> product;
  std::vector<double> weights;
  std::vector<const double*> from(orbitals);
  for (std::size_t ion = 0; ion < ions;) {
    std::size_t end = ion + 1;
    const std::size_t first = coupling_.first(ion);
    while (end < ions && coupling_.first(end + 1) - first <= rows_at_once) ++end;
    const std::size_t count = coupling_.first(end) - first;
    weights.resize(orbitals * count);
    for (std::size_t s = 0; s < orbitals; ++s)
      for (std::size_t row = 0; row < count; ++row)
        weights[s * count + row] = dz[(first + row) * orbitals + s];
    for (std::size_t begin = 0; begin < size; begin += waves_at_once) {
      const std::size_t waves = std::min(waves_at_once, size - begin), numbers = 2 * waves;
      product.resize(count * numbers);
      for (std::size_t s = 0; s < orbitals; ++s) from[s] = parts(block.data() + s * size + begin);
      combine_rows(from, {.data = weights.data(), .count = count, .stride = count}, numbers,
                   Sum::replaces, product.data(), numbers);
      for (std::size_t one = ion; one < end; ++one)
        use(one, product.data() + (coupling_.first(one) - first) * numbers, begin, waves);
    }
    ion = end;
  }
}

void Projectors::add_forces(std::span<const double> dz, Block block, std::size_t orbitals,
                            double occupation, std::span<Vec3> forces) const {
  FG_CHECK(forces.size() == kind_of_ion_.size());
  constexpr std::size_t waves_at_once = 512;  // their products stay in the cache
  const std::size_t size = ion_waves_.waves().size();
  std::array<double, waves_at_once> imaginary;
  const auto add = [&](std::size_t ion, const double* a, std::size_t begin, std::size_t waves) {
    std::fill_n(imaginary.begin(), waves, 0.0);
    const std::size_t first = coupling_.first(ion), count = coupling_.first(ion + 1) - first;
    for (std::size_t row = 0; row < count; ++row) {
      const double* x = a + row * 2 * waves;
      const double* b = b_.data() + 2 * ((first + row) * size + begin);
      // Im(b A), where b* is stored.
      for (std::size_t i = 0; i < waves; ++i)
        imaginary[i] += b[2 * i] * x[2 * i + 1] - b[2 * i + 1] * x[2 * i];
    }
    for (int axis = 0; axis < 3; ++axis) {
      const double* g = directions_.data() + static_cast<std::size_t>(axis) * size + begin;
      forces[ion][axis] +=
          2 * occupation * sum_in_parts(waves, [&](std::size_t i) { return g[i] * imaginary[i]; });
    }
  };
  for_each_ion(dz, block, orbitals, waves_at_once, add);
}

void Projectors::add_virial(std::span<const double> dz, Block block, std::size_t orbitals,
                            double occupation, Virial& virial) const {
  const PlaneWaves& waves = ion_waves_.waves();
  const std::size_t size = waves.size();
  const int kinds =
      kind_of_ion_.empty() ? 0 : *std::max_element(kind_of_ion_.begin(), kind_of_ion_.end()) + 1;
  // For each row of a kind, and each wave, the sum over ions of w Re(i^l exp(i G . R) A).
  std::vector<std::vector<double>> weights(static_cast<std::size_t>(kinds));
  for (int kind = 0; kind < kinds; ++kind)
    weights[static_cast<std::size_t>(kind)].resize(ion_waves_.rows(kind) * size);
  std::vector<Complex> phase(size);
  for_each_ion(
      dz, block, orbitals, size, [&](std::size_t ion, const double* a, std::size_t, std::size_t) {
        const int kind = kind_of_ion_[ion];
        ion_waves_.write_phases(positions_[ion], phase);
        for (std::size_t row = 0; row < ion_waves_.rows(kind); ++row) {
          const double* x = a + row * 2 * size;
          double* sum = weights[static_cast<std::size_t>(kind)].data() + row * size;
          // i^l = i^(l mod 2) times a sign; the real part of i y is -Im y.
          const int l = ion_waves_.l(kind, row);
          const double sign = (l / 2) % 2 == 0 ? 2 : -2;
          if (l % 2 == 0)
            for (std::size_t i = 0; i < size; ++i)
              sum[i] += sign * (phase[i].real() * x[2 * i] + phase[i].imag() * x[2 * i + 1]);
          else
            for (std::size_t i = 0; i < size; ++i)
              sum[i] -= sign * (phase[i].real() * x[2 * i + 1] - phase[i].imag() * x[2 * i]);
        }
      });
  for (int kind = 0; kind < kinds; ++kind) {
    std::vector<double>& sums = weights[static_cast<std::size_t>(kind)];
    double energy = 0;  // of this share
    for (std::size_t row = 0; row < ion_waves_.rows(kind); ++row) {
      double* sum = sums.data() + row * size;
      if (waves.zero() >= 0) sum[waves.zero()] *= 0.5;
      const std::span<const double> form = ion_waves_.form(kind, row);
      energy += sum_in_parts(size, [&](std::size_t i) { return form[i] * sum[i]; });
    }
    const Virial changes = ion_waves_.strained(kind, sums);
    for (std::size_t k = 0; k < 6; ++k)
      virial[k] += occupation * (2 * changes[k] + (k < 3 ? energy : 0));
  }
}

}  // namespace fg::electrons
