// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/places/consecutive.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace fg::balance {

namespace {

class Row {
 public:
  Row(std::span<const std::int64_t> costs, std::span<const std::int64_t> already)
      : already_(already), before_(costs.size() + 1) {
    std::partial_sum(costs.begin(), costs.end(), before_.begin() + 1);
  }

  std::size_t pes() const noexcept { return already_.size(); }
  std::size_t size() const noexcept { return before_.size() - 1; }
  std::int64_t whole() const noexcept { return before_.back(); }

  /// The end of the longest range from `begin` that keeps a PE within `limit`.
  std::size_t longest(std::size_t begin, std::size_t pe, std::int64_t limit) const {
    const std::int64_t room = limit - already_[pe];
    if (room < 0) return begin;
    const auto end = std::upper_bound(before_.begin() + static_cast<std::ptrdiff_t>(begin),
                                      before_.end(), before_[begin] + room);
    return static_cast<std::size_t>(end - before_.begin()) - 1;
  }

  bool fits(std::int64_t limit) const {
    std::size_t at = 0;
    for (std::size_t pe = 0; pe < pes() && at < size(); ++pe) at = longest(at, pe, limit);
    return at == size();
  }

  /// The least limit that fits.
  std::int64_t least_limit() const {
    std::int64_t too_low = -1;
    std::int64_t enough = whole() + *std::max_element(already_.begin(), already_.end());
    while (enough - too_low > 1) {
      const std::int64_t middle = too_low + (enough - too_low) / 2;
      (fits(middle) ? enough : too_low) = middle;
    }
    return enough;
  }

  /// Where the range of each PE must begin at the earliest, if later PEs keep within the limit.
  std::vector<std::size_t> earliest(std::int64_t limit) const {
    std::vector<std::size_t> begin(pes() + 1, size());
    for (std::size_t pe = pes(); pe-- > 0;) {
      const std::size_t end = begin[pe + 1];
      const std::int64_t room = limit - already_[pe];
      begin[pe] = room < 0
                      ? end
                      : static_cast<std::size_t>(
                            std::lower_bound(before_.begin(),
                                             before_.begin() + static_cast<std::ptrdiff_t>(end),
                                             before_[end] - room) -
                            before_.begin());
    }
    return begin;
  }

  /// The end of the range from `begin` whose sum is nearest to `wanted`.
  std::size_t nearest(std::size_t begin, std::int64_t wanted) const {
    if (wanted <= 0) return begin;
    const std::int64_t target = before_[begin] + wanted;
    const auto above = std::lower_bound(before_.begin() + static_cast<std::ptrdiff_t>(begin),
                                        before_.end(), target);
    if (above == before_.end()) return size();
    const auto end = static_cast<std::size_t>(above - before_.begin());
    return before_[end] - target <= target - before_[end - 1] ? end : end - 1;
  }

  /// The average over the PEs from `pe` on of all that they have to do.
  std::int64_t average(std::size_t begin, std::size_t pe, std::int64_t already_from_here) const {
    return (whole() - before_[begin] + already_from_here) / static_cast<std::int64_t>(pes() - pe);
  }

 private:
  std::span<const std::int64_t> already_;
  std::vector<std::int64_t> before_;  // [elements + 1] sums of the costs before each
};

}  // namespace

std::vector<int> consecutive(std::span<const std::int64_t> costs,
                             std::span<const std::int64_t> already) {
  const Row row(costs, already);
  const std::int64_t limit = row.least_limit();
  const std::vector<std::size_t> earliest = row.earliest(limit);
  std::int64_t left = std::accumulate(already.begin(), already.end(), std::int64_t{0});
  std::vector<int> result(costs.size());
  std::size_t begin = 0;
  for (std::size_t pe = 0; pe < row.pes(); ++pe) {
    const std::size_t even = row.nearest(begin, row.average(begin, pe, left) - already[pe]);
    const std::size_t end =
        std::min(std::max(even, earliest[pe + 1]), row.longest(begin, pe, limit));
    for (std::size_t i = begin; i < end; ++i) result[i] = static_cast<int>(pe);
    begin = end;
    left -= already[pe];
  }
  return result;
}

}  // namespace fg::balance
