// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/rank_graph.hpp"

#include <numeric>

namespace fg::topology {

namespace {

std::size_t as_index(int number) {
  return static_cast<std::size_t>(number);
}

/// The entries of each rank, whichever end it is, without those to itself.
struct Ends {
  Ends(int ranks, std::span<const Traffic> traffic) : first(as_index(ranks) + 1) {
    for_each_end(traffic, [&](int rank, std::uint32_t) { ++first[as_index(rank) + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    entries.resize(first.back());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for_each_end(traffic,
                 [&](int rank, std::uint32_t entry) { entries[next[as_index(rank)]++] = entry; });
  }

  template <class Visit>
  static void for_each_end(std::span<const Traffic> traffic, const Visit& visit) {
    for (std::size_t i = 0; i < traffic.size(); ++i) {
      if (traffic[i].from == traffic[i].to) continue;
      visit(traffic[i].from, static_cast<std::uint32_t>(i));
      visit(traffic[i].to, static_cast<std::uint32_t>(i));
    }
  }

  std::vector<std::size_t> first;
  std::vector<std::uint32_t> entries;
};

}  // namespace

/// Where all ranks are gone through in their order, each is added to the rows of its partners, so
/// that rows are ascending. A partner that is named in several entries is the last of the row then.
RankGraph::RankGraph(int ranks, std::span<const Traffic> traffic) : first_(as_index(ranks) + 1) {
  const Ends ends(ranks, traffic);
  const auto for_each_entry = [&](const auto& visit) {
    for (int other = 0; other < ranks; ++other)
      for (std::size_t i = ends.first[as_index(other)]; i < ends.first[as_index(other) + 1]; ++i) {
        const Traffic& way = traffic[ends.entries[i]];
        visit(way.from == other ? way.to : way.from, other, way.bytes);
      }
  };
  std::vector<int> latest(as_index(ranks), -1);
  for_each_entry([&](int rank, int other, std::int64_t) {
    if (latest[as_index(rank)] != other) ++first_[as_index(rank) + 1];
    latest[as_index(rank)] = other;
  });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  partners_.resize(first_.back());
  latest.assign(latest.size(), -1);
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_each_entry([&](int rank, int other, std::int64_t bytes) {
    std::size_t& end = next[as_index(rank)];
    if (latest[as_index(rank)] != other) partners_[end++] = {other, 0};
    partners_[end - 1].bytes += bytes;
    latest[as_index(rank)] = other;
  });
}

}  // namespace fg::topology
