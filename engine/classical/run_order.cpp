// SPDX-License-Identifier: BSD-3-Clause
#include "classical/run_order.hpp"

#include <algorithm>

#include "base/bytes.hpp"

namespace fg::classical {

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

std::vector<std::byte> to_bytes(const RunOrder& order) {
  ByteWriter bytes;
  bytes.put(order.schedule);
  bytes.put(order.state.step);
  bytes.put(order.state.stage);
  bytes.put(order.state.position);
  bytes.put(order.state.velocity);
  bytes.put(order.state.image);
  bytes.put(order.state.bath);
  return std::move(bytes).take();
}

RunOrder run_order_from_bytes(std::span<const std::byte> all) {
  ByteReader bytes(all);
  RunOrder order;
  bytes.get(order.schedule);
  bytes.get(order.state.step);
  bytes.get(order.state.stage);
  bytes.get(order.state.position);
  bytes.get(order.state.velocity);
  bytes.get(order.state.image);
  bytes.get(order.state.bath);
  return order;
}

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

}  // namespace fg::classical
