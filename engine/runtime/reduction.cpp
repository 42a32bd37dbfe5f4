// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/reduction.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "runtime/array.hpp"
#include "runtime/runtime.hpp"

namespace fg {

/// The contributions of one step.
template <class T>
struct ReductionCore<T>::Instance {
  std::int64_t step = 0;
  std::unique_ptr<T[]> values;                  // [level][input][width]
  std::unique_ptr<std::atomic<int>[]> missing;  // [level][node]
  std::unique_ptr<std::uint8_t[]> contributed;  // [member], each element written by its member
  std::atomic<int> nodes_left{0};               // nodes of this process that are not yet combined
};

template <class T>
ReductionCore<T>::ReductionCore(const SectionCore& members, std::size_t width,
                                const Delivery& delivery, Combine combine)
    : members_(members), width_(width), delivery_(delivery), combine_(combine) {
  FG_CHECK(!members.members.empty());
  rank_of_.assign(members.array->locations.size(), -1);
  for (std::size_t i = 0; i < members.members.size(); ++i)
    rank_of_[static_cast<std::size_t>(members.members[i])] = static_cast<int>(i);
  std::size_t inputs = members.members.size();
  do {
    const std::size_t nodes = (inputs + fan_in - 1) / fan_in;
    levels_.push_back({inputs, nodes, value_count_, counter_count_});
    value_count_ += inputs * width;
    counter_count_ += nodes;
    inputs = nodes;
  } while (inputs > 1);
  value_count_ += width;  // the result
  const Runtime& runtime = *members.array->runtime;
  process_ = runtime.process();
  if (runtime.processes() > 1)
    for (int member : members.members)
      process_of_.push_back(
          runtime.process_of(members.array->locations[static_cast<std::size_t>(member)].pe));
  for (std::size_t l = 0; l < levels_.size(); ++l)
    for (std::size_t node = 0; node < levels_[l].nodes; ++node)
      own_nodes_ += owner(l, node) == process_ ? 1 : 0;
}

template <class T>
ReductionCore<T>::~ReductionCore() = default;

template <class T>
auto ReductionCore<T>::instance(std::int64_t step) -> Instance& {
  const std::lock_guard lock(mutex_);
  for (const auto& active : active_)
    if (active->step == step) return *active;
  if (spare_.empty()) {
    auto fresh = std::make_unique<Instance>();
    fresh->values = std::make_unique<T[]>(value_count_);
    fresh->missing = std::make_unique<std::atomic<int>[]>(counter_count_);
    fresh->contributed = std::make_unique<std::uint8_t[]>(members_.members.size());
    for (const Level& level : levels_)
      for (std::size_t node = 0; node < level.nodes; ++node) reset_node(*fresh, level, node);
    fresh->nodes_left = own_nodes_;
    spare_.push_back(std::move(fresh));
  }
  active_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  active_.back()->step = step;
  return *active_.back();
}

template <class T>
void ReductionCore<T>::reset_node(Instance& instance, const Level& level,
                                  std::size_t node) const noexcept {
  const std::size_t inputs = std::min(fan_in, level.inputs - node * fan_in);
  instance.missing[level.first_counter + node].store(static_cast<int>(inputs),
                                                     std::memory_order_relaxed);
}

template <class T>
void ReductionCore<T>::combine_node(Instance& instance, std::size_t l,
                                    std::size_t node) const noexcept {
  const Level& level = levels_[l];
  const std::size_t inputs = std::min(fan_in, level.inputs - node * fan_in);
  const T* in = &instance.values[level.first_value + node * fan_in * width_];
  T* out = &instance.values[level.first_value + (level.inputs + node) * width_];
  std::copy_n(in, width_, out);
  for (std::size_t i = 1; i < inputs; ++i) {
    const T* next = in + i * width_;
    for (std::size_t k = 0; k < width_; ++k) {
      if (combine_ == Combine::sum) {
        out[k] += next[k];
      } else if (combine_ == Combine::min) {
        out[k] = std::min(out[k], next[k]);
      } else {
        out[k] = std::max(out[k], next[k]);
      }
    }
  }
}

template <class T>
void ReductionCore<T>::contribute(const ChareBase& chare, std::int64_t step,
                                  std::span<const T> values) {
  FG_CHECK(values.size() == width_);
  FG_CHECK(chare.array_core() == members_.array);
  const int rank = rank_of_[static_cast<std::size_t>(chare.ordinal())];
  FG_CHECK(rank >= 0);
  put(step, 0, static_cast<std::size_t>(rank), values);
}

template <class T>
void ReductionCore<T>::receive(int level, int place, std::int64_t step, Ref<const Message> values) {
  put(step, static_cast<std::size_t>(level), static_cast<std::size_t>(place),
      static_cast<const ReductionMessage<T>&>(*values).values());
}

template <class T>
int ReductionCore<T>::owner(std::size_t level, std::size_t node) const {
  if (process_of_.empty()) return process_;
  for (std::size_t l = 0; l <= level; ++l) node *= fan_in;  // its first member
  return process_of_[node];
}

template <class T>
void ReductionCore<T>::put(std::int64_t step, std::size_t level, std::size_t place,
                           std::span<const T> values) {
  if (const int there = owner(level, place / fan_in); there != process_)
    return send(there, step, level, place, values);
  Instance& in = instance(step);
  if (level == 0 && std::exchange(in.contributed[place], std::uint8_t{1}) != 0)
    throw InternalError({.what = "a chare contributed twice to one reduction",
                         .where = members_.array->element_name(members_.members[place]),
                         .value = "step " + std::to_string(step)});
  std::copy(values.begin(), values.end(), &in.values[levels_[level].first_value + place * width_]);
  for (std::size_t l = level;; ++l) {
    const std::size_t node = place / fan_in;
    // Acquire and release: the last thread to arrive reads what all others wrote.
    if (in.missing[levels_[l].first_counter + node].fetch_sub(1, std::memory_order_acq_rel) != 1)
      return;
    combine_node(in, l, node);
    reset_node(in, levels_[l], node);
    const std::span<const T> result(
        &in.values[levels_[l].first_value + (levels_[l].inputs + node) * width_], width_);
    if (l + 1 == levels_.size()) {
      Ref<ReductionMessage<T>> message = message_of(step, result);
      node_done(in);
      const std::int64_t tag = delivery_.tagged ? step : no_step;
      detail::multicast(*delivery_.section, delivery_.lane, *delivery_.entry, tag,
                        reinterpret_cast<std::uintptr_t>(message.detach()));
      return;
    }
    if (const int above = owner(l + 1, node / fan_in); above != process_) {
      send(above, step, l + 1, node, result);
      node_done(in);
      return;
    }
    node_done(in);
    place = node;
  }
}

template <class T>
void ReductionCore<T>::send(int process, std::int64_t step, std::size_t level, std::size_t place,
                            std::span<const T> values) const {
  members_.array->runtime->network()->contribute(process, id_, static_cast<int>(level),
                                                 static_cast<int>(place), step,
                                                 message_of(step, values));
}

template <class T>
Ref<ReductionMessage<T>> ReductionCore<T>::message_of(std::int64_t step,
                                                      std::span<const T> values) const {
  Ref<ReductionMessage<T>> message = make_message<ReductionMessage<T>>(width_ * sizeof(T));
  message->step = step;
  message->width = static_cast<std::int64_t>(width_);
  std::copy(values.begin(), values.end(), message->template trailing<T>());
  return message;
}

/// After its last node an instance is used again for another step.
template <class T>
void ReductionCore<T>::node_done(Instance& done) {
  if (done.nodes_left.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  done.nodes_left.store(own_nodes_, std::memory_order_relaxed);
  std::fill_n(done.contributed.get(), members_.members.size(), std::uint8_t{0});
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
