// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/compute_places.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "base/error.hpp"

namespace fg::topology {

namespace {

class Balance {
 public:
  Balance(std::span<const NearbyWork> computes, std::span<const PePlace> pes)
      : computes_(computes), pes_(pes) {
    std::int64_t whole = 0, shares = 0;
    for (const PePlace& pe : pes) {
      work_.push_back(pe.already);
      whole += pe.already;
      shares += pe.share;
    }
    for (const NearbyWork& compute : computes) {
      FG_CHECK(!compute.pes.empty());
      pe_of_.push_back(compute.pes[0]);
      work_.at(static_cast<std::size_t>(compute.pes[0])) += compute.work;
      whole += compute.work;
    }
    average_ = shares > 0 ? whole / shares : 0;
  }

  /// Whether any compute moved.
  bool sweep() {
    std::vector<std::vector<int>> computes_of(pes_.size());
    for (std::size_t i = 0; i < pe_of_.size(); ++i)
      if (too_full(index(pe_of_[i]))) computes_of[index(pe_of_[i])].push_back(static_cast<int>(i));
    std::vector<int> order(pes_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order,
                             [&](int a, int b) { return fullness(index(a)) > fullness(index(b)); });
    bool moved = false;
    for (const int pe : order) {
      std::vector<int>& here = computes_of[index(pe)];
      std::ranges::stable_sort(
          here, [&](int a, int b) { return computes_[index(a)].work > computes_[index(b)].work; });
      for (const int compute : here)
        if (too_full(index(pe)) && give_away(compute)) moved = true;
    }
    return moved;
  }
  std::vector<int> take() { return std::move(pe_of_); }

 private:
  static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }
  /// Work for each unit of the share, if there is `more`.
  std::int64_t fullness(std::size_t pe, std::int64_t more = 0) const {
    return (work_[pe] + more) / pes_[pe].share;
  }
  bool too_full(std::size_t pe) const { return fullness(pe) > average_ + average_ / 30; }

  bool give_away(int compute) {
    const NearbyWork& what = computes_[index(compute)];
    const std::size_t from = index(pe_of_[index(compute)]);
    int best = -1;
    for (const int pe : what.pes)
      if (best < 0 || fullness(index(pe), what.work) < fullness(index(best), what.work)) best = pe;
    if (index(best) == from || fullness(index(best), what.work) >= fullness(from)) return false;
    work_[from] -= what.work;
    work_[index(best)] += what.work;
    pe_of_[index(compute)] = best;
    return what.work > 0;
  }

  std::span<const NearbyWork> computes_;
  std::span<const PePlace> pes_;
  std::vector<int> pe_of_;          // [computes]
  std::vector<std::int64_t> work_;  // [PEs]
  std::int64_t average_ = 0;        // for each unit of the shares
};

/// Work goes from PE to PE in several sweeps; the last ones move little.
constexpr int most_sweeps = 32;

}  // namespace

std::vector<int> places_near_patches(std::span<const NearbyWork> computes,
                                     std::span<const PePlace> pes) {
  Balance balance(computes, pes);
  for (int i = 0; i < most_sweeps && balance.sweep(); ++i) {
  }
  return balance.take();
}

}  // namespace fg::topology
