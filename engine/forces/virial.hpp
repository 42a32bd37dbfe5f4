// SPDX-License-Identifier: BSD-3-Clause
//
// The virial, as a sum over forces.
// Units: hartree.
#pragma once

#include <array>

namespace fg {

/// xx yy zz xy xz yz of sum r_a f_b, with r from a common point to the atom on which f acts.
using Virial = std::array<double, 6>;

}  // namespace fg
