// SPDX-License-Identifier: BSD-3-Clause
//
// The pair forces of a job.
// Units: bohr, hartree.
#pragma once

#include <array>

#include "base/bits.hpp"

namespace fg {

/// ewald: qq erfc(alpha r)/r, and for excluded pairs -qq erf(alpha r)/r, inside the cutoff.
/// reaction_field: qq (1/r + k r^2 - c) with k = (d-1)/((2d+1) rc^3), c = 3d/((2d+1) rc).
/// plain: qq/r. The last two leave excluded pairs out completely.
enum class Coulomb { ewald, reaction_field, plain };

/// What goes smoothly to zero at the cutoff. It is the energy, times 1 - 10 x^3 + 15 x^4 - 6 x^5,
/// as in OpenMM. Or it is the force, with a shifted energy, as in CHARMM's VFSWITCH:
/// doi:10.1002/jcc.540150702, eqs. 10 to 13.
enum class Switching { potential, force };

struct PairSettings {
  double cutoff = 0;
  double switch_distance = 0;  // start of the smooth switch of Lennard-Jones; 0: plain cutoff
  Switching switching = Switching::potential;
  Coulomb coulomb = Coulomb::ewald;
  double ewald_coefficient = 0;          // alpha [1/bohr]
  double reaction_field_dielectric = 1;  // d
  double list_cutoff = 0;                // radius of the outer list, made when atoms change patches
  double inner_list_cutoff = 0;          // radius of the inner list, pruned from the outer one
  Bits bits = Bits::fast;
};

/// Sums over the pairs of one compute.
struct PairEnergies {
  double lennard_jones = 0;
  double coulomb = 0;
  /// xx yy zz xy xz yz of sum over pairs of (r_i - r_j)_a f_b, f the force on i.
  std::array<double, 6> virial{};
};

}  // namespace fg
