// SPDX-License-Identifier: BSD-3-Clause
#include "fft/decomposition.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "fft/partition.hpp"

namespace fg::fft {

namespace {

std::string text(const GridBox& box) {
  std::string result;
  for (int a = 0; a < 3; ++a)
    result +=
        (a == 0 ? "" : " x ") + std::to_string(box.low[a]) + ".." + std::to_string(box.high[a]);
  return result;
}

/// The points of the largest of `parts` shares of n points.
constexpr std::int64_t most(int n, int parts) noexcept {
  return (std::int64_t{n} + parts - 1) / parts;
}

/// a * b = parts with the smallest largest(a, b), and of these the squarest.
template <class Largest>
std::array<int, 2> best_pair(int parts, Largest&& largest) {
  std::array<int, 2> best{parts, 1};
  std::int64_t least = 0;
  for (int a = 1; a <= parts; ++a) {
    if (parts % a != 0) continue;
    const int b = parts / a;
    const std::int64_t size = largest(a, b);
    const bool squarer = std::abs(a - b) < std::abs(best[0] - best[1]);
    if (least == 0 || size < least || (size == least && squarer)) {
      least = size;
      best = {a, b};
    }
  }
  return best;
}

/// Part `part` of `parts` of a range.
Range part_of(const Range& range, int parts, int part) noexcept {
  const Range within = share(range.size(), parts, part);
  return {range.begin + within.begin, range.begin + within.end};
}

/// The indices of two boxes that overlap, or an empty list. A sweep along the first axis: only
/// boxes that share a plane are compared.
std::vector<std::size_t> overlapping(std::span<const GridBox> boxes) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (!boxes[i].empty()) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return boxes[i].low[0] < boxes[j].low[0]; });
  std::vector<std::size_t> open;
  for (const std::size_t i : order) {
    std::erase_if(open, [&](std::size_t j) { return boxes[j].high[0] <= boxes[i].low[0]; });
    for (const std::size_t j : open)
      if (!intersection(boxes[i], boxes[j]).empty()) return {std::min(i, j), std::max(i, j)};
    open.push_back(i);
  }
  return {};
}

}  // namespace

std::vector<GridBox> bricks(const Grid& grid, const std::array<int, 3>& parts) {
  std::vector<GridBox> boxes;
  for (int i = 0; i < parts[0]; ++i)
    for (int j = 0; j < parts[1]; ++j)
      for (int k = 0; k < parts[2]; ++k) {
        const std::array<int, 3> index{i, j, k};
        GridBox box;
        for (int a = 0; a < 3; ++a) {
          const Range range = share(grid[a], parts[a], index[a]);
          box.low[a] = range.begin;
          box.high[a] = range.end;
        }
        boxes.push_back(box);
      }
  return boxes;
}

std::vector<GridBox> pencils(const Grid& grid, int axis, const std::array<int, 2>& parts) {
  std::array<int, 3> of_axes{1, 1, 1};
  of_axes[axis == 0 ? 1 : 0] = parts[0];
  of_axes[axis == 2 ? 1 : 2] = parts[1];
  return bricks(grid, of_axes);
}

std::vector<GridBox> slabs(const Grid& grid, int axis, int parts) {
  std::array<int, 3> of_axes{1, 1, 1};
  of_axes[axis] = parts;
  return bricks(grid, of_axes);
}

std::vector<GridBox> lines_in_mesh(const Grid& grid, const std::array<int, 3>& mesh, int axis) {
  std::vector<GridBox> boxes = bricks(grid, mesh);
  const int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
  // Ties go to the same of two divisions, so that stages which share an axis divide it alike.
  const auto [in_u, in_v] = best_pair(mesh[axis], [&](int a, int b) {
    return most(static_cast<int>(most(grid[u], mesh[u])), a) *
           most(static_cast<int>(most(grid[v], mesh[v])), b);
  });
  const int step = axis == 0 ? mesh[1] * mesh[2] : axis == 1 ? mesh[2] : 1;
  for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
    GridBox& box = boxes[rank];
    const int place = static_cast<int>(rank) / step % mesh[axis];
    const Range along_u = part_of(box.range(u), in_u, place / in_v);
    const Range along_v = part_of(box.range(v), in_v, place % in_v);
    box.low[u] = along_u.begin;
    box.high[u] = along_u.end;
    box.low[v] = along_v.begin;
    box.high[v] = along_v.end;
    box.low[axis] = 0;
    box.high[axis] = grid[axis];
  }
  return boxes;
}

std::array<int, 2> pencil_parts(const Grid& grid, int parts) {
  if (parts <= std::min(grid[0], grid[1])) return {parts, 1};
  return best_pair(parts, [&](int a, int b) {
    return std::max({most(grid[0], a) * most(grid[1], b) * grid[2],    // of the pencils of z,
                     most(grid[0], a) * grid[1] * most(grid[2], b),    // of y,
                     grid[0] * most(grid[1], a) * most(grid[2], b)});  // and of x
  });
}

bool whole_along(std::span<const GridBox> boxes, int axis, int points) {
  return std::all_of(boxes.begin(), boxes.end(), [&](const GridBox& box) {
    return box.empty() || (box.low[axis] == 0 && box.high[axis] == points);
  });
}

void require_partition(const Grid& grid, std::span<const GridBox> boxes, const char* name) {
  std::int64_t points = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].empty()) continue;
    for (int a = 0; a < 3; ++a)
      if (boxes[i].low[a] < 0 || boxes[i].high[a] > grid[a])
        throw InputError({.what = std::string("an ") + name + " box leaves the grid",
                          .where = "rank " + std::to_string(i),
                          .value = text(boxes[i]),
                          .limit = text(whole(grid)),
                          .hint = "boxes are half-open: their upper ends are not in them"});
    points += static_cast<std::int64_t>(boxes[i].volume());
  }
  if (const auto pair = overlapping(boxes); !pair.empty())
    throw InputError(
        {.what = std::string("two ") + name + " boxes overlap",
         .where = "ranks " + std::to_string(pair[0]) + " and " + std::to_string(pair[1]),
         .value = text(boxes[pair[0]]) + " and " + text(boxes[pair[1]]),
         .hint = "each point of the grid belongs to exactly one rank"});
  if (const auto all = static_cast<std::int64_t>(whole(grid).volume()); points != all)
    throw InputError({.what = std::string("the ") + name + " boxes do not cover the grid",
                      .value = std::to_string(points) + " points",
                      .limit = std::to_string(all) + " points",
                      .hint = "each point of the grid belongs to exactly one rank"});
}

}  // namespace fg::fft
