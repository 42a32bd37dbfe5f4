// SPDX-License-Identifier: BSD-3-Clause
//
// The pair forces of a patch with some neighbours of its half shell, and within itself, as a chare.
// It works when the positions of all these patches have arrived, and sends forces to each of them.
// Element (x, y, z, run): home patch (x, y, z), HalfShellRuns::run(run); run 0 begins with the
// patch itself.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "forces/deposits.hpp"
#include "forces/pair/force_collector.hpp"
#include "forces/pair/pair_memory.hpp"
#include "forces/pair/pair_work.hpp"
#include "forces/ports.hpp"
#include "particles/half_shell_runs.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

template <class Real>
class PairCompute final : public Chare<PairCompute<Real>, 4> {
 public:
  static constexpr std::string_view array_name = "pairs";
  struct Setup {
    PatchGrid grid;
    HalfShellRuns runs;
    PairSettings settings;
    std::shared_ptr<const PairKernel<Real>> kernel;
    Array<PatchPort<Real>> patches;
    Deposits deposits;
    Array<ForceCollector<Real>> collectors;  // for patches of other processes
    /// One for each PE; it is used by the computes there alone.
    std::shared_ptr<std::vector<PairMemory<Real>>> memory;
  };

  PairCompute(std::shared_ptr<const Setup> setup, std::array<int, 4> index);

  /// Takes the positions of one of its patches; the last one to arrive starts the work.
  void positions(Ref<const PositionsMessage<Real>> message);

  /// The elements that need the positions of a patch, each once.
  static std::vector<std::array<int, 4>> listeners(const PatchGrid& grid, const HalfShellRuns& runs,
                                                   const PatchIndex& patch);
  /// Whether an element has anything to do. At the edge of an open box it may have no neighbour,
  /// and then it gets no messages.
  static bool exists(const PatchGrid& grid, const HalfShellRuns& runs,
                     const std::array<int, 4>& element);
  /// The number of elements that have something to do, and so deposit energies.
  static int depositors(const PatchGrid& grid, const HalfShellRuns& runs);
  /// The number of replies of an element to a patch: one for itself, and one for each of its
  /// images.
  static int replies(const PatchGrid& grid, const HalfShellRuns& runs,
                     const std::array<int, 4>& element, const PatchIndex& patch);

  /// It archives nothing: it moves only just before a rebuild, which makes all its data again.
  void archive(Archive&) override {}

 private:
  struct Side {
    PatchIndex patch;
    PatchOffset offset;      // in the grid, from the home patch
    std::size_t source = 0;  // the patch among those that send
  };

  /// The home patch first; none if the element has nothing to do.
  static std::vector<Side> sides_of(const PatchGrid& grid, const HalfShellRuns& runs,
                                    const std::array<int, 4>& element);
  std::size_t source_of(const PatchIndex& patch) const noexcept;
  PairMemory<Real>& memory() const noexcept;
  void place();
  void rebuild();
  void work(std::int64_t step, StepKind kind);
  void charge(StepKind kind);
  void answer(std::int64_t step);

  std::shared_ptr<const Setup> setup_;
  PairWork<Real> work_;
  std::vector<Side> sides_;
  bool within_home_;
  std::vector<PatchIndex> sources_;                      // the patches of all sides, each once
  std::vector<Ref<const PositionsMessage<Real>>> held_;  // [sources] until all are here
  std::size_t arrived_ = 0;
  std::vector<Partner<Real>> partners_;
  struct Counts {
    double pairs = 0, atoms = 0;
  };
  Counts counted_;  // of the present list; only where work is charged
};

extern template class PairCompute<float>;
extern template class PairCompute<double>;

}  // namespace fg
