// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/pe_selection.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>

#include "base/error.hpp"

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

/// Rows of PEs: one PE of each in turn. Each turn is in bit-reversed order, but PEs marked `last`
/// come at its end.
std::vector<int> dealt(const std::vector<std::vector<int>>& rows, const std::vector<bool>& last) {
  std::vector<int> order, turn, late;
  std::vector<int> rows_left = bit_reversed(static_cast<int>(rows.size()));
  for (std::size_t place = 0; !rows_left.empty(); ++place) {
    turn.clear();
    late.clear();
    std::erase_if(rows_left,
                  [&](int row) { return rows[static_cast<std::size_t>(row)].size() <= place; });
    for (const int row : rows_left) {
      const int pe = rows[static_cast<std::size_t>(row)][place];
      (!last.empty() && last[static_cast<std::size_t>(pe)] ? late : turn).push_back(pe);
    }
    order.insert(order.end(), turn.begin(), turn.end());
    order.insert(order.end(), late.begin(), late.end());
  }
  return order;
}

}  // namespace

std::vector<int> order_of_choice(std::span<const PePlace> pes, const std::vector<bool>& last) {
  FG_CHECK(last.empty() || last.size() == pes.size());
  std::map<int, std::size_t> host_number, process_number;  // in the order of first PEs
  std::vector<std::vector<std::size_t>> processes_of_host;
  std::vector<std::vector<int>> pes_of_process;
  for (std::size_t pe = 0; pe < pes.size(); ++pe) {
    const auto [host, new_host] = host_number.try_emplace(pes[pe].host, processes_of_host.size());
    if (new_host) processes_of_host.emplace_back();
    const auto [process, new_process] =
        process_number.try_emplace(pes[pe].process, pes_of_process.size());
    if (new_process) {
      pes_of_process.emplace_back();
      processes_of_host[host->second].push_back(process->second);
    }
    pes_of_process[process->second].push_back(static_cast<int>(pe));
  }
  const auto of_process = [&](std::size_t process) {
    std::vector<int> row;
    const std::vector<int>& all = pes_of_process[process];
    for (const int place : bit_reversed(static_cast<int>(all.size())))
      row.push_back(all[static_cast<std::size_t>(place)]);
    if (!last.empty())
      std::ranges::stable_partition(row,
                                    [&](int pe) { return !last[static_cast<std::size_t>(pe)]; });
    return row;
  };
  std::vector<std::vector<int>> rows_of_hosts;
  for (const std::vector<std::size_t>& processes : processes_of_host) {
    std::vector<std::vector<int>> rows;
    rows.reserve(processes.size());
    for (const std::size_t process : processes) rows.push_back(of_process(process));
    rows_of_hosts.push_back(dealt(rows, last));
  }
  return dealt(rows_of_hosts, last);
}

std::vector<int> chosen_pes(std::span<const PePlace> pes, int count,
                            const std::vector<bool>& last) {
  std::vector<int> chosen = order_of_choice(pes, last);
  if (static_cast<std::size_t>(count) < chosen.size())
    chosen.resize(static_cast<std::size_t>(count));
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace fg::topology
