// SPDX-License-Identifier: BSD-3-Clause
//
// The pair forces of a home patch with some of its half-shell neighbours, as a chare: it works when
// the positions of all its patches have come, and answers each of them with forces.
// Element (x, y, z, part): home patch (x, y, z); the directions of the half shell are dealt out
// over the parts by the job, so that the cut, and with it every bit, belongs to the job.
#pragma once

#include <memory>
#include <vector>

#include "forces/pair/pair_work.hpp"
#include "forces/ports.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

/// Which directions of the half shell a part takes: contiguous runs of nearly equal length.
struct DirectionRange {
  int begin = 0;
  int end = 0;
};
constexpr DirectionRange directions_of_part(int part, int parts) noexcept {
  return {part * half_shell_size / parts, (part + 1) * half_shell_size / parts};
}

template <class Real>
class PairCompute final : public Chare<PairCompute<Real>, 4> {
 public:
  struct Setup {
    PatchGrid grid;
    PairSettings settings;
    int parts = 1;
    Array<PatchPort<Real>> patches;
    Array<LedgerPort> ledger;
  };

  PairCompute(std::shared_ptr<const Setup> setup, std::array<int, 4> index);

  /// The positions of one of its patches; the last to come starts the work.
  void positions(Ref<const PositionsMessage<Real>> message);

  /// The patches whose positions element `index` needs, each once.
  static std::vector<PatchIndex> sources(const PatchGrid& grid, std::array<int, 4> index,
                                         int parts);
  /// The elements that need the positions of a patch, each once.
  static std::vector<std::array<int, 4>> listeners(const PatchGrid& grid, const PatchIndex& patch,
                                                   int parts);
  /// How many force messages a patch gets each step.
  static constexpr int replies_per_patch(int parts) noexcept { return parts + half_shell_size - 1; }

 private:
  struct Side {
    PatchIndex patch;
    Vec3 shift;
  };

  void take(const PositionsMessage<Real>& message) noexcept;
  void rebuild();
  void work(std::int64_t step, StepKind kind);
  void answer(std::int64_t step);

  std::shared_ptr<const Setup> setup_;
  PairWork<Real> work_;
  bool within_home_;
  std::vector<Side> sides_;                              // the home patch first
  int sources_ = 0;                                      // distinct patches among them
  std::vector<Ref<const PositionsMessage<Real>>> held_;  // on rebuild steps, until all are here
  std::vector<Partner<Real>> partners_;
  int arrived_ = 0;
};

extern template class PairCompute<float>;
extern template class PairCompute<double>;

}  // namespace fg
