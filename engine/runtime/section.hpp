// SPDX-License-Identifier: BSD-3-Clause
//
// A section: some elements of an array that get the same messages. A multicast makes no copies. It
// has one reference-counted buffer, and one parcel per PE, from which that PE makes one envelope
// per chare. It has one record per other process. Their order differs from section to section. For
// a section with a fan-out the processes forward it to each other (multicast_tree.hpp). Sections
// live as long as their array; the handle is cheap to copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "runtime/entry.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/trees/multicast_tree.hpp"

namespace fg {

struct ArrayCore;
template <class C>
class Array;

/// The members of a section in another process: a range of SectionCore::remote_members.
struct RemoteShare {
  int process;
  std::size_t first, count;
};

struct SectionCore {
  ArrayCore* array;
  std::vector<int> members;         // ordinals, ascending, each once
  int order = 0;                    // number among all sections; the same in all processes
  std::vector<FanOut> fan_outs;     // of this process, by PE
  std::vector<RemoteShare> remote;  // by process
  std::vector<int> remote_members;  // ordinals, by process
  Spread spread{};
  // Only with a fan-out:
  int tree = -1;           // number among such sections; the same in all processes
  HostGroups processes{};  // those with members
  std::size_t members_here = 0;
  std::uint64_t places = 0;  // a hash of the members and their processes
};

namespace detail {
/// Fills in the places of the members, as this process knows them.
void sort_by_place(SectionCore& section);
const SectionCore* make_section(ArrayCore* array, std::vector<int> ordinals,
                                const Spread& spread = {});
void set_members(const SectionCore& section, std::vector<int> ordinals);
void multicast(const SectionCore& section, Lane lane, const EntryInfo& entry, std::int64_t step,
               std::uint64_t payload);
}  // namespace detail

template <class C>
class Section {
 public:
  Section() = default;
  explicit Section(const SectionCore* core) noexcept : core_(core) {}
  /// Repeated indices count once. A section with a fan-out is made by all processes, in the same
  /// order, before a run or between runs.
  template <class Indices>
  Section(const Array<C>& array, const Indices& indices, const Spread& spread = {}) {
    std::vector<int> ordinals;
    ordinals.reserve(std::size(indices));
    for (const auto& index : indices) ordinals.push_back(array.ordinal(index));
    core_ = detail::make_section(array.core(), std::move(ordinals), spread);
  }

  /// Gives the section other members, by their ordinals in the array; repeated ones count once.
  /// Called by all processes before a run or between runs.
  void set_members(std::vector<int> ordinals) const {
    detail::set_members(*core_, std::move(ordinals));
  }

  std::size_t size() const noexcept { return core_ ? core_->members.size() : 0; }

  template <auto Member, class... A>
  void multicast(A&&... argument_and_lane) const {
    post<Member>(no_step, std::forward<A>(argument_and_lane)...);
  }
  template <auto Member, class... A>
  void multicast_at(std::int64_t step, A&&... argument_and_lane) const {
    static_assert(!EntryOf<Member>::starts_life, "a life starts at once");
    post<Member>(step, std::forward<A>(argument_and_lane)...);
  }

  const SectionCore* core() const noexcept { return core_; }

 private:
  template <auto Member, class... A>
  void post(std::int64_t step, A&&... argument_and_lane) const {
    using Entry = EntryOf<Member>;
    static_assert(std::is_base_of_v<typename Entry::Chare, C>, "an entry of another class");
    const detail::Outgoing out = Entry::pack(std::forward<A>(argument_and_lane)...);
    detail::multicast(*core_, out.lane, Entry::info, step, out.payload);
  }

  const SectionCore* core_ = nullptr;
};

}  // namespace fg
