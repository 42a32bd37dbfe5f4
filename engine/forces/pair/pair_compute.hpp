// SPDX-License-Identifier: BSD-3-Clause
//
// The pair forces of a patch with some neighbours of its half shell, and within itself, as a chare.
// It works when the positions of all these patches are on its PE. It adds its forces to the sums
// there (shared_pairs.hpp).
// Element (x, y, z, run): home patch (x, y, z), PairRuns::run(run); run 0 begins with the
// patch itself.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "forces/deposits.hpp"
#include "forces/pair/force_collector.hpp"
#include "forces/pair/pair_work.hpp"
#include "forces/pair/shared_pairs.hpp"
#include "forces/ports.hpp"
#include "particles/pair_runs.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

template <class Real>
class PairCompute final : public Chare<PairCompute<Real>, 4> {
 public:
  static constexpr std::string_view array_name = "pairs";
  struct Setup {
    PatchGrid grid;
    PairRuns runs;
    PairSettings settings;
    std::shared_ptr<const PairKernel<Real>> kernel;
    Array<PatchPort<Real>> patches;
    Deposits deposits;
    Array<ForceCollector<Real>> collectors;  // for patches of other processes
    std::shared_ptr<const PairReplies> replies;
    std::shared_ptr<std::vector<SharedPairs<Real>>> shared;  // by PE of this process
  };

  PairCompute(std::shared_ptr<const Setup> setup, std::array<int, 4> index);

  /// Called when the positions of this step of all its patches are on this PE.
  void work(std::int64_t step);

  /// The elements that need the positions of a patch, each once.
  static std::vector<std::array<int, 4>> listeners(const PatchGrid& grid, const PairRuns& runs,
                                                   const PatchIndex& patch);
  /// Whether an element has anything to do. At the edge of an open box it may have no neighbour,
  /// and then it gets no messages.
  static bool exists(const PatchGrid& grid, const PairRuns& runs,
                     const std::array<int, 4>& element);
  /// The number of elements that have something to do, and so deposit energies.
  static int depositors(const PatchGrid& grid, const PairRuns& runs);
  /// The numbers of the patches that it needs, each once.
  std::span<const int> sources() const noexcept { return sources_; }

  /// It archives nothing: it moves only just before a rebuild, which makes all its data again.
  void archive(Archive&) override {}

 private:
  struct Side {
    PatchIndex patch;
    PatchOffset offset;  // in the grid, from the home patch
    int number = 0;      // of the patch
  };

  /// The home patch first; none if the element has nothing to do.
  static std::vector<Side> sides_of(const PatchGrid& grid, const PairRuns& runs,
                                    const std::array<int, 4>& element);
  SharedPairs<Real>& shared() const noexcept;
  void place();
  void rebuild();
  void evaluate(std::int64_t step, StepKind kind);
  void charge(StepKind kind);
  void add_forces();
  void leave(std::int64_t step);

  std::shared_ptr<const Setup> setup_;
  PairWork<Real> work_;
  std::vector<Side> sides_;
  bool within_home_;
  std::vector<int> sources_;  // the numbers of the patches of all sides, each once
  std::vector<Partner<Real>> partners_;
  std::vector<MidpointSide> midpoint_sides_;  // only with pairs by midpoints
  struct Counts {
    double pairs = 0, atoms = 0;
  };
  Counts counted_;  // of the present list; only where work is charged
};

extern template class PairCompute<float>;
extern template class PairCompute<double>;

}  // namespace fg
