// SPDX-License-Identifier: BSD-3-Clause
#include "particles/assignment/pair_counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace fg {

namespace {

constexpr double cells_per_radius = 3;
constexpr std::int64_t most_cells = 1 << 21;
constexpr std::int64_t whole_share = 1 << 12;  // shares are integers
constexpr int samples = 4;                     // along each edge of a cell

using Triple = std::array<int, 3>;

/// Cells along each edge of a patch.
Triple cells_of_patch(const PatchGrid& grid, double radius) {
  Triple cells{};
  for (int axis = 0; axis < 3; ++axis)
    cells[axis] = std::max(
        static_cast<int>(std::ceil(std::min(cells_per_radius * grid.widths()[axis] / radius, 1e6))),
        1);
  const auto count = [&] { return std::int64_t{grid.size()} * cells[0] * cells[1] * cells[2]; };
  while (count() > most_cells && std::ranges::max(cells) > 1) {  // a thin gas in a large box
    auto& most = *std::ranges::max_element(cells);
    most = (most + 1) / 2;
  }
  return cells;
}

struct Neighbour {
  Triple offset;
  std::int64_t share;
};

/// The share of the pairs of two cells that is closer than the radius. Along each axis the
/// difference of two places in cells has a triangular distribution.
std::int64_t share_within(const Box& cell, const Triple& offset, double radius) {
  std::int64_t within = 0, all = 0;
  Triple at{};
  const auto weight = [](int i) { return std::min(i, 2 * samples - 2 - i) + 1; };
  const auto place = [](int whole, int i) {
    return whole + static_cast<double>(i - samples + 1) / samples;
  };
  for (at[0] = 0; at[0] < 2 * samples - 1; ++at[0])
    for (at[1] = 0; at[1] < 2 * samples - 1; ++at[1])
      for (at[2] = 0; at[2] < 2 * samples - 1; ++at[2]) {
        const int here = weight(at[0]) * weight(at[1]) * weight(at[2]);
        const Vec3 d = cell.position(
            Vec3{place(offset[0], at[0]), place(offset[1], at[1]), place(offset[2], at[2])});
        all += here;
        if (dot(d, d) < radius * radius) within += here;
      }
  return within * whole_share / all;
}

/// The cell itself, and one of each two opposite cells that are near enough. None is further away
/// than the reach of a patch, which is wider than the radius or goes over the whole box.
std::vector<Neighbour> neighbours(const PatchGrid& fine, const Triple& in_reach, double radius) {
  Box cell = fine.box();
  Triple most{};
  for (int axis = 0; axis < 3; ++axis) {
    cell.edge[axis] /= fine.shape()[axis];
    const double cells = std::min(radius / fine.widths()[axis], 1e6);
    most[axis] = std::min(in_reach[axis], static_cast<int>(cells) + 1);
  }
  cell.tilt = {cell.tilt.xy / fine.shape()[1], cell.tilt.xz / fine.shape()[2],
               cell.tilt.yz / fine.shape()[2]};
  std::vector<Neighbour> found;
  Triple o{};
  for (o[0] = 0; o[0] <= most[0]; ++o[0])
    for (o[1] = -most[1]; o[1] <= most[1]; ++o[1])
      for (o[2] = -most[2]; o[2] <= most[2]; ++o[2]) {
        if (o < Triple{}) continue;
        const std::int64_t share = share_within(cell, o, radius);
        if (share > 0) found.push_back({o, share});
      }
  return found;
}

/// The cells along one axis, and as many as the patches of a reach have beyond both ends.
struct Axis {
  struct Place {
    int flat = 0;   // what it adds to the flat index of a cell; -1: there is none
    int patch = 0;  // counted on beyond the ends
  };
  int beyond;
  std::vector<Place> places;

  Axis(int cells, int in_patch, int reach, int stride, bool periodic) : beyond(in_patch * reach) {
    for (int at = -beyond; at < cells + beyond; ++at) {
      const bool inside = at >= 0 && at < cells;
      places.push_back({.flat = inside || periodic ? (at % cells + cells) % cells * stride : -1,
                        .patch = (at + beyond) / in_patch - reach});
    }
  }
  const Place& at(int cell) const noexcept {
    return places[static_cast<std::size_t>(cell + beyond)];
  }
};

/// For each direction and its opposite: the index in the half shell, plus one; negative that of
/// the opposite; zero where the half shell leaves out both.
std::vector<int> signed_directions(const HalfShell& shell) {
  std::vector<int> found(static_cast<std::size_t>(shell.numbers()));
  for (int i = 0; i < shell.size(); ++i) {
    const auto& [x, y, z] = shell[i];
    found[static_cast<std::size_t>(shell.number_of({-x, -y, -z}))] = -i - 1;
    found[static_cast<std::size_t>(shell.number_of({x, y, z}))] = i + 1;
  }
  return found;
}

}  // namespace

PairCounts::PairCounts(const PatchGrid& grid, const HalfShell& shell,
                       std::span<const CountedGroup> groups, double radius)
    : directions_(static_cast<std::size_t>(shell.size())),
      atoms_(static_cast<std::size_t>(grid.size())),
      pairs_(atoms_.size() * directions_) {
  const Triple in_patch = cells_of_patch(grid, radius);
  Triple shape{}, in_reach{};
  for (int axis = 0; axis < 3; ++axis) {
    shape[axis] = grid.shape()[axis] * in_patch[axis];
    in_reach[axis] = shell.reach()[axis] * in_patch[axis];
  }
  const PatchGrid fine(grid.box(), shape);
  std::vector<std::int64_t> count(static_cast<std::size_t>(fine.size()));
  for (const CountedGroup& group : groups)
    count[static_cast<std::size_t>(fine.flat(fine.place(group.position).patch))] += group.atoms;

  const std::vector<Neighbour> near = neighbours(fine, in_reach, radius);
  const std::vector<int> directions = signed_directions(shell);
  const bool periodic = grid.box().periodic;
  const auto axis_of = [&](int axis, int stride) {
    return Axis(shape[axis], in_patch[axis], shell.reach()[axis], stride, periodic);
  };
  const Axis x = axis_of(0, shape[1] * shape[2]), y = axis_of(1, shape[2]), z = axis_of(2, 1);

  std::vector<std::int64_t> sums(directions.size());  // by direction
  for (int cell = 0; cell < fine.size(); ++cell) {
    const std::int64_t here = count[static_cast<std::size_t>(cell)];
    if (here == 0) continue;
    const PatchIndex at = fine.unflat(cell);
    const PatchIndex patch{x.at(at[0]).patch, y.at(at[1]).patch, z.at(at[2]).patch};
    std::ranges::fill(sums, 0);
    for (const Neighbour& neighbour : near) {
      const auto& [fx, px] = x.at(at[0] + neighbour.offset[0]);
      const auto& [fy, py] = y.at(at[1] + neighbour.offset[1]);
      const auto& [fz, pz] = z.at(at[2] + neighbour.offset[2]);
      if (fx < 0 || fy < 0 || fz < 0) continue;
      const int direction = shell.number_of({px - patch[0], py - patch[1], pz - patch[2]});
      sums[static_cast<std::size_t>(direction)] +=
          count[static_cast<std::size_t>(fx + fy + fz)] * neighbour.share;
    }
    // Pairs within the cell count once.
    sums[static_cast<std::size_t>(shell.number_of({}))] -= here * near.front().share / 2;
    const int home = grid.flat(patch);
    atoms_[static_cast<std::size_t>(home)] += here;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const int direction = directions[i];
      if (sums[i] == 0 || direction == 0) continue;
      const int owner =
          direction > 0 ? home
                        : grid.flat(grid.neighbour(patch, shell.offset_of(static_cast<int>(i))));
      pairs_[static_cast<std::size_t>(owner) * directions_ +
             static_cast<std::size_t>(std::abs(direction) - 1)] += here * sums[i];
    }
  }
  for (std::int64_t& pairs : pairs_) pairs /= whole_share;
}

}  // namespace fg
