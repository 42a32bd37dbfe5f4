// SPDX-License-Identifier: BSD-3-Clause
#include "fft/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace fg::fft {

namespace {

void require_grid(const TransformBoxes& boxes) {
  std::int64_t points = 1;
  for (const int n : boxes.grid) {
    if (n < 1)
      throw InputError({.what = "a grid needs at least one point per axis",
                        .value = std::to_string(n),
                        .hint = "a size of 1 makes a transform of fewer dimensions"});
    if (points > std::numeric_limits<std::int64_t>::max() / n / 16)
      throw InputError({.what = "the grid has too many points",
                        .value = std::to_string(n),
                        .hint = "its numbers could not be addressed"});
    points *= n;
  }
  if (boxes.in.empty() || boxes.in.size() != boxes.out.size())
    throw InputError(
        {.what = "there must be one input box and one output box for each rank",
         .value = std::to_string(boxes.in.size()) + " and " + std::to_string(boxes.out.size()),
         .hint = "a rank without points has an empty box"});
  require_partition(boxes.grid, boxes.in, "input");
  require_partition(waves_of(boxes.grid, boxes.kind), boxes.out, "output");
}

std::array<int, 2> parts_for(const TransformBoxes& boxes) {
  const int ranks = static_cast<int>(boxes.in.size());
  if (!boxes.parts) return pencil_parts(boxes.grid, ranks);
  const auto [a, b] = *boxes.parts;
  if (a < 1 || b < 1 || std::int64_t{a} * b != ranks)
    throw InputError({.what = "the parts of the pencils do not make the number of ranks",
                      .value = std::to_string(a) + " x " + std::to_string(b),
                      .limit = std::to_string(ranks),
                      .hint = "their product is the number of ranks"});
  return *boxes.parts;
}

void require_mesh(const TransformBoxes& boxes) {
  if (!boxes.mesh) return;
  const auto [a, b, c] = *boxes.mesh;
  const auto ranks = static_cast<std::int64_t>(boxes.in.size());
  if (boxes.parts)
    throw InputError({.what = "the lines between are divided by parts and by a mesh",
                      .hint = "give one of them"});
  const bool fits = a >= 1 && b >= 1 && c >= 1 && a <= ranks && b <= ranks / a;
  if (!fits || std::int64_t{a} * b * c != ranks)
    throw InputError(
        {.what = "the mesh of ranks does not hold all ranks",
         .value = std::to_string(a) + " x " + std::to_string(b) + " x " + std::to_string(c),
         .limit = std::to_string(ranks),
         .hint = "the product of its sizes is the number of ranks"});
}

/// The same boxes of another number of points along z, along which they are whole.
std::vector<GridBox> with_z(std::vector<GridBox> boxes, int points) {
  for (GridBox& box : boxes)
    if (!box.empty()) box.high[2] = points;
  return boxes;
}

}  // namespace

std::vector<GridBox> TransformPlan::boxes_whole_along(int axis, bool real) const {
  const Grid grid = real ? boxes_.grid : waves_of(boxes_.grid, boxes_.kind);
  // The output itself, if no transform after this one needs other boxes.
  const Grid waves = waves_of(boxes_.grid, boxes_.kind);
  bool fits = true;
  for (int a = axis; a >= 0; --a) fits = fits && whole_along(boxes_.out, a, waves[a]);
  if (fits) return real ? with_z(boxes_.out, grid[2]) : boxes_.out;
  return boxes_.mesh ? lines_in_mesh(grid, *boxes_.mesh, axis) : pencils(grid, axis, parts_);
}

TransformPlan::TransformPlan(TransformBoxes boxes) : boxes_(std::move(boxes)) {
  require_grid(boxes_);
  require_mesh(boxes_);
  parts_ = parts_for(boxes_);
  const Grid waves = waves_of(boxes_.grid, boxes_.kind);
  bool real = boxes_.kind == Kind::real;
  stages_.push_back({boxes_.in, boxes_.in, {}, real, real});
  for (int axis = 2; axis >= 0; --axis) {
    const int points = real ? boxes_.grid[axis] : waves[axis];
    if (!whole_along(stages_.back().after, axis, points)) {
      const std::vector<GridBox> next = boxes_whole_along(axis, real);
      stages_.push_back({next, next, {}, real, real});
    }
    Stage& stage = stages_.back();
    stage.axes.push_back(axis);
    if (real) stage.after = with_z(stage.after, waves[2]);
    real = stage.leaves_real = false;
  }
  if (stages_.back().after != boxes_.out) stages_.push_back({boxes_.out, boxes_.out, {}});
}

double TransformPlan::operations(std::size_t stage, int rank) const noexcept {
  const Stage& now = stages_[stage];
  const auto mine = static_cast<std::size_t>(rank);
  double operations = 0;
  for (const int axis : now.axes) {
    const bool real = now.arrives_real && axis == 2;
    const GridBox& box = real ? now.before[mine] : now.after[mine];
    if (!box.empty())
      operations +=
          (real ? 2.5 : 5.0) * static_cast<double>(box.volume()) * std::log2(box.size(axis));
  }
  return operations;
}

}  // namespace fg::fft
