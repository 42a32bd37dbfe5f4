// SPDX-License-Identifier: BSD-3-Clause
//
// The directions of a half shell in runs, each the work of one pair compute of a patch. Few runs
// are less work: an atom meets the atoms of several patches in one sweep, and fewer messages are
// sent. Many runs are finer grains. The runs are of about the same cost. The cost is the number of
// pairs closer than a cutoff, at constant density. Along each axis the patches have the width of
// the cutoff over their reach.
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
  std::vector<PatchOffset> directions_;
  std::vector<int> first_;  // [count + 1]
};

}  // namespace fg
