// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/pe_rows.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "topology/placement/pe_selection.hpp"
#include "topology/placement/snake_order.hpp"

namespace fg::topology {

PeRows::PeRows(std::span<const PePlace> pes, const Coordinates& mesh, int most) : pes_(pes) {
  if (pes.empty()) throw InputError({.what = "there is no PE to place patches on"});
  std::map<int, int> first_on_host, first_in_process;
  std::vector<std::array<int, 3>> keys;
  for (std::size_t pe = 0; pe < pes.size(); ++pe) {
    const auto number = static_cast<int>(pe);
    if (pes[pe].host < 0 || pes[pe].host >= mesh.nodes())
      throw InputError({.what = "a PE is on a host without coordinates",
                        .where = "PE " + std::to_string(number),
                        .value = "host " + std::to_string(pes[pe].host),
                        .limit = std::to_string(mesh.nodes()) + " hosts",
                        .hint = "give the coordinates of every host"});
    FG_CHECK(pes[pe].share >= 1);
    FG_CHECK(pes[pe].already >= 0);
    first_on_host.try_emplace(pes[pe].host, number);
    first_in_process.try_emplace(pes[pe].process, number);
  }
  for (const int pe : chosen_pes(pes, most))
    keys.push_back(
        {first_on_host[pes[index(pe)].host], first_in_process[pes[index(pe)].process], pe});
  std::ranges::sort(keys);
  points_ = Coordinates(static_cast<int>(keys.size()), mesh.dimensions());
  for (std::size_t row = 0; row < keys.size(); ++row) {
    numbers_.push_back(keys[row][2]);
    std::ranges::copy(mesh.of(pes[index(keys[row][2])].host),
                      points_.of(static_cast<int>(row)).begin());
  }
  rows_.resize(keys.size());
  std::iota(rows_.begin(), rows_.end(), 0);
}

bool PeRows::several_hosts(std::span<const int> rows) const noexcept {
  return std::ranges::any_of(rows, [&](int row) { return place(row).host != place(rows[0]).host; });
}

bool PeRows::several_processes(std::span<const int> rows) const noexcept {
  return std::ranges::any_of(rows,
                             [&](int row) { return place(row).process != place(rows[0]).process; });
}

std::vector<int> PeRows::spans(std::span<const int> rows) const {
  return spans_of(points_, rows);
}

void PeRows::sort(std::span<int> rows, std::span<const int> dimensions) const {
  std::ranges::sort(rows);  // hosts at the same place stay apart
  sort_in_snake_order(points_, dimensions, rows);
}

std::size_t PeRows::middle(std::span<const int> rows) const {
  const bool hosts = several_hosts(rows), processes = several_processes(rows);
  std::int64_t whole = 0;
  for (const int row : rows) whole += place(row).share;
  std::int64_t below = 0, nearest = 0;
  std::size_t best = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const PePlace &last = place(rows[i - 1]), &next = place(rows[i]);
    below += last.share;
    if (hosts ? last.host == next.host : processes && last.process == next.process) continue;
    const std::int64_t off = std::abs(2 * below - whole);
    if (best > 0 && off >= nearest) continue;
    nearest = off;
    best = i;
  }
  return best;
}

}  // namespace fg::topology
