// SPDX-License-Identifier: BSD-3-Clause
//
// Times of works that take turns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace fg::bench {

/// The seconds of each work in each round. Each runs once to warm up, then `rounds` times for about
/// `turn` seconds; `seconds_of(work, times)` measures one call.
template <class SecondsOf>
std::vector<std::vector<double>> in_turns(const std::vector<std::function<void()>>& works,
                                          int rounds, double turn, const SecondsOf& seconds_of) {
  std::vector<int> times;
  for (const auto& work : works) {
    work();
    times.push_back(1 + static_cast<int>(turn / seconds_of(work, 1)));
  }
  std::vector<std::vector<double>> seconds(works.size());
  for (int r = 0; r < rounds; ++r)
    for (std::size_t w = 0; w < works.size(); ++w)
      seconds[w].push_back(seconds_of(works[w], times[w]));
  return seconds;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The median of each work's rounds.
template <class SecondsOf>
std::vector<double> medians(const std::vector<std::function<void()>>& works, int rounds,
                            double turn, const SecondsOf& seconds_of) {
  std::vector<double> result;
  for (auto& of_work : in_turns(works, rounds, turn, seconds_of))
    result.push_back(median(std::move(of_work)));
  return result;
}

}  // namespace fg::bench
