// SPDX-License-Identifier: BSD-3-Clause
//
// Memory that the pair computes of a PE share, so that it stays in the near caches. The quads of a
// compute lie there while it works. So does what patches have in common for all computes to which
// they belong. Units: bohr, e, hartree.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/aligned_vector.hpp"
#include "particles/patch_block.hpp"

namespace fg {

template <class Real>
class alignas(64) PairMemory {
 public:
  /// It serves one compute after the other.
  AlignedVector<Real>& quads() noexcept { return quads_; }

  /// The block with its charges and parameters kept here, until the next block of this patch. All
  /// else belongs to the block that was given.
  PatchBlockView<Real> keep(int patch, PatchBlockView<Real> block) {
    AlignedVector<Real>& kept = parameters_[patch];
    kept.resize(3 * block.id.size());
    Real* to = kept.data();
    for (auto* numbers : {&block.charge, &block.half_sigma, &block.root_epsilon}) {
      Real* const end = std::copy(numbers->begin(), numbers->end(), to);
      *numbers = {to, end};
      to = end;
    }
    return block;
  }

 private:
  AlignedVector<Real> quads_;
  std::unordered_map<int, AlignedVector<Real>> parameters_;  // by patch
};

}  // namespace fg
