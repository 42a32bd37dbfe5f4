// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/section.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "runtime/array.hpp"
#include "runtime/places/maps.hpp"
#include "runtime/runtime.hpp"

namespace fg::detail {

namespace {

/// Returns the list of this PE, and adds it if it is missing.
FanOut& of_home(std::vector<FanOut>& all, Pe* home) {
  for (FanOut& one : all)
    if (one.home == home) return one;
  all.push_back({home, {}});
  return all.back();
}

/// For a section with a fan-out. It depends only on what all processes know after
/// `agree_on_places`.
void plan_tree(SectionCore& section) {
  const ArrayCore& array = *section.array;
  std::vector<int> processes;
  processes.reserve(section.members.size());
  section.members_here = 0;
  std::uint64_t hash = section.spread.piece_bytes + static_cast<std::uint64_t>(array.id);
  for (const int ordinal : section.members) {
    const int process =
        array.runtime->process_of(array.locations[static_cast<std::size_t>(ordinal)].pe);
    processes.push_back(process);
    section.members_here += process == array.runtime->process();
    for (const int number : {ordinal, process, section.spread.fan_out})
      hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x100000001b3u;  // FNV-1a
  }
  section.places = hash;
  std::sort(processes.begin(), processes.end());
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  section.processes = HostGroups(processes, array.runtime->hosts());
}

}  // namespace

void sort_by_place(SectionCore& section) {
  if (section.spread.fan_out > 0) plan_tree(section);
  section.fan_outs.clear();
  section.remote.clear();
  section.remote_members.clear();
  ArrayCore& array = *section.array;
  std::vector<std::pair<int, int>> elsewhere;  // process, ordinal
  for (int ordinal : section.members) {
    Location& location = array.locations[static_cast<std::size_t>(ordinal)];
    if (Pe* const home = location.home) {
      of_home(section.fan_outs, home).targets.push_back(&location);
    } else {
      elsewhere.emplace_back(array.runtime->process_of(location.pe), ordinal);
    }
  }
  std::sort(elsewhere.begin(), elsewhere.end());
  section.remote_members.reserve(elsewhere.size());
  for (const auto& [process, ordinal] : elsewhere) {
    if (section.remote.empty() || section.remote.back().process != process)
      section.remote.push_back({process, section.remote_members.size(), 0});
    ++section.remote.back().count;
    section.remote_members.push_back(ordinal);
  }
  section.remote.shrink_to_fit();
  if (section.spread.fan_out > 0) {
    std::size_t here = 0;
    for (const FanOut& fan_out : section.fan_outs) here += fan_out.targets.size();
    FG_CHECK(here == section.members_here);
  }
  // Sections with the same receivers visit them in different orders. So senders that begin at the
  // same time do not all reach the same receiver at the same time.
  const auto scattered = [&](int place) {
    return maps::hashed(std::array{place}, std::array{0}, std::numeric_limits<int>::max(),
                        static_cast<std::uint64_t>(section.order));
  };
  std::sort(section.remote.begin(), section.remote.end(), [&](const auto& a, const auto& b) {
    return scattered(a.process) < scattered(b.process);
  });
  std::sort(section.fan_outs.begin(), section.fan_outs.end(), [&](const auto& a, const auto& b) {
    return scattered(a.home->rank()) < scattered(b.home->rank());
  });
}

namespace {

void sort_once(std::vector<int>& ordinals) {
  std::sort(ordinals.begin(), ordinals.end());
  ordinals.erase(std::unique(ordinals.begin(), ordinals.end()), ordinals.end());
}

}  // namespace

const SectionCore* make_section(ArrayCore* array, std::vector<int> ordinals, const Spread& spread) {
  FG_CHECK(spread.fan_out >= 0 && spread.piece_bytes >= 1);
  sort_once(ordinals);
  auto section = std::make_unique<SectionCore>();
  section->array = array;
  section->members = std::move(ordinals);
  section->spread = spread;
  return array->runtime->keep_section(std::move(section));
}

void set_members(const SectionCore& section, std::vector<int> ordinals) {
  sort_once(ordinals);
  if (ordinals != section.members) section.array->runtime->renew(section, std::move(ordinals));
}

void multicast(const SectionCore& section, Lane lane, const EntryInfo& entry, std::int64_t step,
               std::uint64_t payload) {
  const Envelope envelope{nullptr, &entry, step, payload};
  const bool along_tree = section.tree >= 0 && !section.remote.empty();
  if (entry.carries_message) {
    if (section.members.empty()) return entry.release(payload);
    if (payload) {
      // One reference for each member here and one for each packet, or for all along the tree.
      std::size_t holders = along_tree ? 1 : section.remote.size();
      for (const FanOut& fan_out : section.fan_outs) holders += fan_out.targets.size();
      reinterpret_cast<const Message*>(static_cast<std::uintptr_t>(payload))
          ->add_references(static_cast<std::uint32_t>(holders - 1));
    }
  }
  // Other processes first, then other PEs: they can start while this PE queues its own share.
  Network* const network = section.array->runtime->network();
  if (along_tree) {
    network->spread(section, lane, entry, step, payload);
  } else {
    for (const RemoteShare& share : section.remote)
      network->multicast(*section.array, share.process,
                         std::span(section.remote_members).subspan(share.first, share.count), lane,
                         entry, step, payload);
  }
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
