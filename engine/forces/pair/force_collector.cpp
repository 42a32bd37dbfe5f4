// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/force_collector.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "forces/costs/charge_work.hpp"
#include "particles/add_fixed.hpp"

namespace fg {

void PairReplies::count(const std::vector<int>& process_of_patch,
                        const std::vector<std::vector<int>>& processes_of_replies, int processes) {
  const std::size_t patches = process_of_patch.size();
  const auto columns = static_cast<std::size_t>(processes);
  direct.assign(patches, 0);
  sums.assign(patches, 0);
  collected.assign(patches * columns, 0);
  for (std::size_t patch = 0; patch < patches; ++patch)
    for (const int process : processes_of_replies[patch]) {
      if (process == process_of_patch[patch]) {
        ++direct[patch];
      } else if (collected[patch * columns + static_cast<std::size_t>(process)]++ == 0) {
        ++sums[patch];
      }
    }
}

template <class Real>
void ForceCollector<Real>::add(Ref<const ClusterForcesMessage<Real>> message) {
  // The patch waits for the sum, so no compute can be a step ahead of another.
  FG_CHECK(come_ == 0 || step_ == message->step);
  step_ = message->step;
  const int clusters = message->clusters;
  const std::int32_t* const place = message->cluster_index();
  const int most = clusters > 0 ? 1 + *std::max_element(place, place + clusters) : 0;
  const auto numbers = static_cast<std::size_t>(most) * cluster_numbers;
  if (numbers > sums_.size()) sums_.resize(numbers, 0);
  if (add_fixed(sums_.data(), message->forces(), place, clusters) < clusters) {
    // The patch knows which atom this force acts on, and will end the run.
    const auto& index = this->index();
    patches_[{index[0], index[1], index[2]}].template send_at<&PatchPort<Real>::pair_forces>(
        message->step, message);
    return;
  }
  charge_work<Real>({{of_message, 1}});
  if (++come_ == replies_->collected[static_cast<std::size_t>(this->ordinal())]) send();
}

template <class Real>
void ForceCollector<Real>::send() {
  come_ = 0;
  auto message = make_message<SummedForcesMessage>(sums_.size() * sizeof(std::int64_t));
  message->step = step_;
  message->clusters = static_cast<std::int32_t>(sums_.size() / cluster_numbers);
  std::copy(sums_.begin(), sums_.end(), message->template trailing<std::int64_t>());
  sums_.clear();  // their number may change with the next rebuild
  const auto& index = this->index();
  patches_[{index[0], index[1], index[2]}].template send_at<&PatchPort<Real>::summed_forces>(
      step_, std::move(message));
}

template class ForceCollector<float>;
template class ForceCollector<double>;

}  // namespace fg
