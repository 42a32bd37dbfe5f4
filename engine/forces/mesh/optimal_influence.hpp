// SPDX-License-Identifier: BSD-3-Clause
//
// The influence function with the least error of forces (P3M): over all places of two charges
// relative to each other and to the mesh, it minimises the mean square difference between the force
// of the mesh, the gradient of its energy, and the exact one. For splines with the transform W(m),
//   G = 1 / (pi V) sum W^2 exp(-pi^2 m^2 / alpha^2) / (sum W^2  sum m^2 W^2).
// The sums go over the images of a wave vector: all waves that the mesh cannot tell from it. The
// force of a charge on itself is not in the error that is minimised.
//
// The lower two sums are products of finite sums for each axis (bspline_image_sums). In a
// rectangular cell the upper one is a product, too. In a tilted one it is a sum over the few images
// whose Gaussians are not negligible.
//
// Units: hartree, bohr. Source: Hockney and Eastwood, Computer Simulation Using Particles (1988),
// chapter 8; Deserno and Holm, J. Chem. Phys. 109, 7678 (1998); for analytic differentiation
// Ballenegger, Cerda and Holm, J. Chem. Theory Comput. 8, 936 (2012).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "forces/mesh/influence.hpp"

namespace fg {

class OptimalInfluence final : public Influence {
 public:
  explicit OptimalInfluence(const MeshSettings& settings);

  void set_box(const Box& box) noexcept override;
  double value(int mx, int my, int mz) const noexcept override;
  Virial virial(int mx, int my, int mz, double energy) const noexcept override;
  Virial row_virial(int my, int mz, std::span<const double> energies) const noexcept override;

 private:
  /// An image of a wave number, with W^2 over (sum W^2)^2.
  struct Image {
    double wave = 0;
    double weight = 0;
  };
  /// Sums over images of weights, of weights times s, and times s^2.
  struct Moments {
    double zeroth = 0, first = 0, second = 0;
  };
  /// Waves are whole numbers here, so that only `gauss` depends on the box.
  struct Axis {
    // The nearest images to zero, ascending. In the next one W^2 is below (1/5)^8 of that in the
    // first, and its Gaussian smaller by exp(-6 (pi / (alpha spacing))^2).
    std::vector<std::array<Image, 4>> images;
    std::vector<Moments> spline;  // with weights W^2; means, so that the zeroth is 1
    // With W^2 times the Gaussian; means, except the zeroth. Of a rectangular cell.
    std::vector<Moments> gauss;
  };

  /// sum m^2 W^2 / sum W^2.
  double mean_square(int mx, int my, int mz) const noexcept;
  /// The sum of m_a m_b for each component of the virial. For each axis it takes moments of the
  /// wave numbers along it; those of different axes multiply.
  Virial products(const Moments& x, const Moments& y, const Moments& z) const noexcept;
  /// Visits the images of a wave in a tilted cell: visit(weight times Gaussian, m).
  template <class Visit>
  void for_each_image(int mx, int my, int mz, Visit&& visit) const noexcept;
  /// The mean of m_a m_b over images, with weights W^2 times the Gaussian.
  Virial gaussian_mean(int mx, int my, int mz) const noexcept;

  std::array<Axis, 3> axes_;
  std::array<Vec3, 3> unit_;  // the reciprocal vectors
  Vec3 square_;               // of each of them
  Vec3 mixed_;                // twice their products: xy, xz, yz
  bool rectangular_ = true;
  double prefactor_ = 0;  // 1 / (pi V)
  double width_;          // pi^2 / alpha^2
};

}  // namespace fg
