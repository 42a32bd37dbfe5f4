// SPDX-License-Identifier: BSD-3-Clause
//
// The neighbourhood reduction of pair forces. The computes of one process have forces for a patch
// of another process. These are added up in their process and sent as one message. The sums are in
// fixed point, so the bits do not depend on where they are added. Source: Blue Matter, IBM J. Res.
// Dev. 49, 475 (2005). Element (x, y, z, process) is for patch (x, y, z), on a PE of that process.
// The element in the patch's own process is idle.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "forces/ports.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

/// The number of messages that bring the pair forces of a step, which depends on where the objects
/// are. All processes compute the same numbers, between runs.
struct PairReplies {
  std::vector<int> direct;     // [patch] from computes of the same process
  std::vector<int> sums;       // [patch] from collectors
  std::vector<int> collected;  // [patch][process] to a collector

  /// `processes_of_replies[patch]`: the source process of each reply that a patch gets.
  void count(const std::vector<int>& process_of_patch,
             const std::vector<std::vector<int>>& processes_of_replies, int processes);
};

template <class Real>
class ForceCollector final : public Chare<ForceCollector<Real>, 4> {
 public:
  ForceCollector(std::shared_ptr<const PairReplies> replies, Array<PatchPort<Real>> patches)
      : replies_(std::move(replies)), patches_(patches) {}

  void add(Ref<const ClusterForcesMessage<Real>> message);

 private:
  void send();

  std::shared_ptr<const PairReplies> replies_;
  Array<PatchPort<Real>> patches_;
  std::vector<std::int64_t> sums_;  // [clusters][3][8]
  std::int64_t step_ = 0;
  int come_ = 0;
};

extern template class ForceCollector<float>;
extern template class ForceCollector<double>;

}  // namespace fg
