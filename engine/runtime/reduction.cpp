// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/reduction.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <type_traits>
#include <utility>

#include "runtime/array.hpp"
#include "runtime/runtime.hpp"

namespace fg {

namespace {

template <class T>
void combine(Combine how, const T* next, std::size_t width, T* result) noexcept {
  if (how == Combine::sum)
    for (std::size_t k = 0; k < width; ++k) result[k] += next[k];
  else if (how == Combine::min)
    for (std::size_t k = 0; k < width; ++k) result[k] = std::min(result[k], next[k]);
  else
    for (std::size_t k = 0; k < width; ++k) result[k] = std::max(result[k], next[k]);
}

/// Two vectors in one of them; either may be empty.
template <class T>
Ref<ReductionMessage<T>> joined(Combine how, Ref<ReductionMessage<T>> one,
                                Ref<ReductionMessage<T>> other) {
  if (!one) return other;
  if (other)
    combine(how, other->template trailing<T>(), other->values().size(),
            one->template trailing<T>());
  return one;
}

}  // namespace

/// The vectors that have arrived at a node. Vectors of doubles are kept until all are there. Fixed
/// point has the same sum in any order, so its vectors are added to a sum when they come. No vector
/// is copied, and there are only as many sums as threads that add at the same time.
template <class T>
struct alignas(64) ReductionCore<T>::Gathering {
  std::atomic<Message*> buffer{nullptr};  // trailing: T [input][width]; from the first vector on
  std::atomic<int> missing{0};
  std::array<std::uint8_t, ReductionTree::fan_in> contributed{};  // each written by one member
  std::mutex mutex;
  std::vector<Ref<ReductionMessage<T>>> sums;  // of fixed point, that no thread works on

  /// One of the sums; empty if there is none.
  Ref<ReductionMessage<T>> take_sum() {
    const std::lock_guard lock(mutex);
    if (sums.empty()) return {};
    Ref<ReductionMessage<T>> sum = std::move(sums.back());
    sums.pop_back();
    return sum;
  }
  void put_sum(Ref<ReductionMessage<T>> sum) {
    const std::lock_guard lock(mutex);
    sums.push_back(std::move(sum));
  }
};

/// The contributions of one step.
template <class T>
struct ReductionCore<T>::Instance {
  explicit Instance(std::size_t nodes) : gatherings(nodes) {}
  std::int64_t step = 0;
  std::vector<Gathering> gatherings;  // of the nodes of this process
  std::atomic<int> nodes_left{0};     // that are not yet combined
};

template <class T>
ReductionCore<T>::ReductionCore(const SectionCore& members, std::size_t width,
                                const Delivery& delivery, Combine combine)
    : members_(members), width_(width), delivery_(delivery), combine_(combine) {
  FG_CHECK(!members.members.empty());
  const Runtime& runtime = *members.array->runtime;
  process_ = runtime.process();
  std::vector<int> process_of_member;
  process_of_member.reserve(members.members.size());
  for (const int member : members.members)
    process_of_member.push_back(
        runtime.process_of(members.array->locations[static_cast<std::size_t>(member)].pe));
  tree_ = std::is_integral_v<T> ? ReductionTree::local_first(process_of_member, runtime.hosts())
                                : ReductionTree::in_order(process_of_member, runtime.hosts());
  for (const ReductionTree::Node& node : tree_.nodes)
    own_.push_back(node.process == process_ ? own_nodes_++ : -1);
}

template <class T>
ReductionCore<T>::~ReductionCore() {
  // A run that ends by an error leaves vectors of nodes that are not complete.
  for (const auto& all : {&active_, &spare_})
    for (const auto& one : *all)
      for (Gathering& gathering : one->gatherings)
        if (Message* const buffer = gathering.buffer.load(std::memory_order_relaxed))
          (void)Ref<Message>::adopt(buffer);
}

template <class T>
auto ReductionCore<T>::instance(std::int64_t step) -> Instance& {
  const std::lock_guard lock(mutex_);
  for (const auto& active : active_)
    if (active->step == step) return *active;
  if (spare_.empty()) {
    auto fresh = std::make_unique<Instance>(static_cast<std::size_t>(own_nodes_));
    for (std::size_t node = 0; node < own_.size(); ++node)
      if (own_[node] >= 0) {
        Gathering& gathering = fresh->gatherings[static_cast<std::size_t>(own_[node])];
        gathering.missing = tree_.nodes[node].inputs;
        gathering.sums.reserve(ReductionTree::fan_in);
      }
    fresh->nodes_left = own_nodes_;
    spare_.push_back(std::move(fresh));
  }
  active_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  active_.back()->step = step;
  return *active_.back();
}

/// Where the vectors of a node go. The first to arrive takes the memory.
template <class T>
T* ReductionCore<T>::inputs_of(Gathering& gathering, int node) const {
  if (Message* const buffer = gathering.buffer.load(std::memory_order_acquire))
    return buffer->trailing<T>();
  const auto inputs = static_cast<std::size_t>(tree_.nodes[static_cast<std::size_t>(node)].inputs);
  Ref<ReductionMessage<T>> fresh = make_message<ReductionMessage<T>>(inputs * width_ * sizeof(T));
  Message* expected = nullptr;
  if (!gathering.buffer.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel))
    return expected->trailing<T>();
  return fresh.detach()->template trailing<T>();
}

template <class T>
void ReductionCore<T>::combine_node(const T* inputs, int count, T* result) const noexcept {
  std::copy_n(inputs, width_, result);
  for (int i = 1; i < count; ++i)
    combine(combine_, inputs + static_cast<std::size_t>(i) * width_, width_, result);
}

/// The number of the member with this ordinal. A table by ordinal would take memory in each process
/// for each reduction and each element of the array.
template <class T>
std::size_t ReductionCore<T>::rank_of(int ordinal) const {
  const std::vector<int>& all = members_.members;
  const auto same = static_cast<std::size_t>(ordinal);
  if (same < all.size() && all[same] == ordinal) return same;  // as in a section of all elements
  const auto found = std::lower_bound(all.begin(), all.end(), ordinal);
  FG_CHECK(found != all.end() && *found == ordinal);
  return static_cast<std::size_t>(found - all.begin());
}

template <class T>
void ReductionCore<T>::contribute(const ChareBase& chare, std::int64_t step,
                                  std::span<const T> values) {
  FG_CHECK(values.size() == width_);
  FG_CHECK(chare.array_core() == members_.array);
  const ReductionTree::Leaf& leaf = tree_.leaves[rank_of(chare.ordinal())];
  const int there = tree_.nodes[static_cast<std::size_t>(leaf.node)].process;
  if (there != process_) {
    Ref<ReductionMessage<T>> message = message_of(step);
    std::copy(values.begin(), values.end(), message->template trailing<T>());
    return send(there, step, leaf.node, leaf.place, std::move(message));
  }
  put(step, leaf.node, leaf.place, values);
}

template <class T>
void ReductionCore<T>::receive(int node, int place, std::int64_t step, Ref<const Message> values) {
  put(step, node, place, static_cast<const ReductionMessage<T>&>(*values).values());
}

/// Who sends this input of a node, for messages to the user.
template <class T>
std::string ReductionCore<T>::sender(int node, int place) const {
  for (std::size_t member = 0; member < tree_.leaves.size(); ++member)
    if (tree_.leaves[member].node == node && tree_.leaves[member].place == place)
      return members_.array->element_name(members_.members[member]);
  return "another process";
}

/// A vector for a node of this process.
template <class T>
void ReductionCore<T>::put(std::int64_t step, int node, int place, std::span<const T> values) {
  Instance& in = instance(step);
  const auto gathering_of = [&](int of) -> Gathering& {
    return in.gatherings[static_cast<std::size_t>(own_[static_cast<std::size_t>(of)])];
  };
  Gathering& first = gathering_of(node);
  if (std::exchange(first.contributed[static_cast<std::size_t>(place)], std::uint8_t{1}) != 0)
    throw InternalError({.what = "a chare contributed twice to one reduction",
                         .where = sender(node, place),
                         .value = "step " + std::to_string(step)});
  if constexpr (std::is_integral_v<T>) {
    Ref<ReductionMessage<T>> sum = first.take_sum();
    if (sum) {
      combine(combine_, values.data(), width_, sum->template trailing<T>());
    } else {
      sum = message_of(step);
      std::copy(values.begin(), values.end(), sum->template trailing<T>());
    }
    first.put_sum(std::move(sum));
  } else {
    std::copy(values.begin(), values.end(),
              inputs_of(first, node) + static_cast<std::size_t>(place) * width_);
  }
  for (;;) {
    Gathering& gathering = gathering_of(node);
    const ReductionTree::Node& shape = tree_.nodes[static_cast<std::size_t>(node)];
    // Acquire and release: the last thread to arrive reads what all others wrote.
    if (gathering.missing.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const bool last = shape.parent < 0;
    const int above = last ? process_ : tree_.nodes[static_cast<std::size_t>(shape.parent)].process;
    const bool stays = !last && above == process_;
    Ref<ReductionMessage<T>> message;
    if constexpr (std::is_integral_v<T>) {
      Ref<ReductionMessage<T>> sum;
      while (auto one = gathering.take_sum())
        sum = joined(combine_, std::move(sum), std::move(one));
      if (stays) {
        Gathering& next = gathering_of(shape.parent);
        next.put_sum(joined(combine_, std::move(sum), next.take_sum()));
      } else {
        message = std::move(sum);
      }
    } else {
      const Ref<Message> buffer =
          Ref<Message>::adopt(gathering.buffer.exchange(nullptr, std::memory_order_acq_rel));
      T* to = nullptr;
      if (stays) {
        to = inputs_of(gathering_of(shape.parent), shape.parent) +
             static_cast<std::size_t>(shape.place) * width_;
      } else {
        message = message_of(step);
        to = message->template trailing<T>();
      }
      combine_node(buffer->trailing<T>(), shape.inputs, to);
    }
    gathering.missing.store(shape.inputs, std::memory_order_relaxed);
    node_done(in);
    if (stays) {
      node = shape.parent;
      continue;
    }
    if (!last) return send(above, step, shape.parent, shape.place, std::move(message));
    const std::int64_t tag = delivery_.tagged ? step : no_step;
    return detail::multicast(*delivery_.section, delivery_.lane, *delivery_.entry, tag,
                             reinterpret_cast<std::uintptr_t>(message.detach()));
  }
}

template <class T>
void ReductionCore<T>::send(int process, std::int64_t step, int node, int place,
                            Ref<const Message> values) const {
  members_.array->runtime->network()->contribute(process, id_, node, place, step,
                                                 std::move(values));
}

template <class T>
Ref<ReductionMessage<T>> ReductionCore<T>::message_of(std::int64_t step) const {
  Ref<ReductionMessage<T>> message = make_message<ReductionMessage<T>>(width_ * sizeof(T));
  message->step = step;
  message->width = static_cast<std::int64_t>(width_);
  return message;
}

/// After its last node an instance is used again for another step.
template <class T>
void ReductionCore<T>::node_done(Instance& done) {
  if (done.nodes_left.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  done.nodes_left.store(own_nodes_, std::memory_order_relaxed);
  for (Gathering& gathering : done.gatherings) gathering.contributed.fill(0);
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(active_.begin(), active_.end(),
                                  [&](const auto& active) { return active.get() == &done; });
  spare_.push_back(std::move(*found));
  active_.erase(found);
}

namespace detail {

const SectionCore* section_of_one(const Location& location) {
  return make_section(location.array, {location.ordinal});
}

template <class T>
ReductionCore<T>* make_reduction(const SectionCore* members, std::size_t width,
                                 const Delivery& delivery, Combine combine) {
  auto core = std::make_unique<ReductionCore<T>>(*members, width, delivery, combine);
  ReductionCore<T>* const raw = core.get();
  raw->set_id(members->array->runtime->keep_reduction(std::move(core)));
  return raw;
}
template ReductionCore<std::int64_t>* make_reduction(const SectionCore*, std::size_t,
                                                     const Delivery&, Combine);
template ReductionCore<double>* make_reduction(const SectionCore*, std::size_t, const Delivery&,
                                               Combine);

}  // namespace detail

template class ReductionCore<std::int64_t>;
template class ReductionCore<double>;

}  // namespace fg
