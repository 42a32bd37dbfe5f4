// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/pe_selection.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <map>
#include <numeric>

namespace fg::topology {

std::vector<int> bit_reversed(int count) {
  const int bits =
      count > 1 ? static_cast<int>(std::bit_width(static_cast<unsigned>(count - 1))) : 0;
  std::vector<int> order;
  order.reserve(static_cast<std::size_t>(std::max(count, 0)));
  for (int i = 0; i < 1 << bits; ++i) {
    int reversed = 0;
    for (int bit = 0; bit < bits; ++bit)
      if (i >> bit & 1) reversed |= 1 << (bits - 1 - bit);
    if (reversed < count) order.push_back(reversed);
  }
  return order;
}

namespace {

/// What belongs to each group, in the order of its first appearance.
using Members = std::vector<std::vector<int>>;

/// The place of each member of a group in the bit-reversed order.
void mark_places(const Members& groups, std::vector<int>& place_of) {
  for (const std::vector<int>& group : groups) {
    const std::vector<int> order = bit_reversed(static_cast<int>(group.size()));
    for (std::size_t place = 0; place < order.size(); ++place)
      place_of[static_cast<std::size_t>(group[static_cast<std::size_t>(order[place])])] =
          static_cast<int>(place);
  }
}

}  // namespace

std::vector<int> order_of_choice(std::span<const PePlace> pes) {
  std::map<int, int> host_number, process_number;  // in the order of first PEs
  Members processes_of_host, pes_of_process;
  std::vector<int> host_of_process;
  for (std::size_t pe = 0; pe < pes.size(); ++pe) {
    const auto next_host = static_cast<int>(processes_of_host.size());
    const int host = host_number.try_emplace(pes[pe].host, next_host).first->second;
    if (host == next_host) processes_of_host.emplace_back();
    const auto next_process = static_cast<int>(pes_of_process.size());
    const int process = process_number.try_emplace(pes[pe].process, next_process).first->second;
    if (process == next_process) {
      pes_of_process.emplace_back();
      host_of_process.push_back(host);
      processes_of_host[static_cast<std::size_t>(host)].push_back(process);
    }
    pes_of_process[static_cast<std::size_t>(process)].push_back(static_cast<int>(pe));
  }
  std::vector<int> hosts(processes_of_host.size()), host_place(hosts.size());
  std::iota(hosts.begin(), hosts.end(), 0);
  std::vector<int> process_place(pes_of_process.size()), pe_place(pes.size());
  mark_places({hosts}, host_place);
  mark_places(processes_of_host, process_place);
  mark_places(pes_of_process, pe_place);

  std::vector<std::array<int, 4>> keys;
  for (std::size_t process = 0; process < pes_of_process.size(); ++process)
    for (const int pe : pes_of_process[process])
      keys.push_back({pe_place[static_cast<std::size_t>(pe)], process_place[process],
                      host_place[static_cast<std::size_t>(host_of_process[process])], pe});
  std::ranges::sort(keys);
  std::vector<int> order;
  order.reserve(keys.size());
  for (const auto& key : keys) order.push_back(key[3]);
  return order;
}

std::vector<int> chosen_pes(std::span<const PePlace> pes, int count) {
  std::vector<int> chosen = order_of_choice(pes);
  if (static_cast<std::size_t>(count) < chosen.size())
    chosen.resize(static_cast<std::size_t>(count));
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace fg::topology
