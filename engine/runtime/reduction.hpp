// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions. Every member of a section contributes a vector for a step. When the last one has
// arrived, the result is delivered as a message. Vectors are combined along a tree
// (reduction_tree.hpp). The tree of doubles is in the order of member indices and depends only on
// their number. So sums have the same bits for any PEs, map or order of arrival. Fixed-point
// numbers are first combined in each process. Several steps may be in progress.
//
// Inside a process the tree is in shared memory. The thread that completes a node combines it and
// continues with the node above. Vectors from other processes arrive as packets. A process has
// memory only for nodes that it combines, and only from the first vector until the last one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtime/entry.hpp"
#include "runtime/section.hpp"
#include "runtime/trees/reduction_tree.hpp"

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
class RemoteInputs {
 public:
  virtual ~RemoteInputs() = default;
  /// Takes a vector from another process for a node of this one.
  virtual void receive(int node, int place, std::int64_t step, Ref<const Message> values) = 0;
  /// Whether elements of the array contribute or get the result.
  virtual bool concerns(const ArrayCore& array) const noexcept = 0;
};

/// T is std::int64_t (fixed point, sums exact) or double.
template <class T>
class ReductionCore final : public RemoteInputs {
 public:
  ReductionCore(const SectionCore& members, std::size_t width, const Delivery& delivery,
                Combine combine);
  ~ReductionCore() override;
  void set_id(int id) noexcept { id_ = id; }
  void contribute(const ChareBase& chare, std::int64_t step, std::span<const T> values);

 private:
  void receive(int node, int place, std::int64_t step, Ref<const Message> values) override;
  bool concerns(const ArrayCore& array) const noexcept override {
    return members_.array == &array || delivery_.section->array == &array;
  }

  struct Instance;
  struct Gathering;

  void put(std::int64_t step, int node, int place, std::span<const T> values);
  void send(int process, std::int64_t step, int node, int place, Ref<const Message> values) const;
  Instance& instance(std::int64_t step);
  T* inputs_of(Gathering& gathering, int node) const;
  std::string sender(int node, int place) const;
  std::size_t rank_of(int ordinal) const;
  void combine_node(const T* inputs, int count, T* result) const noexcept;
  Ref<ReductionMessage<T>> message_of(std::int64_t step) const;
  void node_done(Instance& instance);

  const SectionCore& members_;
  const std::size_t width_;
  const Delivery delivery_;
  const Combine combine_;
  int id_ = 0;
  int process_ = 0;
  ReductionTree tree_;
  std::vector<int> own_;  // node -> its number among those of this process, or -1
  int own_nodes_ = 0;
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
