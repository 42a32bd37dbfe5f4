// SPDX-License-Identifier: BSD-3-Clause
//
// The energy of point charges in a uniform background that makes the cell neutral, by Ewald's sum:
//   E = 1/2 sum' Z_i Z_j erfc(k r) / r + (2 pi / V) sum_{G != 0} exp(-G^2 / 4 k^2) / G^2 |S(G)|^2
//       - k / sqrt(pi) sum Z^2 - pi (sum Z)^2 / (2 V k^2),   S(G) = sum Z_i exp(i G . R_i).
// Both sums are cut where erfc and exp are below 1e-17. So the energy does not depend on the
// splitting k beyond rounding. Units: hartree, bohr, elementary charges. Source: Ewald, Ann. Phys.
// 369, 253 (1921); Ihm, Zunger and Cohen, J. Phys. C 12, 4409 (1979).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/virial.hpp"
#include "electrons/waves/lattice.hpp"

namespace fg::electrons {

struct IonEnergy {
  double energy = 0;
  std::vector<Vec3> forces;  // -dE/dR [hartree/bohr]
  /// Minus the derivative by the strain of cell and ions [hartree]. Divided by the volume it is the
  /// pressure tensor, which is minus the stress.
  Virial virial{};
};

class EwaldIons {
 public:
  /// Without `splitting` [1/bohr] the one that takes the least time by a count of pairs and waves.
  /// Throws InputError if the cell has no volume, or if a charge is not finite. Throws it also if
  /// the splitting is not finite or not positive.
  EwaldIons(const Lattice& lattice, std::vector<double> charges,
            std::optional<double> splitting = {});

  /// Throws InternalError if there are not as many positions as charges. Throws NumericsError if a
  /// position is not finite, and InputError if two ions are closer than 1e-6 bohr.
  IonEnergy evaluate(std::span<const Vec3> positions) const;

  double splitting() const noexcept { return splitting_; }
  /// What the sums have: images of the cell that are looked at for each pair, and pairs of waves.
  std::size_t images() const noexcept { return images_.size(); }
  std::size_t waves() const noexcept { return waves_; }
  /// Floating-point operations of an evaluation, counted as erfc and exp for a pair of near ions
  /// are: 100 with all that follows from them.
  double operations() const noexcept;

 private:
  void choose_splitting();
  void find_images();
  void find_waves();
  void add_near(std::span<const Vec3> positions, IonEnergy& sum) const;
  void add_waves(std::span<const Vec3> positions, IonEnergy& sum) const;
  /// No two points of the cell, each moved by vectors to the nearest to the other, are farther
  /// apart than this.
  double reach() const noexcept;

  Lattice lattice_;  // reduced
  std::vector<double> charges_;
  double splitting_ = 0;
  std::vector<Vec3> images_;  // vectors of the lattice; the first is 0
  std::vector<fft::Column> columns_;
  std::array<int, 3> most_{};  // the largest index of a wave along each axis
  std::size_t waves_ = 0;
};

}  // namespace fg::electrons
