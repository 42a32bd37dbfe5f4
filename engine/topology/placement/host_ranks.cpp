// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/host_ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include "base/error.hpp"

namespace fg::topology {

namespace {

Coordinates rows_of(const Coordinates& from, std::span<const int> rows) {
  Coordinates to(static_cast<int>(rows.size()), from.dimensions());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(from.of(rows[i]), to.of(static_cast<int>(i)).begin());
  return to;
}

}  // namespace

HostRanks host_ranks(std::span<const int> numbers) {
  HostRanks hosts;
  std::map<int, int> number;
  for (std::size_t rank = 0; rank < numbers.size(); ++rank) {
    const auto [found, is_new] = number.try_emplace(numbers[rank], hosts.hosts());
    if (is_new) hosts.first_rank.push_back(static_cast<int>(rank));
    hosts.host_of.push_back(found->second);
  }
  return hosts;
}

Coordinates coordinates_of_hosts(const Coordinates& ranks, const HostRanks& hosts) {
  FG_CHECK(hosts.host_of.size() == static_cast<std::size_t>(ranks.nodes()));
  return rows_of(ranks, hosts.first_rank);
}

Coordinates collapsed_to_hosts(const Coordinates& ranks, const HostRanks& hosts) {
  return rows_of(coordinates_of_hosts(ranks, hosts), hosts.host_of);
}

}  // namespace fg::topology
