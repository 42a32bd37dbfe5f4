// SPDX-License-Identifier: BSD-3-Clause
//
// The orbitals with which a ground state begins, on one share of the waves: random ones, or those
// of free atoms. Neither is normalised or orthogonal to the others. Units: bohr.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "electrons/waves/plane_waves.hpp"
#include "electrons/waves/radial_table.hpp"

namespace fg::electrons {

/// Orbitals `first` to `first + count - 1` of all.
struct OrbitalRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Writes random numbers with both parts between -1 and 1, divided by 1 + |G|^4 (in 1/bohr), to
/// `block` [count][waves]. At G = 0 they are real. A number is a pure function of seed, orbital and
/// the three indices of the wave. So it does not depend on the cut into shares and blocks. Throws
/// InternalError if an index is 2^20 or more, or if an orbital is 2^32 or more.
void random_orbitals(const PlaneWaves& waves, std::uint64_t seed, OrbitalRange range,
                     std::span<std::complex<double>> block);

/// Multiplies the numbers of `block` by 1 + strength r. Here r is as in random_orbitals, but
/// without the division. After that orbitals do not keep a symmetry of the ions, which a search for
/// the lowest energy cannot break by itself.
void disturb_orbitals(const PlaneWaves& waves, std::uint64_t seed, double strength,
                      OrbitalRange range, std::span<std::complex<double>> block);

/// The orbitals of all ions: q(|G|) [bohr^(3/2)] of each kind. Each has its l, up to 3, and 2 l + 1
/// orientations. They are ordered by ion, table, and m = -l, ..., l.
class AtomicOrbitals {
 public:
  /// Throws InternalError if an ion is of a kind that is not there.
  AtomicOrbitals(std::vector<std::vector<RadialTable>> kinds, std::span<const int> kind_of_ion);

  std::size_t count() const noexcept { return first_.back(); }

  /// Writes V^(-1/2) (-i)^l q Y_lm(G) exp(-i G . R) to `block` [count][waves]: orbitals of norm 1
  /// if those of the atoms are, but for waves beyond the cut-off. Throws InputError if a wave is
  /// beyond a table.
  void write(const PlaneWaves& waves, std::span<const Vec3> positions, OrbitalRange range,
             std::span<std::complex<double>> block) const;

 private:
  std::vector<std::vector<RadialTable>> kinds_;
  std::vector<int> kind_of_ion_;
  std::vector<std::size_t> first_;
};

}  // namespace fg::electrons
