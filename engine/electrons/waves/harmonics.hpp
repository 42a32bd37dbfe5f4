// SPDX-License-Identifier: BSD-3-Clause
//
// Real spherical harmonics times r^l, as polynomials of x, y, z, with their gradients; l up to 3,
// in the order m = -l, ..., l. With r = 1 they are the harmonics themselves, of integral 1 of the
// square over the sphere.
// Source: Schlegel and Frisch, Int. J. Quantum Chem. 54, 83 (1995).
#pragma once

#include <array>

#include "base/vec3.hpp"

namespace fg::electrons {

inline constexpr int most_l = 3;

struct Harmonic {
  double value = 0;
  Vec3 gradient;
};

/// The first 2 l + 1 elements of the result; l is from 0 to most_l.
std::array<Harmonic, 2 * most_l + 1> solid_harmonics(int l, const Vec3& r) noexcept;

}  // namespace fg::electrons
