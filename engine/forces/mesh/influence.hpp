// SPDX-License-Identifier: BSD-3-Clause
//
// The influence function, which turns a charge density into a potential: phi(m) = G(m) Q(m). The
// energy is 1/2 sum_m G |Q|^2, and forces are its gradient. Q depends on fractional coordinates
// only. So the virial is minus the derivative of G by the strain of the cell.
// Units: hartree, bohr.
#pragma once

#include <memory>
#include <span>

#include "base/box.hpp"
#include "base/virial.hpp"
#include "forces/mesh/mesh_settings.hpp"

namespace fg {

class Influence {
 public:
  virtual ~Influence() = default;

  /// The same mesh in another box; takes no memory.
  virtual void set_box(const Box& box) noexcept = 0;

  /// G at the mesh's wave number (mx, my, mz), each 0 .. points-1. Zero at the origin. A real
  /// potential needs G(m) = G(-m).
  virtual double value(int mx, int my, int mz) const noexcept = 0;

  /// `energy` of one wave number times its share of the virial tensor sum r_a f_b.
  virtual Virial virial(int mx, int my, int mz, double energy) const noexcept = 0;

  /// The sum of that over a row of all mx, of which `energies` holds one each.
  virtual Virial row_virial(int my, int mz, std::span<const double> energies) const noexcept = 0;

 protected:
  Influence() = default;
  Influence(const Influence&) = default;
  Influence& operator=(const Influence&) = default;
};

/// The influence function that the settings ask for.
std::unique_ptr<Influence> make_influence(const MeshSettings& settings);

}  // namespace fg
