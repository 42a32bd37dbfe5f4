// SPDX-License-Identifier: BSD-3-Clause
//
// A first-in first-out queue for one thread. It grows and never shrinks, so in a steady state it
// allocates no memory.
#pragma once

#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace fg {

template <class T>
class Ring {
 public:
  bool empty() const noexcept { return head_ == tail_; }
  std::size_t size() const noexcept { return tail_ - head_; }

  T& front() noexcept { return items_[head_ & mask()]; }
  /// Element i, counted from the front.
  T& operator[](std::size_t i) noexcept { return items_[(head_ + i) & mask()]; }

  T& push(T item) {
    if (size() == items_.size()) grow();
    T& slot = items_[tail_++ & mask()];
    slot = std::move(item);
    return slot;
  }
  T pop() {
    T item = std::move(front());
    ++head_;
    return item;
  }

 private:
  std::size_t mask() const noexcept { return items_.size() - 1; }
  void grow() {
    std::vector<T> larger(items_.empty() ? 16 : 2 * items_.size());
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) larger[i] = std::move((*this)[i]);
    items_ = std::move(larger);
    head_ = 0;
    tail_ = count;
  }

  std::vector<T> items_;  // the size is a power of two
  std::size_t head_ = 0, tail_ = 0;
};

}  // namespace fg
