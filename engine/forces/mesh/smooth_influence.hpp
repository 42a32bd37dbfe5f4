// SPDX-License-Identifier: BSD-3-Clause
//
// The influence function of smooth PME,
//   G = B(m) exp(-pi^2 m^2 / alpha^2) / (pi V m^2).
// The highest wave number of an axis with an even number of points represents both +m and -m. Then
// G is the mean over both signs, so that G(m) = G(-m), as a real potential needs. In a tilted cell
// the two waves differ in length. In any cell they differ in the mixed terms of the virial.
// Units: hartree, bohr. Source: Essmann et al., J. Chem. Phys. 103, 8577 (1995), eqs. 2.7 and 4.7.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "forces/mesh/influence.hpp"

namespace fg {

class SmoothInfluence final : public Influence {
 public:
  explicit SmoothInfluence(const MeshSettings& settings);

  void set_box(const Box& box) noexcept override;
  double value(int mx, int my, int mz) const noexcept override;
  Virial virial(int mx, int my, int mz, double energy) const noexcept override;
  Virial row_virial(int my, int mz, std::span<const double> energies) const noexcept override;

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
