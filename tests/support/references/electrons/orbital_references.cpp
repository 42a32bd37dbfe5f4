// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/electrons/orbital_references.hpp"

#include <cmath>

#include "base/philox.hpp"
#include "support/references/electrons/wave_references.hpp"

namespace fg::electrons::reference {

using Complex = std::complex<double>;

void random_orbitals(const PlaneWaves& waves, std::uint64_t seed, OrbitalRange range,
                     std::span<Complex> block) {
  for (std::size_t s = 0; s < range.count; ++s)
    for (std::size_t i = 0; i < waves.size(); ++i) {
      const auto [x, y, z] = waves.indices()[i];
      // The indices from -2^20 on are the digits of a number to the base 2^21.
      const std::uint64_t base = 2097152, half = 1048576;
      const std::uint64_t number =
          ((x + half) * base + static_cast<std::uint64_t>(y + static_cast<std::int64_t>(half))) *
              base +
          static_cast<std::uint64_t>(z + static_cast<std::int64_t>(half));
      const PhiloxCounter words = philox4x32({static_cast<std::uint32_t>(range.first + s),
                                              static_cast<std::uint32_t>(number % 4294967296),
                                              static_cast<std::uint32_t>(number / 4294967296), 6},
                                             {static_cast<std::uint32_t>(seed % 4294967296),
                                              static_cast<std::uint32_t>(seed / 4294967296)});
      const double re = words[0] * 0x1p-31 + words[1] * 0x1p-63 - 1;
      const double im = words[2] * 0x1p-31 + words[3] * 0x1p-63 - 1;
      const double damping = 1 / (1 + std::pow(norm(waves.wave(i)), 4));
      block[s * waves.size() + i] = {damping * re, waves.squares()[i] == 0 ? 0 : damping * im};
    }
}

void atomic_orbital(const PlaneWaves& waves, const RadialTable& table, int m, const Vec3& position,
                    std::span<Complex> orbital) {
  const int l = table.l();
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const Vec3 g = waves.wave(i);
    const double length = norm(g);
    const Vec3 direction = length == 0 ? Vec3{0, 0, 1} : g * (1 / length);
    const double y = solid_harmonics(l, direction)[static_cast<std::size_t>(l + m)];
    orbital[i] = length == 0 && l > 0
                     ? 0
                     : std::pow(Complex(0, -1), l) * std::polar(1.0, -dot(g, position)) *
                           (table.at(length).value * y / std::sqrt(waves.lattice().volume()));
  }
}

}  // namespace fg::electrons::reference
