// SPDX-License-Identifier: BSD-3-Clause
#include "processes/profiles.hpp"

#include <algorithm>

#include "base/bytes.hpp"

namespace fg {

namespace {

void put(ByteWriter& bytes, const std::vector<Profile::Item>& items) {
  bytes.put(std::uint64_t{items.size()});
  for (const auto& item : items) {
    bytes.put(item.name);
    bytes.put(item.count);
    bytes.put(item.seconds);
  }
}

std::vector<Profile::Item> get_items(ByteReader& bytes) {
  std::vector<Profile::Item> items(bytes.get<std::uint64_t>());
  for (auto& item : items) {
    bytes.get(item.name);
    bytes.get(item.count);
    bytes.get(item.seconds);
  }
  return items;
}

void add_items(std::vector<Profile::Item>& sum, const std::vector<Profile::Item>& more) {
  for (const auto& item : more) {
    const auto same = std::find_if(sum.begin(), sum.end(),
                                   [&](const auto& other) { return other.name == item.name; });
    if (same == sum.end()) {
      sum.push_back(item);
    } else {
      same->count += item.count;
      same->seconds += item.seconds;
    }
  }
  std::stable_sort(sum.begin(), sum.end(),
                   [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
}

}  // namespace

std::vector<std::byte> to_bytes(const Profile& profile) {
  ByteWriter bytes;
  bytes.put(profile.pes);
  put(bytes, profile.entries);
  put(bytes, profile.phases);
  return std::move(bytes).take();
}

void add_stretch(Profile& sum, const Profile& later) {
  sum.wall_seconds += later.wall_seconds;
  sum.pes.resize(later.pes.size());
  for (std::size_t i = 0; i < later.pes.size(); ++i) {
    const Profile::PerPe& more = later.pes[i];
    Profile::PerPe& pe = sum.pes[i];
    pe.busy += more.busy;
    pe.idle += more.idle;
    pe.scheduling += more.scheduling;
    pe.sending += more.sending;
    pe.processed = more.processed;  // these count from the start of the run
    pe.sent = more.sent;
    pe.sent_to_others = more.sent_to_others;
  }
  add_items(sum.entries, later.entries);
  add_items(sum.phases, later.phases);
}

void add_objects(Profile& sum, const Profile& later) {
  const std::vector<Profile::PerPe> before = sum.pes;
  add_stretch(sum, later);
  for (std::size_t i = 0; i < std::min(before.size(), sum.pes.size()); ++i) {
    sum.pes[i].processed += before[i].processed;
    sum.pes[i].sent += before[i].sent;
    sum.pes[i].sent_to_others += before[i].sent_to_others;
  }
}

void add_profile(Profile& sum, std::span<const std::byte> all) {
  ByteReader bytes(all);
  std::vector<Profile::PerPe> pes;
  bytes.get(pes);
  sum.pes.insert(sum.pes.end(), pes.begin(), pes.end());
  add_items(sum.entries, get_items(bytes));
  add_items(sum.phases, get_items(bytes));
}

void gather_profile(Transport* transport, Profile& profile) {
  if (!transport) return;
  const auto parts = transport->gather(to_bytes(profile));
  for (std::size_t process = 1; process < parts.size(); ++process)
    add_profile(profile, parts[process]);
}

}  // namespace fg
