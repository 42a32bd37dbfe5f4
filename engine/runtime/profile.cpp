// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/profile.hpp"

#include <mutex>

#include "base/error.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/threads/phase_names.hpp"

namespace fg {

namespace {

struct PhaseTable {
  std::mutex mutex;
  std::vector<std::string> names;
};
PhaseTable& phase_table() {
  static PhaseTable* const table = new PhaseTable;
  return *table;
}

}  // namespace

Phase::Phase(std::string_view name) {
  PhaseTable& table = phase_table();
  const std::lock_guard lock(table.mutex);
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (table.names[i] != name) continue;
    id_ = static_cast<int>(i);
    return;
  }
  FG_CHECK(table.names.size() < static_cast<std::size_t>(limit));
  id_ = static_cast<int>(table.names.size());
  table.names.emplace_back(name);
}

std::vector<std::string> phase_names() {
  PhaseTable& table = phase_table();
  const std::lock_guard lock(table.mutex);
  return table.names;
}

void Account::prepare(int entries) {
  items_.assign(static_cast<std::size_t>(first_entry + entries), Item{});
  phases_.assign(Phase::limit, Item{});
}

Account* detail::current_account() noexcept {
  Pe* const pe = Pe::current();
  return pe ? pe->profiled_account() : nullptr;
}

}  // namespace fg
