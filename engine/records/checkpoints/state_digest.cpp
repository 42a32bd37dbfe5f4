// SPDX-License-Identifier: BSD-3-Clause
#include "records/checkpoints/state_digest.hpp"

#include "base/sha256.hpp"
#include "records/job/box_numbers.hpp"

namespace fg {

std::string state_digest(std::span<const Vec3> positions, std::span<const Vec3> velocities,
                         const Box& box) {
  Sha256 sum;
  const auto add = [&](const Vec3& v) { sum.add(v.x), sum.add(v.y), sum.add(v.z); };
  for (const Vec3& position : positions) add(position);
  for (const Vec3& velocity : velocities) add(velocity);
  add_box(sum, box);
  return sum.hex();
}

}  // namespace fg
