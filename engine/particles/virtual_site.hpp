// SPDX-License-Identifier: BSD-3-Clause
//
// A virtual site: a point without mass whose place follows from its parents, atoms of its molecule.
// An example is the charge of TIP4P water on the bisector of its angle. All kinds are described by
// weights of the parents and an offset. Source: OpenMM User Guide, "Virtual Sites"; GROMACS
// reference manual, "Virtual interaction sites". Units: bohr.
#pragma once

#include <array>
#include <cstdint>

#include "base/vec3.hpp"

namespace fg {

enum class SiteKind : std::uint8_t {
  average,       // o = sum of weight times parent
  out_of_plane,  // o + offset.z (r2 - r1) x (r3 - r1), with offset.z in 1/bohr
  local_frame,   // o + offset.x x + offset.y y + offset.z z, unit axes: x along the sum of x_weight
                 // times parent, z across x and the sum of y_weight times parent, y = z x x
};

inline constexpr int max_site_parents = 4;

/// Indices are in the input's order of atoms. The weights of the origin add up to 1, those of an
/// axis to 0, so that a site moves with its parents. The first weight is never read: it is what the
/// others leave.
struct VirtualSite {
  std::int32_t site = -1;
  SiteKind kind = SiteKind::average;
  std::array<std::int32_t, max_site_parents> parents{-1, -1, -1, -1};  // -1: none
  std::array<double, max_site_parents> weights{};
  std::array<double, max_site_parents> x_weights{};
  std::array<double, max_site_parents> y_weights{};
  Vec3 offset;

  int parent_count() const noexcept {
    int count = 0;
    while (count < max_site_parents && parents[count] >= 0) ++count;
    return count;
  }
};

}  // namespace fg
