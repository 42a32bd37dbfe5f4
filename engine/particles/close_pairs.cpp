// SPDX-License-Identifier: BSD-3-Clause
#include "particles/close_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "base/error.hpp"

namespace fg {

namespace {

constexpr int most_cells_per_axis = 256;

}  // namespace

CloseCells::CloseCells(const Box& box, std::span<const Vec3> positions, double limit)
    : box_(box), limit2_(limit * limit) {
  FG_CHECK(limit > 0);
  Vec3 low, widths = box.widths();
  if (!box.periodic && !positions.empty()) {
    low = positions[0];
    Vec3 high = positions[0];
    for (const Vec3& r : positions)
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], r[axis]);
        high[axis] = std::max(high[axis], r[axis]);
      }
    for (int axis = 0; axis < 3; ++axis) widths[axis] = high[axis] - low[axis] + limit;
  }
  // At most about one cell for each atom, at any distance between them.
  const double most = std::clamp(elementary::cbrt(static_cast<double>(positions.size())) + 1.0, 1.0,
                                 static_cast<double>(most_cells_per_axis));
  for (int axis = 0; axis < 3; ++axis)
    shape_[axis] = static_cast<int>(std::clamp(std::floor(widths[axis] / limit), 1.0, most));

  const auto cell_of = [&](const Vec3& r) {
    int cell = 0;
    const Vec3 inside = box.periodic ? box.fractional(r) : Vec3{};
    for (int axis = 0; axis < 3; ++axis) {
      const double x = box.periodic ? inside[axis] - std::floor(inside[axis])
                                    : (r[axis] - low[axis]) / widths[axis];
      const int n = shape_[axis];
      cell = cell * n + std::clamp(static_cast<int>(x * n), 0, n - 1);
    }
    return cell;
  };
  std::vector<std::int32_t> cell(positions.size());
  start_.assign(static_cast<std::size_t>(shape_[0]) * shape_[1] * shape_[2] + 1, 0);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    cell[i] = cell_of(positions[i]);
    ++start_[cell[i] + 1];
  }
  for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
  atoms_.resize(positions.size());
  std::vector<std::int32_t> next(start_.begin(), start_.end() - 1);
  for (std::size_t i = 0; i < positions.size(); ++i)
    atoms_[next[cell[i]]++] = static_cast<std::int32_t>(i);
}

void CloseCells::find_neighbours(int cell, std::vector<int>& near) const {
  const int place[3] = {cell / (shape_[1] * shape_[2]), cell / shape_[2] % shape_[1],
                        cell % shape_[2]};
  near.clear();
  for (int way = 0; way < 27; ++way) {
    const int step[3] = {way / 9 - 1, way / 3 % 3 - 1, way % 3 - 1};
    int other = 0;
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      const int n = shape_[axis];
      int to = place[axis] + step[axis];
      if (box_.periodic) to = (to + n) % n;
      inside = inside && to >= 0 && to < n;
      other = other * n + to;
    }
    if (inside && other >= cell) near.push_back(other);
  }
  // If an axis has few cells, several offsets lead to the same cell.
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
}

}  // namespace fg
