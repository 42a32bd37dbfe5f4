// SPDX-License-Identifier: BSD-3-Clause
//
// Messages between processes, counted before a run from the places of its objects.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace fg {

/// What one process sends another in a step.
struct Way {
  int from = 0, to = 0;
  double messages = 0;
  double bytes = 0;
};

/// Adds up messages by pairs of processes.
class WaySums {
 public:
  /// Inside of a process nothing is sent.
  void add(int from, int to, double bytes, double messages = 1) {
    if (from == to) return;
    ways_.push_back({from, to, messages, bytes});
    if (ways_.size() < limit_) return;
    merge();
    limit_ = std::max(least_limit, 2 * ways_.size());
  }

  /// Ascending by (from, to), each pair of processes once.
  std::vector<Way> take() {
    merge();
    return std::move(ways_);
  }

 private:
  /// So that the list stays short, whatever is added.
  static constexpr std::size_t least_limit = std::size_t{1} << 20;

  void merge() {
    std::ranges::stable_sort(ways_, [](const Way& a, const Way& b) {
      return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    });
    std::size_t kept = 0;
    for (const Way& way : ways_) {
      if (kept > 0 && ways_[kept - 1].from == way.from && ways_[kept - 1].to == way.to) {
        ways_[kept - 1].messages += way.messages;
        ways_[kept - 1].bytes += way.bytes;
      } else {
        ways_[kept++] = way;
      }
    }
    ways_.resize(kept);
  }

  std::vector<Way> ways_;
  std::size_t limit_ = least_limit;
};

}  // namespace fg
