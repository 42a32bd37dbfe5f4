// SPDX-License-Identifier: BSD-3-Clause
#include "particles/assignment/midpoint_cells.hpp"

#include <algorithm>
#include <utility>

namespace fg {

namespace {

/// The least whole number that is at least the quotient; `by` is positive.
std::int64_t up(std::int64_t number, std::int64_t by) noexcept {
  return number / by + (number % by > 0 ? 1 : 0);
}

PairDivision::Element with_one(const std::array<int, 3>& shape) noexcept {
  return {shape[0], shape[1], shape[2], 1};
}

}  // namespace

MidpointCells::MidpointCells(const PatchGrid& grid, const PatchOffset& reach)
    : PairDivision(grid, with_one(grid.shape())), reach_(reach) {}

MidpointCells::MidpointCells(const PatchGrid& grid, const PatchOffset& reach, CellCut cut)
    : PairDivision(grid, with_one(cut.shape)), reach_(reach), cut_(std::move(cut)) {}

CellSpan MidpointCells::span(int axis, const Element& element) const noexcept {
  const auto& [x, y, z, one] = element;
  const auto a = static_cast<std::size_t>(axis);
  if (cut_) {
    const auto [low, high] = cut_->along(axis, x, y, z);
    const int patches = grid().shape()[a];
    return {plane_in_patches(low, patches), plane_in_patches(high, patches)};
  }
  const std::int64_t patch = element[a], count = shape()[a];
  const std::int64_t lower = patch * patch_length;
  if (reach_[a] % 2 == 0) return {lower, lower + patch_length};
  const std::int64_t half = patch_length / 2;
  const bool open = !grid().box().periodic;
  // The first cell of an open box has what is below the middle of its patch, too.
  return {open && patch == 0 ? 0 : lower + half,
          open && patch == count - 1 ? lower + patch_length : lower + patch_length + half};
}

CellSpace MidpointCells::space(const Element& element) const noexcept {
  return {span(0, element), span(1, element), span(2, element)};
}

PatchIndex MidpointCells::home(const Element& element) const {
  PatchIndex patch{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto [low, high] = span(axis, element);
    patch[static_cast<std::size_t>(axis)] =
        static_cast<int>(up(low + high, 2 * std::int64_t{patch_length})) - 1;
  }
  return patch;
}

auto MidpointCells::needed(int axis, const CellSpan& span) const noexcept -> Patches {
  constexpr std::int64_t length = patch_length;
  const auto a = static_cast<std::size_t>(axis);
  // Patch p can have twice the midpoint from 2p + 1 - reach to 2p + 1 + reach, and a little beyond.
  constexpr std::int64_t beyond = length / squeeze;
  const std::int64_t reach = reach_[a];
  Patches patches{
      .first = static_cast<int>(up(2 * span.low - (reach + 1) * length - beyond + 1, 2 * length)),
      .last = static_cast<int>(up(2 * span.high + (reach - 1) * length + beyond, 2 * length)) - 1};
  if (!grid().box().periodic)
    patches = {std::max(patches.first, 0), std::min(patches.last, grid().shape()[a] - 1)};
  return patches;
}

bool MidpointCells::needs(int axis, const Element& element, int patch) const noexcept {
  const auto [first, last] = needed(axis, span(axis, element));
  const int count = grid().shape()[static_cast<std::size_t>(axis)];
  return ((patch - first) % count + count) % count <= last - first;
}

PairPart MidpointCells::part(const Element& element) const {
  const PatchIndex home = this->home(element);
  PairPart part{
      .sides = {{.patch = home, .offset = {}}}, .within_home = true, .cell = std::nullopt};
  const CellSpace space = this->space(element);
  const Patches xs = needed(0, space[0]), ys = needed(1, space[1]), zs = needed(2, space[2]);
  for (int x = xs.first; x <= xs.last; ++x)
    for (int y = ys.first; y <= ys.last; ++y)
      for (int z = zs.first; z <= zs.last; ++z) {
        const PatchOffset offset{x - home[0], y - home[1], z - home[2]};
        if (offset != PatchOffset{})
          part.sides.push_back({.patch = grid().neighbour(home, offset), .offset = offset});
      }
  MidpointRange range{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t middle = (2 * std::int64_t{home[axis]} + 1) * patch_length;  // twice
    range.low[axis] = static_cast<std::int32_t>(2 * space[axis].low - middle);
    range.high[axis] = static_cast<std::int32_t>(2 * space[axis].high - middle);
  }
  part.cell.emplace(range, reach_);
  return part;
}

auto MidpointCells::listeners(const PatchIndex& patch) const -> std::vector<Element> {
  std::vector<Element> found;
  const auto& [nx, ny, nz, one] = shape();
  for (int x = 0; x < nx; ++x) {
    if (!needs(0, {x, 0, 0, 0}, patch[0])) continue;
    for (int y = 0; y < ny; ++y) {
      if (!needs(1, {x, y, 0, 0}, patch[1])) continue;
      for (int z = 0; z < nz; ++z)
        if (const Element element{x, y, z, 0}; needs(2, element, patch[2]))
          found.push_back(element);
    }
  }
  return found;
}

}  // namespace fg
