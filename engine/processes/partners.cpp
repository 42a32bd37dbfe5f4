// SPDX-License-Identifier: BSD-3-Clause
#include "processes/partners.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace fg {

std::vector<int> partners(const std::vector<std::string>& hosts) {
  const std::size_t n = hosts.size();
  std::vector<int> order(n), partner(n, 0);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return hosts[a] < hosts[b]; });
  std::map<std::string, std::size_t> processes;
  std::size_t most = 0;
  for (const auto& host : hosts) most = std::max(most, ++processes[host]);
  // Hosts form a ring, one after the other. A step as long as the largest host leaves every host.
  // It does not come back to the same host as long as it is at most half of the ring.
  const std::size_t step = n < 2 ? 0 : std::max<std::size_t>(1, std::min(most, n / 2));
  for (std::size_t i = 0; i < n; ++i) partner[order[i]] = order[(i + step) % n];
  return partner;
}

}  // namespace fg
