// SPDX-License-Identifier: BSD-3-Clause
//
// Phases of waves at positions for the plain twins, exact ones or those of splines.
// Units: bohr.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <functional>

#include "electrons/waves/plane_waves.hpp"

namespace fg::electrons::reference {

/// exp(i G . R) of a wave at a position, and its gradient by R.
struct IonPhase {
  std::complex<double> value;
  std::array<std::complex<double>, 3> gradient;
};
using IonPhases = std::function<IonPhase(std::size_t wave, const Vec3& position)>;

/// The waves must outlive them.
IonPhases exact_phases(const PlaneWaves& waves);

}  // namespace fg::electrons::reference
