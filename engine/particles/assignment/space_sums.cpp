// SPDX-License-Identifier: BSD-3-Clause
#include "particles/assignment/space_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "particles/midpoints.hpp"

namespace fg {

namespace {

constexpr int most_in_a_patch = 16;  // along an edge
constexpr std::int64_t most_bins = 1 << 21;

/// Along an edge of a patch.
int bins_in_patch(std::int64_t patches) {
  int bins = most_in_a_patch;
  while (bins > 1 && patches * bins * bins * bins > most_bins) bins /= 2;
  return bins;
}

}  // namespace

SpaceBins::SpaceBins(const PatchGrid& grid)
    : patches_(grid.shape()), shape_(grid.shape()), periodic_(grid.box().periodic) {
  for (int& along : shape_) along *= bins_in_patch(grid.size());
  amounts_.resize(static_cast<std::size_t>(shape_[0]) * static_cast<std::size_t>(shape_[1]) *
                  static_cast<std::size_t>(shape_[2]));
}

void SpaceBins::add(const std::array<double, 3>& place, double amount) noexcept {
  std::size_t bin = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const int bins = shape_[axis];
    double part = place[axis] / patches_[axis];  // of the edge of the box
    if (periodic_) part -= std::floor(part);
    const int at = static_cast<int>(std::clamp(std::floor(part * bins), 0.0, bins - 1.0));
    bin = bin * static_cast<std::size_t>(bins) + static_cast<std::size_t>(at);
  }
  amounts_[bin] += amount;
}

SpaceSums::SpaceSums(const SpaceBins& bins) : patches_(bins.patches()), bins_(bins.shape()) {
  const auto [nx, ny, nz] = bins_;
  const auto corner = [&](int x, int y, int z) {
    return static_cast<std::size_t>((x * (ny + 1) + y) * (nz + 1) + z);
  };
  sums_.resize(corner(nx, ny, nz) + 1);
  auto next = bins.amounts().begin();
  for (int x = 0; x < nx; ++x)
    for (int y = 0; y < ny; ++y) {
      double row = 0;
      for (int z = 0; z < nz; ++z) {
        row += *next++;
        sums_[corner(x + 1, y + 1, z + 1)] = row + sums_[corner(x, y + 1, z + 1)] +
                                             sums_[corner(x + 1, y, z + 1)] -
                                             sums_[corner(x, y, z + 1)];
      }
    }
}

double SpaceSums::below(const std::array<double, 3>& corner) const noexcept {
  std::array<std::size_t, 3> low{};
  std::array<double, 3> part{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double bin = std::min(std::floor(corner[axis]), bins_[axis] - 1.0);
    low[axis] = static_cast<std::size_t>(bin);
    part[axis] = corner[axis] - bin;
  }
  double sum = 0;
  for (unsigned upper = 0; upper < 8; ++upper) {
    double weight = 1;
    std::size_t at = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const unsigned up = upper >> axis & 1U;
      weight *= up != 0 ? part[axis] : 1 - part[axis];
      at = at * static_cast<std::size_t>(bins_[axis] + 1) + low[axis] + up;
    }
    sum += weight * sums_[at];
  }
  return sum;
}

double SpaceSums::inside(const CellSpace& space) const noexcept {
  double sum = 0;
  for (unsigned upper = 0; upper < 8; ++upper) {
    std::array<double, 3> corner{};
    int sign = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool up = (upper >> axis & 1U) != 0;
      corner[axis] = static_cast<double>(up ? space[axis].high : space[axis].low) * bins_[axis] /
                     (static_cast<double>(patches_[axis]) * patch_length);
      sign *= up ? 1 : -1;
    }
    sum += sign * below(corner);
  }
  return sum;
}

CellSpace SpaceSums::whole() const noexcept {
  CellSpace space{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    space[axis] = {.low = 0, .high = std::int64_t{patches_[axis]} * patch_length};
  return space;
}

double SpaceSums::in(const CellSpace& space) const noexcept {
  const CellSpace box = whole();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t face = box[axis].high;
    if (space[axis].high <= face) continue;
    CellSpace within = space, beyond = space;
    within[axis].high = face;
    beyond[axis] = {.low = std::max<std::int64_t>(space[axis].low - face, 0),
                    .high = space[axis].high - face};
    return in(within) + in(beyond);
  }
  return inside(space);
}

}  // namespace fg
