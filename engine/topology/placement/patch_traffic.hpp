// SPDX-License-Identifier: BSD-3-Clause
//
// What patches placed on processes have to send: each patch sends its positions once to every other
// process with a pair compute that needs them. A compute lives with its first patch.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "topology/coordinates.hpp"

namespace fg::topology {

/// Patches that fill a box, numbered in row-major order with the last axis fastest.
struct PatchShape {
  std::array<int, 3> sides{1, 1, 1};
  bool periodic = true;  // else patches have no neighbours across the edges of the box

  int patches() const noexcept { return sides[0] * sides[1] * sides[2]; }
};

/// The number of pairs of a patch and another process that needs its positions. A compute of patch
/// p needs those of the patches at p plus each of `offsets`, such as the directions of a half
/// shell. Offsets are at most as long as a side.
std::int64_t patch_process_pairs(const PatchShape& shape,
                                 std::span<const std::array<int, 3>> offsets,
                                 std::span<const int> process_of_patch);

/// The sum of hops between hosts over these pairs. `mesh` has the coordinates of each host.
std::int64_t hops_of_pairs(const PatchShape& shape, std::span<const std::array<int, 3>> offsets,
                           std::span<const int> process_of_patch,
                           std::span<const int> host_of_patch, const Coordinates& mesh);

/// The number of pairs of a process and a z-pencil of the mesh to which it sends charges. `pencils`
/// are their numbers along x and y. A patch has charges in each pencil that it overlaps or touches.
/// The patches of a process send together.
std::int64_t process_pencil_pairs(const PatchShape& shape, const std::array<int, 2>& pencils,
                                  std::span<const int> process_of_patch);

}  // namespace fg::topology
