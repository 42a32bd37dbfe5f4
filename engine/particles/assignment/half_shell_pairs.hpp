// SPDX-License-Identifier: BSD-3-Clause
//
// Pairs by half shells. Element (x, y, z, run) has the pairs of patch (x, y, z) with those in the
// directions of a run (pair_runs.hpp). Run 0 begins with the patch itself.
#pragma once

#include <vector>

#include "particles/assignment/pair_division.hpp"
#include "particles/assignment/pair_runs.hpp"

namespace fg {

class HalfShellPairs final : public PairDivision {
 public:
  HalfShellPairs(const PatchGrid& grid, PairRuns runs);

  const PairRuns& runs() const noexcept { return runs_; }
  PatchIndex home(const Element& element) const override {
    return {element[0], element[1], element[2]};
  }
  PairPart part(const Element& element) const override;
  std::vector<Element> listeners(const PatchIndex& patch) const override;
  /// At the edge of an open box a compute may have no neighbour.
  bool exists(const Element& element) const override;

 private:
  PairRuns runs_;
};

}  // namespace fg
