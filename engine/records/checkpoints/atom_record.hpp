// SPDX-License-Identifier: BSD-3-Clause
//
// An atom as it moves between patches and as it is kept. Units: bohr, bohr per au time.
#pragma once

#include <cstdint>

#include "base/vec3.hpp"

namespace fg {

/// `image` counts the box vectors subtracted from the position so far.
struct AtomRecord {
  std::int32_t id;
  Int3 image;
  Vec3 position;
  Vec3 velocity;
};

}  // namespace fg
