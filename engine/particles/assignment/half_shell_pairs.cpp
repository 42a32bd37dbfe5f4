// SPDX-License-Identifier: BSD-3-Clause
#include "particles/assignment/half_shell_pairs.hpp"

#include <algorithm>
#include <utility>

namespace fg {

HalfShellPairs::HalfShellPairs(const PatchGrid& grid, PairRuns runs)
    : PairDivision(grid, {grid.shape()[0], grid.shape()[1], grid.shape()[2], runs.count()}),
      runs_(std::move(runs)) {}

PairPart HalfShellPairs::part(const Element& element) const {
  constexpr PatchOffset itself{};
  const PatchIndex patch = home(element);
  PairPart part{.sides = {{.patch = patch, .offset = itself}},
                .within_home = element[3] == 0,
                .cell = std::nullopt};
  for (const PatchOffset& offset : runs_.run(element[3]))
    if (offset != itself && grid().reaches(patch, offset))
      part.sides.push_back({.patch = grid().neighbour(patch, offset), .offset = offset});
  if (part.sides.size() == 1 && !part.within_home) part.sides.clear();
  return part;
}

auto HalfShellPairs::listeners(const PatchIndex& patch) const -> std::vector<Element> {
  std::vector<Element> elements;
  const auto add = [&](const PatchIndex& home, int run) {
    const Element element{home[0], home[1], home[2], run};
    if (exists(element)) elements.push_back(element);
  };
  for (int run = 0; run < runs_.count(); ++run) {
    add(patch, run);
    for (const auto& [dx, dy, dz] : runs_.run(run))
      if (grid().reaches(patch, {-dx, -dy, -dz}))
        add(grid().neighbour(patch, {-dx, -dy, -dz}), run);
  }
  std::ranges::sort(elements);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}

bool HalfShellPairs::exists(const Element& element) const {
  if (element[3] == 0) return true;
  return std::ranges::any_of(runs_.run(element[3]), [&](const PatchOffset& offset) {
    return offset != PatchOffset{} && grid().reaches(home(element), offset);
  });
}

}  // namespace fg
