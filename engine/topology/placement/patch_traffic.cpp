// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/patch_traffic.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

namespace fg::topology {

namespace {

/// The patch at `offset` from a patch, or -1.
int neighbour(const PatchShape& shape, const std::array<int, 3>& at,
              const std::array<int, 3>& offset) {
  int flat = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int side = shape.sides[axis];
    int to = at[axis] + offset[axis];
    if (to < 0 || to >= side) {
      if (!shape.periodic) return -1;
      to += to < 0 ? side : -side;
    }
    flat = flat * side + to;
  }
  return flat;
}

/// The pencils that a patch overlaps or touches along an axis.
std::vector<int> pencils_at(int patch, int side, int pencils, bool periodic) {
  std::vector<bool> touched(static_cast<std::size_t>(pencils));
  // Pencil i lies from i / pencils to (i + 1) / pencils of the box.
  const int first = (patch * pencils + side - 1) / side - 1, last = (patch + 1) * pencils / side;
  for (int i = first; i <= last; ++i) {
    if (!periodic && (i < 0 || i >= pencils)) continue;
    touched[static_cast<std::size_t>((i + pencils) % pencils)] = true;
  }
  std::vector<int> found;
  for (int i = 0; i < pencils; ++i)
    if (touched[static_cast<std::size_t>(i)]) found.push_back(i);
  return found;
}

/// Calls visit(patch, first) for each patch and each other process that needs its positions, with
/// a patch of this process whose compute does.
template <class Visit>
void visit_pairs(const PatchShape& shape, std::span<const std::array<int, 3>> offsets,
                 std::span<const int> process_of_patch, const Visit& visit) {
  std::vector<int> others;
  std::size_t patch = 0;
  for (int x = 0; x < shape.sides[0]; ++x)
    for (int y = 0; y < shape.sides[1]; ++y)
      for (int z = 0; z < shape.sides[2]; ++z, ++patch) {
        others.clear();
        for (const auto& offset : offsets) {
          const int first = neighbour(shape, {x, y, z}, {-offset[0], -offset[1], -offset[2]});
          if (first < 0) continue;
          const int process = process_of_patch[static_cast<std::size_t>(first)];
          if (process == process_of_patch[patch] ||
              std::ranges::find(others, process) != others.end())
            continue;
          others.push_back(process);
          visit(patch, static_cast<std::size_t>(first));
        }
      }
}

}  // namespace

std::int64_t patch_process_pairs(const PatchShape& shape,
                                 std::span<const std::array<int, 3>> offsets,
                                 std::span<const int> process_of_patch) {
  std::int64_t pairs = 0;
  visit_pairs(shape, offsets, process_of_patch, [&](std::size_t, std::size_t) { ++pairs; });
  return pairs;
}

std::int64_t hops_of_pairs(const PatchShape& shape, std::span<const std::array<int, 3>> offsets,
                           std::span<const int> process_of_patch,
                           std::span<const int> host_of_patch, const Coordinates& mesh) {
  std::int64_t hops = 0;
  visit_pairs(shape, offsets, process_of_patch, [&](std::size_t patch, std::size_t first) {
    for (int d = 0; d < mesh.dimensions(); ++d)
      hops += std::abs(mesh.at(host_of_patch[patch], d) - mesh.at(host_of_patch[first], d));
  });
  return hops;
}

std::int64_t process_pencil_pairs(const PatchShape& shape, const std::array<int, 2>& pencils,
                                  std::span<const int> process_of_patch) {
  std::vector<std::vector<int>> along_y;
  along_y.reserve(static_cast<std::size_t>(shape.sides[1]));
  for (int y = 0; y < shape.sides[1]; ++y)
    along_y.push_back(pencils_at(y, shape.sides[1], pencils[1], shape.periodic));
  std::vector<std::pair<int, int>> pairs;  // of a pencil and a process
  std::size_t patch = 0;
  for (int x = 0; x < shape.sides[0]; ++x) {
    const std::vector<int> along_x = pencils_at(x, shape.sides[0], pencils[0], shape.periodic);
    for (int y = 0; y < shape.sides[1]; ++y)
      for (int z = 0; z < shape.sides[2]; ++z, ++patch) {
        const int process = process_of_patch[patch];
        // Most columns are of one process for a while.
        if (z > 0 && process == process_of_patch[patch - 1]) continue;
        for (const int i : along_x)
          for (const int j : along_y[static_cast<std::size_t>(y)])
            pairs.emplace_back(i * pencils[1] + j, process);
      }
  }
  std::ranges::sort(pairs);
  return std::ranges::distance(pairs.begin(), std::ranges::unique(pairs).begin());
}

}  // namespace fg::topology
