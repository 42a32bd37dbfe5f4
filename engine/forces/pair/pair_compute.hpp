// SPDX-License-Identifier: BSD-3-Clause
//
// Some of the pair forces between the atoms of some patches, as a chare. The assignment of pairs
// says which (particles/assignment/pair_division.hpp). It works when the positions of all these
// patches are on its PE. It adds its forces to the sums there (shared_pairs.hpp).
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
#include "particles/assignment/pair_division.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

template <class Real>
class PairCompute final : public Chare<PairCompute<Real>, 4> {
 public:
  static constexpr std::string_view array_name = "pairs";
  struct Setup {
    PatchGrid grid;
    std::shared_ptr<const PairDivision> pairs;
    PairSettings settings;
    int list_steps = 1;  // for which a list is used, of those with pair forces
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

  /// The numbers of the patches that it needs, each once.
  std::span<const int> sources() const noexcept { return sources_; }

  /// It archives nothing: it moves only just before a rebuild, which makes all its data again.
  void archive(Archive&) override {}

 private:
  int number_of(std::size_t side) const noexcept {
    return setup_->grid.flat(part_.sides[side].patch);
  }
  SharedPairs<Real>& shared() const noexcept;
  void place();
  void rebuild();
  void evaluate(std::int64_t step, StepKind kind);
  void charge(StepKind kind);
  void add_forces();
  void leave(std::int64_t step);

  std::shared_ptr<const Setup> setup_;
  PairWork<Real> work_;
  PairPart part_;
  std::vector<int> sources_;  // the numbers of the patches of all sides, each once
  std::vector<Partner<Real>> partners_;
  std::vector<MidpointSide> midpoint_sides_;  // only with pairs by midpoints
  struct Counts {
    double pairs = 0, atoms = 0, patches = 0, rows = 0;
  };
  Counts counted_;  // of the present list; only where work is charged
};

extern template class PairCompute<float>;
extern template class PairCompute<double>;

}  // namespace fg
