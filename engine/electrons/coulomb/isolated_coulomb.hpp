// SPDX-License-Identifier: BSD-3-Clause
//
// The Coulomb interaction of a molecule without its periodic images. Its kernel K(G) is the
// transform of 1/r over the cell, with r the length of the shortest image. It is split at 1/a. The
// first part, erf(a r)/r, is smooth, and is summed over the points of the grid. The second part,
// erfc(a r)/r, ends before the faces of the cell. So its transform is that of the whole space:
//   K(G) = (V/N) sum_points erf(a r)/r exp(-i G . r) + 4 pi/G^2 (1 - exp(-G^2/4 a^2)),
// where the last term is pi/a^2 at G = 0. Two charges interact by 1/r if their distance vector is
// in the Voronoi cell of the lattice. So the cell must be twice as large as the molecule. What is
// added to the periodic kernel 4 pi/G^2 is called the screening. Units: bohr; K [bohr^2]. Source:
// Martyna and Tuckerman, J. Chem. Phys. 110, 2810 (1999).
#pragma once

#include <array>
#include <complex>
#include <span>

#include "electrons/ions/ion_field.hpp"
#include "electrons/waves/nearest_image.hpp"
#include "electrons/waves/plane_waves.hpp"
#include "fft/grid_box.hpp"

namespace fg::electrons {

class IsolatedCoulomb {
 public:
  using Waves = std::span<const std::complex<double>>;

  /// `longest_wave`: the largest |G| of a density [1/bohr]. The splitting makes two errors equally
  /// small: erfc at the nearest face, and the waves of erf beyond the longest one. Throws
  /// InputError if they are not below 1e-7, as in a small cell with a low cut-off.
  IsolatedCoulomb(const Lattice& lattice, double longest_wave);

  double splitting() const noexcept { return splitting_; }

  /// Writes erf(a r)/r [1/bohr] at the points of a box of the grid, row by row.
  void write_long_range(const std::array<int, 3>& grid, const fft::GridBox& box,
                        std::span<double> values) const;

  /// Writes K(G) - 4 pi/G^2, and K(0) at G = 0 [waves]. `long_range` [waves]: the mean over the
  /// grid of erf(a r)/r exp(-i G . r).
  void write_screening(const PlaneWaves& waves, Waves long_range,
                       std::span<double> screening) const;

 private:
  double screening(double square, double long_range) const noexcept;

  NearestImage nearest_;
  double volume_, splitting_;
};

/// Adds to the potential [hartree] of a density what the screening gives; returns what that adds to
/// its energy. All arrays [waves].
double screen_hartree(const PlaneWaves& waves, std::span<const double> screening,
                      IsolatedCoulomb::Waves density,
                      std::span<std::complex<double>> potential) noexcept;

/// Subtracts the charge of an ion times the screening from its local potential, at G = 0 as well.
/// The slopes by |G| lose their meaning and are set to 0: there is no strain of a molecule.
void screen_local(double charge, std::span<const double> screening, RadialWaves& local);

}  // namespace fg::electrons
