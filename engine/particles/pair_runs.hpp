// SPDX-License-Identifier: BSD-3-Clause
//
// The patches with which the pair computes of a patch work, in runs, each the work of one compute.
//
// By half shells: the directions of a half shell. Few runs are less work: an atom meets the atoms
// of several patches in one sweep, and fewer messages are sent. Many runs are finer grains. The
// runs are of about the same cost. The cost is the number of pairs closer than a cutoff, at
// constant density. Along each axis the patches have the width of the cutoff over their reach.
//
// By midpoints: all patches that can have an atom of a pair whose midpoint is in the midpoint cell
// of this patch. They are up to half the reach away, rounded up on one side (midpoints.hpp).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "particles/half_shell.hpp"

namespace fg {

class PairRuns {
 public:
  /// `count`: 1 to the size of the half shell. The longest run has as little cost as `count` runs
  /// of neighbouring directions allow.
  PairRuns(const HalfShell& shell, int count);
  /// One run for midpoints. `reach`: up to how many patches away the partners of a patch are.
  static PairRuns of_midpoints(const PatchOffset& reach);

  const PatchOffset& reach() const noexcept { return reach_; }
  int count() const noexcept { return static_cast<int>(first_.size()) - 1; }
  /// The directions of a run. Run 0 begins with the patch itself.
  std::span<const PatchOffset> run(int i) const noexcept {
    const auto at = static_cast<std::size_t>(i);
    return std::span(directions_)
        .subspan(static_cast<std::size_t>(first_[at]),
                 static_cast<std::size_t>(first_[at + 1] - first_[at]));
  }

  /// The share of all pairs that a direction has.
  static double cost(const PatchOffset& direction, const PatchOffset& reach) noexcept;

 private:
  explicit PairRuns(const PatchOffset& reach) : reach_(reach) {}

  PatchOffset reach_;
  std::vector<PatchOffset> directions_;
  std::vector<int> first_;  // [count + 1]
};

}  // namespace fg
