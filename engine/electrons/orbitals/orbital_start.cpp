// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/orbitals/orbital_start.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "electrons/ions/ion_waves.hpp"

namespace fg::electrons {

namespace {

using Complex = std::complex<double>;

/// Indices of waves from -2^20 on take 21 bits each.
constexpr int index_bits = 21, index_offset = 1 << 20;

std::uint64_t packed(const std::array<int, 3>& index) {
  std::uint64_t word = 0;
  for (const int i : index) {
    FG_CHECK(std::abs(i) < index_offset);
    word = (word << index_bits) | static_cast<std::uint64_t>(i + index_offset);
  }
  return word;
}

/// Between -1 and 1, by the first 53 bits.
double signed_unit(std::uint32_t high, std::uint32_t low) noexcept {
  const std::uint64_t bits = ((std::uint64_t{high} << 32) | low) >> 11;
  return (static_cast<double>(bits) + 0.5) * 0x1p-52 - 1;
}

}  // namespace

namespace {

/// visit(number of `block`, a random number with parts between -1 and 1, the place of the wave).
template <class Visit>
void for_each_random(const PlaneWaves& waves, std::uint64_t seed, OrbitalRange range,
                     std::span<Complex> block, const Visit& visit) {
  const std::size_t size = waves.size();
  FG_CHECK(block.size() == range.count * size);
  FG_CHECK(range.first + range.count <= std::numeric_limits<std::uint32_t>::max());
  const PhiloxKey key = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t index = packed(waves.indices()[i]);
    const bool real = static_cast<std::ptrdiff_t>(i) == waves.zero();
    for (std::size_t s = 0; s < range.count; ++s) {
      const PhiloxCounter words =
          philox4x32({static_cast<std::uint32_t>(range.first + s),
                      static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                      static_cast<std::uint32_t>(RandomPurpose::orbital)},
                     key);
      visit(block[s * size + i],
            Complex(signed_unit(words[0], words[1]), real ? 0 : signed_unit(words[2], words[3])),
            i);
    }
  }
}

}  // namespace

void random_orbitals(const PlaneWaves& waves, std::uint64_t seed, OrbitalRange range,
                     std::span<Complex> block) {
  for_each_random(waves, seed, range, block,
                  [&](Complex& number, const Complex& random, std::size_t wave) {
                    const double square = waves.squares()[wave];
                    number = 1 / (1 + square * square) * random;
                  });
}

void disturb_orbitals(const PlaneWaves& waves, std::uint64_t seed, double strength,
                      OrbitalRange range, std::span<Complex> block) {
  for_each_random(waves, seed, range, block,
                  [&](Complex& number, const Complex& random, std::size_t /*wave*/) {
                    number *= 1.0 + strength * random;
                  });
}

AtomicOrbitals::AtomicOrbitals(std::vector<std::vector<RadialTable>> kinds,
                               std::span<const int> kind_of_ion)
    : kinds_(std::move(kinds)), kind_of_ion_(kind_of_ion.begin(), kind_of_ion.end()), first_{0} {
  for (const int kind : kind_of_ion_) {
    FG_CHECK(kind >= 0 && static_cast<std::size_t>(kind) < kinds_.size());
    std::size_t count = 0;
    for (const RadialTable& table : kinds_[static_cast<std::size_t>(kind)])
      count += static_cast<std::size_t>(2 * table.l() + 1);
    first_.push_back(first_.back() + count);
  }
}

void AtomicOrbitals::write(const PlaneWaves& waves, std::span<const Vec3> positions,
                           OrbitalRange range, std::span<Complex> block) const {
  const std::size_t size = waves.size(), end = range.first + range.count;
  FG_CHECK(positions.size() == kind_of_ion_.size());
  FG_CHECK(end <= count() && block.size() == range.count * size);
  const IonWaves ion_waves(waves, {kinds_.begin(), kinds_.end()});
  std::vector<Complex> rows;
  for (std::size_t ion = 0; ion < positions.size(); ++ion) {
    const std::size_t from = std::max(range.first, first_[ion]);
    const std::size_t to = std::min(end, first_[ion + 1]);
    if (from >= to) continue;
    rows.resize((first_[ion + 1] - first_[ion]) * size);
    ion_waves.write(kind_of_ion_[ion], positions[ion], rows);
    std::copy_n(rows.data() + (from - first_[ion]) * size, (to - from) * size,
                block.data() + (from - range.first) * size);
  }
}

}  // namespace fg::electrons
