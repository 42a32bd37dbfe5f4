// SPDX-License-Identifier: BSD-3-Clause
//
// The forces that keep distances between ions, at one moment. Force c is along the line of its two
// ions. It is +f on b in the direction from a to b, and -f on a. If f is positive it pushes them
// apart. The second derivative of each distance d_c is 0:
//   sum over c' of A_cc' f_c' = -n_c (F_b / m_b - F_a / m_a) - (|v|^2 - (n_c v)^2) / d_c,
//   A_cc' = sum over ions i of s_ci s_c'i n_c n_c' / m_i.
// Here n_c is the direction from a to b, v = v_b - v_a, and s is 1 for b and -1 for a. Units:
// Hartree atomic units. The mean of f is the derivative of the free energy by the distance: Sprik
// and Ciccotti, J. Chem. Phys. 109, 7737 (1998).
#pragma once

#include <span>
#include <vector>

#include "base/vec3.hpp"

namespace fg {

/// One constraint: two ions and the way from a to b.
struct IonPair {
  int a = 0, b = 0;
  Vec3 way;  // [bohr]
};

/// Whether no constraint follows from the others. Then they have forces, and each of them takes
/// away one direction of motion.
bool are_independent(std::span<const IonPair> pairs, std::span<const double> masses);

/// f [pairs] at these velocities and forces [ions]. Throws NumericsError if the constraints are not
/// independent.
std::vector<double> constraint_forces(std::span<const IonPair> pairs,
                                      std::span<const double> masses,
                                      std::span<const Vec3> velocities,
                                      std::span<const Vec3> forces);

}  // namespace fg
