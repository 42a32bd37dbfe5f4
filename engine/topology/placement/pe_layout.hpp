// SPDX-License-Identifier: BSD-3-Clause
//
// The PEs of a run as its maps see them: processes with equally many PEs, on hosts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "topology/placement/host_ranks.hpp"

namespace fg::topology {

struct PeLayout {
  int processes = 1;
  int pes_a_process = 1;
  /// The host of each process, by any number; empty: all are on one host.
  std::vector<int> hosts{};

  int pes() const noexcept { return processes * pes_a_process; }
  int process_of(int pe) const noexcept { return pe / pes_a_process; }
  int host_of(int process) const noexcept {
    return hosts.empty() ? 0 : hosts[static_cast<std::size_t>(process)];
  }

  /// All processes, those of one host after each other. Hosts come in the order of their first
  /// process, so that processes that alternate between hosts are together too.
  std::vector<int> processes_by_host() const {
    std::vector<int> order(static_cast<std::size_t>(processes));
    std::iota(order.begin(), order.end(), 0);
    if (hosts.empty()) return order;
    const std::vector<int> number = host_ranks(std::span(hosts)).host_of;
    std::ranges::stable_sort(
        order, {}, [&](int process) { return number[static_cast<std::size_t>(process)]; });
    return order;
  }
  /// The PEs of all processes in this order.
  std::vector<int> pes_by_host() const {
    std::vector<int> found;
    found.reserve(static_cast<std::size_t>(pes()));
    for (const int process : processes_by_host())
      for (int i = 0; i < pes_a_process; ++i) found.push_back(process * pes_a_process + i);
    return found;
  }
};

/// One process with this number of PEs.
inline PeLayout one_process(int pes) {
  return {.processes = 1, .pes_a_process = pes};
}

}  // namespace fg::topology
