// SPDX-License-Identifier: BSD-3-Clause
//
// The neighbourhood reduction of pair forces. The PEs of one process have sums for a patch of
// another process. These are added up in their process and sent as one message. Source: Blue
// Matter, IBM J. Res. Dev. 49, 475 (2005). Element (x, y, z, process) is for patch (x, y, z), on a
// PE of that process. It is idle if the patch is in its process, or if one PE alone has a sum. The
// sums of a PE are in forces/pair/shared_pairs.hpp.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "forces/ports.hpp"

namespace fg {

/// The number of messages that bring the pair forces of a step, which depends on where the objects
/// are.
struct PairReplies {
  std::vector<int> sums;      // [patch] to it: from PEs of its process, and from other processes
  std::vector<int> pes_here;  // [patch] PEs of this process with computes that need it

  /// `pes_of_computes[patch]`: the PEs of the computes that need it, ascending, each once.
  /// `process`: this one. All processes call it between runs, and count the same `sums`.
  void count(const std::vector<int>& process_of_patch,
             const std::vector<std::vector<int>>& pes_of_computes, int process, int pes_a_process);
};

template <class Real>
class ForceCollector final : public Chare<ForceCollector<Real>, 4> {
 public:
  ForceCollector(std::shared_ptr<const PairReplies> replies, Array<PatchPort<Real>> patches)
      : replies_(std::move(replies)), patches_(patches) {}

  void add(Ref<const SummedForcesMessage> message);

 private:
  std::shared_ptr<const PairReplies> replies_;
  Array<PatchPort<Real>> patches_;
  Ref<SummedForcesMessage> sum_;  // of the present step
  int come_ = 0;
};

extern template class ForceCollector<float>;
extern template class ForceCollector<double>;

}  // namespace fg
