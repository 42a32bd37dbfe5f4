// SPDX-License-Identifier: BSD-3-Clause
//
// What the pair computes of one PE share. The positions of a patch come here once, for all computes
// that need them. A compute begins when those of all its patches are here. It adds its forces to
// the sum for each patch, and the last one lets the sum go. So a patch sends one message to a PE
// and gets one back, however many computes it meets there. Sums are in fixed point, so the bits do
// not depend on where, nor in which order, forces are added. Source: Blue Matter, IBM J. Res. Dev.
// 49, 475 (2005).
//
// The computes also work in the same memory, one after the other, so that it stays in a near cache.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/aligned_vector.hpp"
#include "base/error.hpp"
#include "forces/ports.hpp"
#include "particles/midpoints.hpp"
#include "particles/patch_block.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

template <class Real>
class alignas(64) SharedPairs {
 public:
  /// Before a run, and after computes have moved: without computes so far. Memory is kept.
  void reset(int patches) {
    for (SharedPatch& patch : patches_) {
      patch.computes.clear();
      patch.positions = nullptr;  // of a run that has failed
      patch.sum = nullptr;
    }
    in_use_ = 0;
    computes_.clear();
    slot_of_patch_.assign(static_cast<std::size_t>(patches), none);
  }
  /// Then each compute, by its number in the array, with the patches that it needs, each once.
  void add_compute(int compute, std::span<const int> patches) {
    const auto number = static_cast<std::int32_t>(computes_.size());
    const auto needed = static_cast<int>(patches.size());
    computes_.push_back({.ordinal = compute, .patches = needed, .missing = needed});
    for (const int patch : patches) {
      std::int32_t& slot = slot_of_patch_[static_cast<std::size_t>(patch)];
      if (slot == none) {
        slot = static_cast<std::int32_t>(in_use_++);
        if (in_use_ > patches_.size()) patches_.emplace_back();
      }
      at(patch).computes.push_back(number);
    }
  }

  /// Takes the positions of a patch in. Calls start(compute) for each compute that has all now.
  template <class Start>
  void arrive(int patch, Ref<const PositionsMessage<Real>> message, const Start& start) {
    SharedPatch& here = at(patch);
    FG_CHECK(!here.positions);  // the patch waits for the sum, so it cannot be a step ahead
    if (message->kind.rebuild) here.keep(message->block());
    here.sum = zero_sums(message->step, message->clusters);
    here.positions = std::move(message);
    here.working = static_cast<int>(here.computes.size());
    for (const std::int32_t number : here.computes) {
      Compute& compute = computes_[static_cast<std::size_t>(number)];
      if (--compute.missing > 0) continue;
      compute.missing = compute.patches;
      start(compute.ordinal);
    }
  }

  const PositionsMessage<Real>& positions(int patch) const noexcept { return *at(patch).positions; }
  /// The block of the latest rebuild. Its charges and parameters are kept here; all else of it
  /// exists during the step of the rebuild only.
  const PatchBlockView<Real>& block(int patch) const noexcept { return at(patch).block; }
  /// Where its quads are (particles/midpoints.hpp); on the step of a rebuild. `grid`: in the
  /// present box.
  std::span<const QuadPlace> quad_places(int patch, const PatchGrid& grid) {
    SharedPatch& here = at(patch);
    if (here.quad_places.empty())
      place_quads(grid, here.block.id, here.positions->positions(), here.quad_places);
    return here.quad_places;
  }
  SummedForcesMessage& sum(int patch) noexcept { return *at(patch).sum; }

  /// Called by each compute of a patch when it has added its forces. Gives the sum to the last one.
  Ref<SummedForcesMessage> leave(int patch) {
    SharedPatch& here = at(patch);
    if (--here.working > 0) return {};
    here.positions = nullptr;
    return std::exchange(here.sum, {});
  }

  /// The quads of a compute lie here while it works.
  AlignedVector<Real>& quads() noexcept { return quads_; }

 private:
  static constexpr std::int32_t none = -1;

  struct SharedPatch {
    std::vector<std::int32_t> computes;  // that need it
    Ref<const PositionsMessage<Real>> positions;
    Ref<SummedForcesMessage> sum;
    int working = 0;  // computes that have not added their forces
    PatchBlockView<Real> block;
    AlignedVector<Real> parameters;
    std::vector<QuadPlace> quad_places;  // [quads]; empty until a compute asks for them

    void keep(const PatchBlockView<Real>& given) {
      block = given;
      quad_places.clear();
      parameters.resize(3 * block.id.size());
      Real* to = parameters.data();
      for (auto* numbers : {&block.charge, &block.half_sigma, &block.root_epsilon}) {
        Real* const end = std::copy(numbers->begin(), numbers->end(), to);
        *numbers = {to, end};
        to = end;
      }
    }
  };
  struct Compute {
    int ordinal;
    int patches, missing;  // positions of a step
  };

  SharedPatch& at(int patch) noexcept {
    return patches_[static_cast<std::size_t>(slot_of_patch_[static_cast<std::size_t>(patch)])];
  }
  const SharedPatch& at(int patch) const noexcept {
    return patches_[static_cast<std::size_t>(slot_of_patch_[static_cast<std::size_t>(patch)])];
  }

  std::vector<std::int32_t> slot_of_patch_;  // of all patches; most have no compute here
  std::vector<SharedPatch> patches_;         // the first in_use_ of them
  std::size_t in_use_ = 0;
  std::vector<Compute> computes_;
  AlignedVector<Real> quads_;
};

}  // namespace fg
