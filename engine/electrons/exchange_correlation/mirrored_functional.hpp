// SPDX-License-Identifier: BSD-3-Clause
//
// A functional whose energy is an odd function of the density: where the density is negative, the
// energy is that of its absolute value with the opposite sign. Quantum ESPRESSO counts negative
// densities in this way; they come from model cores at a cut-off that is too low for them.
#pragma once

#include <memory>

#include "electrons/exchange_correlation/functional.hpp"

namespace fg::electrons {

/// Takes the values and derivatives of `inner`; its bits where the density is not negative. It has
/// no version with spin.
std::unique_ptr<const Functional> make_mirrored(std::unique_ptr<const Functional> inner);

}  // namespace fg::electrons
