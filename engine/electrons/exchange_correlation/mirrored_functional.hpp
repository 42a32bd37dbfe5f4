// SPDX-License-Identifier: BSD-3-Clause
//
// A functional whose energy is an odd function of the density. Where the density is negative, the
// energy is that of its absolute value with the opposite sign. Quantum ESPRESSO counts negative
// densities in this way. They come from model cores at a cut-off that is too low for them.
//
// With spin the sign of the sum of both counts. Where up + down is negative, e(up,
// down) = -f(-down, -up), which keeps up - down. Where |up - down| is larger than |up + down|, one
// spin has all of the density. Energies are those of Quantum ESPRESSO (v_xc). Derivatives are those
// of the energy. The potential of Quantum ESPRESSO is not this derivative at such points.
#pragma once

#include <memory>

#include "electrons/exchange_correlation/functional.hpp"

namespace fg::electrons {

/// Takes the values and derivatives of `inner`; its bits where the density is not negative.
std::unique_ptr<const Functional> make_mirrored(std::unique_ptr<const Functional> inner);

}  // namespace fg::electrons
