// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/force_collector.hpp"

#include "base/error.hpp"
#include "forces/costs/charge_work.hpp"

namespace fg {

void PairReplies::count(const std::vector<int>& process_of_patch,
                        const std::vector<std::vector<int>>& pes_of_computes, int process,
                        int pes_a_process) {
  const std::size_t patches = process_of_patch.size();
  sums.assign(patches, 0);
  pes_here.assign(patches, 0);
  for (std::size_t patch = 0; patch < patches; ++patch) {
    int before = -1;
    for (const int pe : pes_of_computes[patch]) {
      const int there = pe / pes_a_process;
      if (there == process) ++pes_here[patch];
      // The PEs of another process send one sum together.
      if (there == process_of_patch[patch] || there != before) ++sums[patch];
      before = there;
    }
  }
}

template <class Real>
void ForceCollector<Real>::add(Ref<const SummedForcesMessage> message) {
  if (!sum_) sum_ = zero_sums(message->step, message->clusters);
  // The patch waits for the sum, so no PE can be a step ahead of another.
  FG_CHECK(sum_->step == message->step && sum_->clusters == message->clusters);
  sum_->add(*message);
  charge_work<Real>({{of_message, 1}});
  const auto& [x, y, z, process] = this->index();
  const Array<PatchPort<Real>>& patches = patches_;
  const auto patch = static_cast<std::size_t>(patches.ordinal({x, y, z}));
  if (++come_ < replies_->pes_here[patch]) return;
  come_ = 0;
  const auto step = sum_->step;
  patches[{x, y, z}].template send_at<&PatchPort<Real>::pair_forces>(step, std::exchange(sum_, {}));
}

template class ForceCollector<float>;
template class ForceCollector<double>;

}  // namespace fg
