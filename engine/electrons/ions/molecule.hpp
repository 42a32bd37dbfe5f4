// SPDX-License-Identifier: BSD-3-Clause
//
// A molecule in a cell: where it is, how much room it has, its dipole moment. The cell is cut along
// each of its vectors in the middle of the widest gap between ions. So the molecule may lie across
// a face. Units: bohr, elementary charges; multiples of the cell's vectors where it says so.
#pragma once

#include <array>
#include <complex>
#include <span>

#include "electrons/waves/lattice.hpp"
#include "electrons/waves/plane_waves.hpp"
#include "fft/grid_box.hpp"

namespace fg::electrons {

/// The density of a molecule is taken to reach as far beyond its ions as this. A density of 1e-3 to
/// 1e-4 electrons/bohr^3 is left there. What is cut off changes energies by less than 1e-4 hartree.
inline constexpr double electrons_beyond_ions = 4;  // [bohr]

/// With so many electrons_outside the error of an energy without images is about 1e-4 hartree.
inline constexpr double most_electrons_outside = 0.07;

struct MoleculePlace {
  Vec3 centre;  // half-way between the cuts, in multiples of the vectors
  /// Perpendicular to the faces of the cell: distances of opposite faces, and what ions take.
  std::array<double, 3> widths{}, extents{};

  /// Whether there is room for the electrons of the molecule beside those of its images.
  bool has_vacuum() const noexcept;
};

/// Throws InternalError if there are no positions.
MoleculePlace place_of(const Lattice& lattice, std::span<const Vec3> positions);

/// Throws InputError, with the size that is needed, if the cell is too small for IsolatedCoulomb.
/// It must be at least twice as large as the molecule with its electrons.
void check_room_for_isolated(const Lattice& lattice, std::span<const Vec3> positions);

/// The position from the centre in multiples of the vectors, between -1/2 and 1/2 of each.
Vec3 from_centre(const Vec3& multiples, const Vec3& centre) noexcept;

/// The share of these waves in the dipole moment of the electrons from the centre [e bohr]. The
/// moment is minus the integral of rho(r) r. Only waves along one of the vectors have a share:
///   the integral of s exp(2 pi i m s) over s = -1/2 .. 1/2 is (-1)^m / (2 pi i m).
/// `density` [waves], the mean over the cell of rho(r) exp(-i G . r) [1/bohr^3].
Vec3 electron_dipole(const PlaneWaves& waves, const Vec3& centre,
                     std::span<const std::complex<double>> density) noexcept;

/// The dipole moment of ions from the centre [e bohr].
Vec3 ion_dipole(const Lattice& lattice, const Vec3& centre, std::span<const double> charges,
                std::span<const Vec3> positions) noexcept;

/// The electrons at those points of a box of the grid that are outside the middle half of the cell
/// along one of its vectors. `density` [1/bohr^3] row by row. Energies without images are wrong by
/// about 0.02 hartree times the square of this number.
double electrons_outside(const Lattice& lattice, const Vec3& centre, const std::array<int, 3>& grid,
                         const fft::GridBox& box, std::span<const double> density) noexcept;

}  // namespace fg::electrons
