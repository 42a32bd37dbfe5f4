// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions: every member of a section contributes a vector for a step; when the last one has
// arrived, the result is delivered as a message. Values are combined in the order of member indices
// along a tree whose shape depends only on the number of members. So doubles too give the same bits
// for any PEs, map or order of arrival. Several steps may be in progress. Inside a process the tree
// is in shared memory: the thread that completes a node combines it and continues with the next
// level. A node belongs to the process of its first member; vectors from other processes arrive as
// packets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/entry.hpp"
#include "runtime/section.hpp"

namespace fg {

struct Location;

enum class Combine : std::uint8_t { sum, min, max };

/// The result: `width` numbers of a step.
template <class T>
struct ReductionMessage : Message {
  std::int64_t step;
  std::int64_t width;
  std::span<const T> values() const noexcept {
    return {trailing<T>(), static_cast<std::size_t>(width)};
  }
};

/// The destination of a result.
struct Delivery {
  const SectionCore* section;
  const EntryInfo* entry;
  bool tagged;
  Lane lane;
};

namespace detail {
const SectionCore* section_of_one(const Location& location);

template <auto Member, class Target>
Delivery delivery(const Target& target, bool tagged, Lane lane) {
  using Entry = EntryOf<Member>;
  static_assert(Entry::takes_message, "a reduction is delivered to an entry that takes a message");
  if constexpr (requires { target.location(); }) {
    return {section_of_one(*target.location()), &Entry::info, tagged, lane};
  } else if constexpr (requires { target.everyone(); }) {
    return {target.everyone().core(), &Entry::info, tagged, lane};
  } else {
    return {target.core(), &Entry::info, tagged, lane};
  }
}
}  // namespace detail

/// Delivers to an entry of an element, or of all elements of an array or section.
template <auto Member, class Target>
Delivery deliver_to(const Target& target, Lane lane = Lane::normal) {
  return detail::delivery<Member>(target, false, lane);
}
/// The same, tagged with the step, for a coroutine that awaits it.
template <auto Member, class Target>
Delivery deliver_at(const Target& target, Lane lane = Lane::normal) {
  return detail::delivery<Member>(target, true, lane);
}

/// The interface of a reduction for the network.
class ReductionTree {
 public:
  virtual ~ReductionTree() = default;
  /// Takes a vector from another process: input number `place` of a level.
  virtual void receive(int level, int place, std::int64_t step, Ref<const Message> values) = 0;
};

/// T is std::int64_t (fixed point, sums exact) or double.
template <class T>
class ReductionCore final : public ReductionTree {
 public:
  ReductionCore(const SectionCore& members, std::size_t width, const Delivery& delivery,
                Combine combine);
  ~ReductionCore() override;
  void set_id(int id) noexcept { id_ = id; }
  void contribute(const ChareBase& chare, std::int64_t step, std::span<const T> values);

 private:
  void receive(int level, int place, std::int64_t step, Ref<const Message> values) override;

  static constexpr std::size_t fan_in = 8;
  struct Level {
    std::size_t inputs;         // incoming vectors
    std::size_t nodes;          // outgoing vectors
    std::size_t first_value;    // of the inputs in Instance::values
    std::size_t first_counter;  // of the nodes in Instance::missing
  };
  struct Instance;

  /// The process that combines a node, given by its level and place.
  int owner(std::size_t level, std::size_t node) const;
  void put(std::int64_t step, std::size_t level, std::size_t place, std::span<const T> values);
  void send(int process, std::int64_t step, std::size_t level, std::size_t place,
            std::span<const T> values) const;
  Instance& instance(std::int64_t step);
  void reset_node(Instance& instance, const Level& level, std::size_t node) const noexcept;
  void combine_node(Instance& instance, std::size_t level, std::size_t node) const noexcept;
  Ref<ReductionMessage<T>> message_of(std::int64_t step, std::span<const T> values) const;
  void node_done(Instance& instance);

  const SectionCore& members_;
  const std::size_t width_;
  const Delivery delivery_;
  const Combine combine_;
  int id_ = 0;
  int process_ = 0;
  std::vector<int> rank_of_;     // ordinal in the array -> place among the members, or -1
  std::vector<int> process_of_;  // place -> process; empty with one process
  std::vector<Level> levels_;
  std::size_t value_count_ = 0;
  std::size_t counter_count_ = 0;
  int own_nodes_ = 0;  // nodes that this process combines
  std::mutex mutex_;
  std::vector<std::unique_ptr<Instance>> active_;
  std::vector<std::unique_ptr<Instance>> spare_;
};

namespace detail {
template <class T>
ReductionCore<T>* make_reduction(const SectionCore* members, std::size_t width,
                                 const Delivery& delivery, Combine combine);
}  // namespace detail

/// The handle, made once and copied into the chares that contribute.
template <class T>
class Reduction {
 public:
  Reduction() = default;
  /// `members`: an Array or a Section.
  template <class Members>
  Reduction(const Members& members, std::size_t width, const Delivery& delivery,
            Combine combine = Combine::sum) {
    if constexpr (requires { members.everyone(); }) {
      core_ = detail::make_reduction<T>(members.everyone().core(), width, delivery, combine);
    } else {
      core_ = detail::make_reduction<T>(members.core(), width, delivery, combine);
    }
  }

  /// Call it once per member and step; `values` has the reduction's width.
  void contribute(const ChareBase& chare, std::int64_t step, std::span<const T> values) const {
    core_->contribute(chare, step, values);
  }
  void contribute(const ChareBase& chare, std::int64_t step,
                  std::initializer_list<T> values) const {
    core_->contribute(chare, step, {values.begin(), values.size()});
  }

 private:
  ReductionCore<T>* core_ = nullptr;
};

}  // namespace fg
