// SPDX-License-Identifier: BSD-3-Clause
//
// The way of positions to the pair computes of a PE; element {PE}. A patch sends to the gates of
// the PEs that need it. A gate starts each compute whose patches have all come.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "forces/pair/pair_compute.hpp"
#include "forces/pair/shared_pairs.hpp"
#include "forces/ports.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

template <class Real>
class PairGate final : public Chare<PairGate<Real>, 1> {
 public:
  PairGate(const PatchGrid& grid, Array<PairCompute<Real>> computes,
           std::shared_ptr<std::vector<SharedPairs<Real>>> shared)
      : grid_(grid), computes_(computes), shared_(std::move(shared)) {}

  void positions(Ref<const PositionsMessage<Real>> message) {
    const int patch = grid_.flat(message->patch);
    const auto step = message->step;
    const auto here = static_cast<std::size_t>(this->pe() - this->runtime().first_pe_here());
    (*shared_)[here].arrive(patch, std::move(message), [&](int compute) {
      computes_.at_ordinal(compute).template send<&PairCompute<Real>::work>(step);
    });
  }

 private:
  PatchGrid grid_;
  Array<PairCompute<Real>> computes_;
  std::shared_ptr<std::vector<SharedPairs<Real>>> shared_;  // by PE of this process
};

}  // namespace fg
