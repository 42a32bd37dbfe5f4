// SPDX-License-Identifier: BSD-3-Clause
//
// Distances between ions that stay as they are, for ions in plain arrays. SHAKE corrects positions,
// and RATTLE velocities (shake.hpp), bond after bond until all are within the tolerance. Source:
// Ryckaert, Ciccotti, Berendsen, J. Comput. Phys. 23, 327 (1977); Andersen, J. Comput. Phys. 52, 24
// (1983). Units: Hartree atomic units.
#pragma once

#include <span>
#include <vector>

#include "ab_initio/motion/ion_bath.hpp"
#include "motion/constraints/constraint_forces.hpp"
#include "motion/constraints/shake.hpp"

namespace fg {

struct IonDistance {
  int a = 0, b = 0;     // which ions
  double distance = 0;  // [bohr]
};

class IonConstraints {
 public:
  /// `offsets` [ions] make the ions of a constraint neighbours where they are in different images
  /// of the cell. The distance is that of positions with their offsets. Ions move without jumps. If
  /// `offsets` is empty, there are none. `tolerance` is the largest relative error of a distance.
  /// Throws InputError if a constraint makes no sense, or is there twice.
  IonConstraints(std::span<const IonDistance> distances, std::span<const double> masses,
                 std::vector<Vec3> offsets = {}, double tolerance = 1e-12);

  /// How many directions of motion are lost.
  int count() const noexcept { return static_cast<int>(list_.bonds.size()); }

  /// Called after a drift from `previous` [ions], where distances were right. Moves positions back
  /// onto the distances, along the bonds of `previous`. Adds that move, divided by the time step,
  /// to velocities. Throws NumericsError if this has no solution.
  void apply_to_positions(std::span<const Vec3> previous, const MovingIons& ions, double timestep);

  /// After the second half of a kick: removes the part of the velocities that would change a
  /// distance. Throws NumericsError if this has no solution.
  void apply_to_velocities(const MovingIons& ions);

  /// Each with its way at these positions, in the order of the constructor.
  std::vector<IonPair> pairs(std::span<const Vec3> positions) const;

  /// The largest relative error of a distance.
  double largest_error(std::span<const Vec3> positions) const;

 private:
  /// One array for each axis.
  struct Columns {
    std::array<std::vector<double>, 3> axis;

    void set(std::span<const Vec3> from, std::span<const Vec3> offsets);
    void get(std::span<Vec3> to, std::span<const Vec3> offsets) const;
    Axes axes() noexcept { return {axis[0].data(), axis[1].data(), axis[2].data()}; }
    ConstAxes const_axes() const noexcept {
      return {axis[0].data(), axis[1].data(), axis[2].data()};
    }
  };

  ShakeList list_;
  std::vector<Vec3> offsets_;
  double tolerance_;
  Columns previous_, position_, velocity_;
};

}  // namespace fg
