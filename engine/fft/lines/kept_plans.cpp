// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines/kept_plans.hpp"

#include <iterator>
#include <list>
#include <mutex>
#include <unordered_map>

namespace fg::fft {

namespace {

template <class Real>
class Kept {
 public:
  using Plan = std::shared_ptr<const LinePlan<Real>>;

  /// Null if there is none.
  Plan find(int length) {
    const std::lock_guard lock(mutex_);
    return found(length);
  }

  /// Returns the plan that is kept for this length, which another thread may have made before.
  Plan keep(Plan made) {
    std::list<Plan> dropped;  // freed after the lock
    const std::lock_guard lock(mutex_);
    if (Plan before = found(made->length)) return before;
    bytes_ += made->bytes();
    plans_.push_front(made);
    places_[made->length] = plans_.begin();
    while (bytes_ > kept_plan_bytes && plans_.size() > always_kept_plans) {
      bytes_ -= plans_.back()->bytes();
      places_.erase(plans_.back()->length);
      dropped.splice(dropped.begin(), plans_, std::prev(plans_.end()));
    }
    return made;
  }

  KeptPlans size() {
    const std::lock_guard lock(mutex_);
    return {plans_.size(), bytes_};
  }

 private:
  Plan found(int length) {
    const auto place = places_.find(length);
    if (place == places_.end()) return nullptr;
    plans_.splice(plans_.begin(), plans_, place->second);
    return plans_.front();
  }

  std::mutex mutex_;
  std::list<Plan> plans_;  // the one used last is the first
  std::unordered_map<int, typename std::list<Plan>::iterator> places_;
  std::size_t bytes_ = 0;
};

/// Never destroyed, since others may use transforms while the program ends.
template <class Real>
Kept<Real>& kept() {
  static auto& all = *new Kept<Real>;
  return all;
}

}  // namespace

template <class Real>
std::shared_ptr<const LinePlan<Real>> line_plan(int length) {
  if (auto plan = kept<Real>().find(length)) return plan;
  return kept<Real>().keep(std::make_shared<const LinePlan<Real>>(length));
}

template <class Real>
KeptPlans kept_plans() {
  return kept<Real>().size();
}

template std::shared_ptr<const LinePlan<float>> line_plan(int);
template std::shared_ptr<const LinePlan<double>> line_plan(int);
template KeptPlans kept_plans<float>();
template KeptPlans kept_plans<double>();

}  // namespace fg::fft
