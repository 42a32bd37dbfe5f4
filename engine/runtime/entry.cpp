// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/entry.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace fg {

namespace {

constinit std::atomic<EntryInfo*> newest{nullptr};

struct Numbering {
  std::mutex mutex;
  std::vector<const EntryInfo*> by_id;
};
Numbering& numbering() {
  static Numbering* const all = new Numbering;
  return *all;
}

}  // namespace

EntryInfo::EntryInfo(Invoke invoke, bool carries_message, std::string_view name) noexcept
    : invoke(invoke), carries_message(carries_message), name(name) {
  next = newest.load(std::memory_order_relaxed);
  while (!newest.compare_exchange_weak(next, this, std::memory_order_release,
                                       std::memory_order_relaxed)) {
  }
}

void EntryInfo::release(std::uint64_t payload) const noexcept {
  if (carries_message && payload)
    reinterpret_cast<const Message*>(static_cast<std::uintptr_t>(payload))->drop_reference();
}

int number_entries() {
  Numbering& all = numbering();
  const std::lock_guard lock(all.mutex);
  // Entries of a library loaded later get numbers after the existing ones, again in order of names.
  std::vector<EntryInfo*> fresh;
  for (EntryInfo* e = newest.load(std::memory_order_acquire); e; e = e->next)
    if (e->id < 0) fresh.push_back(e);
  std::sort(fresh.begin(), fresh.end(),
            [](const EntryInfo* a, const EntryInfo* b) { return a->name < b->name; });
  for (EntryInfo* e : fresh) {
    e->id = static_cast<int>(all.by_id.size());
    all.by_id.push_back(e);
  }
  return static_cast<int>(all.by_id.size());
}

const EntryInfo& entry_with_id(int id) {
  Numbering& all = numbering();
  const std::lock_guard lock(all.mutex);
  return *all.by_id.at(static_cast<std::size_t>(id));
}

}  // namespace fg
