// SPDX-License-Identifier: BSD-3-Clause
//
// The patches with which a patch has pairs: all up to some patches away along each axis, its reach.
// The half shell has one of each two opposite directions. With a reach of 1 it has 13 beside the
// patch itself, with 2 it has up to 62, with 3 and 4 up to 171 and 364: patches that are too far
// from each other for any pair are left out.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace fg {

/// The patches away, along each axis.
using PatchOffset = std::array<int, 3>;

class HalfShell {
 public:
  static constexpr int most_reach = 4;

  /// `reach`: 1 to most_reach along each axis.
  explicit HalfShell(const PatchOffset& reach = {1, 1, 1});
  /// The directions in which two patches are closer than `farthest`. `widths`: of a patch, which
  /// has right angles [bohr].
  HalfShell(const PatchOffset& reach, const std::array<double, 3>& widths, double farthest);

  const PatchOffset& reach() const noexcept { return reach_; }
  /// The patch itself first, then the others in a fixed order.
  std::span<const PatchOffset> directions() const noexcept { return directions_; }
  int size() const noexcept { return static_cast<int>(directions_.size()); }
  const PatchOffset& operator[](int i) const noexcept {
    return directions_[static_cast<std::size_t>(i)];
  }

  /// All directions up to the reach, also those left out, and their opposites, as numbers from 0:
  /// `numbers` of them.
  int numbers() const noexcept {
    return (2 * reach_[0] + 1) * (2 * reach_[1] + 1) * (2 * reach_[2] + 1);
  }
  int number_of(const PatchOffset& offset) const noexcept {
    return ((offset[0] + reach_[0]) * (2 * reach_[1] + 1) + offset[1] + reach_[1]) *
               (2 * reach_[2] + 1) +
           offset[2] + reach_[2];
  }
  PatchOffset offset_of(int number) const noexcept;

 private:
  PatchOffset reach_;
  std::vector<PatchOffset> directions_;
};

}  // namespace fg
