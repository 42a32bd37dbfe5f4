// SPDX-License-Identifier: BSD-3-Clause
//
// Everything that defines the reciprocal-space sum, from the job. Units: bohr.
#pragma once

#include <array>

#include "base/bits.hpp"
#include "base/box.hpp"

namespace fg {

/// Which influence function the mesh has: that of smooth PME, or the one with the least error of
/// forces (P3M).
enum class InfluenceFunction { smooth, optimal };

struct MeshSettings {
  Box box;
  std::array<int, 3> mesh{};
  int order = 4;
  double alpha = 0;  // Ewald coefficient [1/bohr]
  Bits bits = Bits::fast;
  InfluenceFunction influence = InfluenceFunction::smooth;
};

}  // namespace fg
