// SPDX-License-Identifier: BSD-3-Clause
//
// What thermostats and barostats of the whole system know beyond the atoms, with the box and its
// cut. Together with the atoms this is the whole state of a run. Units: Hartree atomic units.
#pragma once

#include <cstdint>

#include "base/box.hpp"
#include "base/vec3.hpp"

namespace fg {

/// How the box is cut into patches. It holds until the box has become too small for it.
struct BoxDivision {
  Int3 patches;
  Box box;  // for which it was made

  bool operator==(const BoxDivision&) const = default;
};

/// The trials of a Monte Carlo barostat: the size of its steps, and trials since it was changed.
struct VolumeTrials {
  double size = 0;  // [bohr^3]; 0: not yet chosen
  std::int32_t made = 0, accepted = 0;

  bool operator==(const VolumeTrials&) const = default;
};

struct BathState {
  Box box;
  BoxDivision division;
  /// Energy that velocities have got from heat baths, from scalings, and from the removal of drift
  /// (energy_scale, exact).
  std::int64_t heat = 0;
  /// Energy that scalings of the box have given to the potential. The energy of the last scaling is
  /// not yet known, and is missing.
  double work = 0;
  /// The last scaling: the logarithms of its factors, and the virial just before it.
  Vec3 strain;
  Vec3 virial_before;
  double volume_rate = 0;  // of a piston [bohr^3 per au time]
  VolumeTrials trials;

  bool operator==(const BathState&) const = default;
};

}  // namespace fg
