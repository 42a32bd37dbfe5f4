// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/section.hpp"

#include <algorithm>

#include "runtime/array.hpp"
#include "runtime/runtime.hpp"

namespace fg::detail {

const SectionCore* make_section(ArrayCore* array, std::vector<int> ordinals) {
  std::sort(ordinals.begin(), ordinals.end());
  ordinals.erase(std::unique(ordinals.begin(), ordinals.end()), ordinals.end());
  auto section = std::make_unique<SectionCore>();
  section->array = array;
  for (const auto& pe : array->runtime->all_pes()) {
    FanOut fan_out{pe.get(), {}};
    for (int ordinal : ordinals) {
      const Location& location = array->locations[static_cast<std::size_t>(ordinal)];
      if (location.home == pe.get()) fan_out.targets.push_back(location.object);
    }
    if (!fan_out.targets.empty()) section->fan_outs.push_back(std::move(fan_out));
  }
  section->members = std::move(ordinals);
  return array->runtime->keep_section(std::move(section));
}

void multicast(const SectionCore& section, Lane lane, const EntryInfo& entry, std::int64_t step,
               std::uint64_t payload) {
  const Envelope envelope{nullptr, &entry, step, payload};
  if (entry.carries_message) {
    if (section.members.empty()) return entry.release(payload);
    if (payload)
      reinterpret_cast<const Message*>(static_cast<std::uintptr_t>(payload))
          ->add_references(static_cast<std::uint32_t>(section.members.size() - 1));
  }
  // Other PEs first: they can start while this one queues its own share.
  Pe* const here = Pe::current();
  const FanOut* own = nullptr;
  for (const FanOut& fan_out : section.fan_outs) {
    if (fan_out.home == here) {
      own = &fan_out;
    } else {
      fan_out.home->post_all(lane, envelope, fan_out);
    }
  }
  if (own) here->post_all(lane, envelope, *own);
}

}  // namespace fg::detail
