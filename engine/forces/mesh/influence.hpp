// SPDX-License-Identifier: BSD-3-Clause
//
// The influence function, which turns a charge density into a potential:
//   phi(m) = G(m) Q(m),  G = B(m) exp(-pi^2 m^2 / alpha^2) / (pi V m^2).
// Also the energy 1/2 sum_m G |Q|^2 with its virial. The highest wave number of an axis with an
// even number of points represents both +m and -m. Then G is the mean over both signs, so that
// G(m) = G(-m), as a real potential needs. In a tilted cell the two waves differ in length. In any
// cell they differ in the mixed terms of the virial. Units: hartree, bohr. Source: Essmann et al.,
// J. Chem. Phys. 103, 8577 (1995), eqs. 2.7 and 4.7.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "base/box.hpp"
#include "base/virial.hpp"
#include "forces/mesh/bspline.hpp"

namespace fg {

/// Everything that defines the reciprocal-space sum, from the job.
struct MeshSettings {
  Box box;
  std::array<int, 3> mesh{};
  int order = 4;
  double alpha = 0;  // Ewald coefficient [1/bohr]
  Bits bits = Bits::fast;
};

class Influence {
 public:
  explicit Influence(const MeshSettings& settings);

  /// The same mesh in another box; takes no memory.
  void set_box(const Box& box) noexcept;

  /// G at the mesh's wave number (mx, my, mz), each 0 .. points-1. Zero at the origin.
  double value(int mx, int my, int mz) const noexcept;

  /// `energy` of one wave number times its share of the virial tensor sum r_a f_b.
  Virial virial(int mx, int my, int mz, double energy) const noexcept;

  /// The sum of that over a row of all mx, of which `energies` holds one each.
  Virial row_virial(int my, int mz, std::span<const double> energies) const noexcept;

 private:
  struct Axis {
    std::vector<double> wave;    // m / edge, with the sign that is nearer to zero [1/bohr]
    std::vector<double> spline;  // 1 / bspline_moduli
    int highest;  // the wave number that represents both signs, in a mesh of an even size; or -1
  };
  /// G of one wave; `splines` is 1 / B(m).
  double factor(double splines, const Vec3& m) const noexcept;
  /// The mean of of_wave(m) over the waves that one wave number represents.
  template <class OfWave>
  auto over_signs(int mx, int my, int mz, OfWave&& of_wave) const noexcept;

  std::array<Axis, 3> axes_;
  Tilt slant_;        // of the reciprocal vectors
  double prefactor_;  // 1 / (pi V)
  double width_;      // pi^2 / alpha^2
};

}  // namespace fg
