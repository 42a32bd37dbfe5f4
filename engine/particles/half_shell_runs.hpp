// SPDX-License-Identifier: BSD-3-Clause
//
// The 14 directions of a half shell in runs, each the work of one object. Few runs are less work:
// an atom meets the atoms of several patches in one sweep, and fewer messages are sent. Many runs
// are finer grains. The runs are of about the same cost. The cost is the number of pairs closer
// than a cutoff, at constant density. The patches are cubes as wide as the cutoff.
#pragma once

#include <array>
#include <span>

#include "particles/patch_grid.hpp"

namespace fg {

class HalfShellRuns {
 public:
  /// `count`: 1 to 14. The longest run has as little cost as `count` runs of neighbouring
  /// directions allow.
  explicit HalfShellRuns(int count) noexcept;

  int count() const noexcept { return count_; }
  /// The directions of a run. Run 0 begins with the patch itself.
  std::span<const std::array<int, 3>> run(int i) const noexcept {
    return std::span(half_shell).subspan(first_[i], first_[i + 1] - first_[i]);
  }

  /// The share of all pairs that a direction has.
  static double cost(const std::array<int, 3>& direction) noexcept;

 private:
  int count_;
  std::array<int, half_shell_size + 1> first_{};  // [count + 1]
};

}  // namespace fg
