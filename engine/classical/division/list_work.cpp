// SPDX-License-Identifier: BSD-3-Clause
#include "classical/division/list_work.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "particles/assignment/half_shell_pairs.hpp"
#include "particles/assignment/midpoint_cells.hpp"
#include "particles/cluster_order.hpp"

namespace fg::classical {

namespace {

using Widths = std::array<double, 3>;  // of a patch, in cutoffs

std::int64_t quads(double atoms) {
  return std::llround(atoms / quad_size);
}

/// The share of a patch's quads that have partners in a patch in this direction. Quads at the end
/// of the cutoff have hardly any.
double share_near(const PatchOffset& direction, const Widths& widths) {
  constexpr double farthest = 0.9;
  double share = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int away = std::abs(direction[axis]);
    if (away > 0) share *= std::clamp(farthest / widths[axis] - (away - 1), 0.0, 1.0);
  }
  return share;
}

std::vector<ListWork> by_half_shells(const PatchGrid& grid, const HalfShellPairs& division,
                                     const PairCounts& counts, const Widths& widths) {
  const PairRuns& runs = division.runs();
  std::vector<double> shares;  // of a patch's quads, by run: with partners in its directions
  for (int run = 0; run < runs.count(); ++run) {
    double without = 1;
    for (const PatchOffset& direction : runs.run(run)) without *= 1 - share_near(direction, widths);
    shares.push_back(1 - without);
  }
  std::vector<ListWork> work;
  for (int p = 0; p < grid.size(); ++p) {
    const auto atoms = static_cast<double>(counts.atoms(p));
    int direction = 0;
    for (int run = 0; run < runs.count(); ++run) {
      ListWork& list = work.emplace_back();
      int others = 0;  // that the list touches
      for (const PatchOffset& offset : runs.run(run)) {
        const std::int64_t pairs = counts.pairs(p, direction++);
        list.pairs += pairs;
        others += offset != PatchOffset{} && pairs > 0 ? 1 : 0;
      }
      list.patches = list.pairs > 0 ? 1 + others : 0;
      list.rows = list.pairs > 0 ? quads(atoms * shares[static_cast<std::size_t>(run)]) : 0;
      const auto element = division.element(static_cast<int>(work.size()) - 1);
      for (const PairSide& side : division.part(element).sides)
        list.atoms += counts.atoms(grid.flat(side.patch));
    }
  }
  return work;
}

/// A patch and a midpoint cell near it.
struct Nearness {
  double share = 1;      // of the patch that is within half a cutoff of the cell, or in it
  double inside = 1;     // of the patch that is in the cell
  double distance2 = 0;  // between both, in cutoffs
};

Nearness nearness(const PatchIndex& patch, const CellSpace& cell, const Widths& widths) {
  Nearness found;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double length = widths[axis] / patch_length;  // of a unit of the cell's planes
    const double first = patch[axis] * widths[axis], last = first + widths[axis];
    const double low = static_cast<double>(cell[axis].low) * length;
    const double high = static_cast<double>(cell[axis].high) * length;
    const auto share = [&](double margin) {
      const double both = std::min(last, high + margin) - std::max(first, low - margin);
      return std::max(0.0, both) / widths[axis];
    };
    found.share *= share(0.5);
    found.inside *= share(0);
    const double gap = std::max({0.0, first - high, low - last});
    found.distance2 += gap * gap;
  }
  return found;
}

std::vector<ListWork> by_midpoints(const PatchGrid& grid, const MidpointCells& cells,
                                   const CountedPairs& counts, const Widths& widths) {
  // Beyond the cell, so many of the quads that are near enough have the row of a pair; the others
  // are partners only. A patch farther away than this has hardly any atom with a midpoint in the
  // cell. Both numbers are as counted in the lists of DHFR.
  constexpr double rows_outside = 0.6, farthest = 0.38;
  std::vector<ListWork> work;
  for (int i = 0; i < cells.computes(); ++i) {
    const auto element = cells.element(i);
    const CellSpace space = cells.space(element);
    const PatchIndex home = cells.home(element);
    ListWork& list = work.emplace_back();
    list.pairs = std::llround(counts.by_midpoint->in(space));
    double rows = 0;
    for (const PairSide& side : cells.part(element).sides) {
      const std::int64_t atoms = counts.by_direction.atoms(grid.flat(side.patch));
      PatchIndex at = home;
      for (std::size_t axis = 0; axis < 3; ++axis) at[axis] += side.offset[axis];
      const Nearness near = nearness(at, space, widths);
      rows += static_cast<double>(atoms) *
              (rows_outside * near.share + (1 - rows_outside) * near.inside);
      list.midpoint_atoms += atoms;
      list.patches += near.distance2 < farthest * farthest && atoms > 0 ? 1 : 0;
    }
    list.rows = quads(rows);
    list.atoms = list.midpoint_atoms;
    if (list.pairs == 0) list.rows = list.patches = 0;
  }
  return work;
}

}  // namespace

std::vector<ListWork> work_of_lists(const PatchGrid& grid, const PairDivision& division,
                                    const CountedPairs& counts, double cutoff) {
  Widths widths{};
  for (int axis = 0; axis < 3; ++axis)
    widths[static_cast<std::size_t>(axis)] = grid.widths()[axis] / cutoff;
  const auto* const cells = dynamic_cast<const MidpointCells*>(&division);
  if (cells) return by_midpoints(grid, *cells, counts, widths);
  return by_half_shells(grid, dynamic_cast<const HalfShellPairs&>(division), counts.by_direction,
                        widths);
}

}  // namespace fg::classical
