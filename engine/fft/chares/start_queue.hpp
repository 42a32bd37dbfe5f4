// SPDX-License-Identifier: BSD-3-Clause
//
// The transforms that clients have started at one place of the window. They are taken up one after
// the other in the order of their numbers. The order in which they are started does not matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "fft/chares/transform_messages.hpp"

namespace fg::fft {

class StartQueue {
 public:
  StartQueue(int place, int window) : next_(place), window_(window) {}

  /// Throws InternalError if there was a transform of this number, or if the message has fewer
  /// bytes than `bytes`.
  void add(Ref<const FieldMessage> start, std::size_t bytes) {
    const auto refuse = [&](const char* what, std::int64_t value, std::int64_t limit,
                            const char* hint) {
      throw InternalError({.what = what,
                           .where = "transform " + std::to_string(start->number) + " of part " +
                                    std::to_string(start->part),
                           .value = std::to_string(value),
                           .limit = std::to_string(limit),
                           .hint = hint});
    };
    const bool twice = std::any_of(starts_.begin(), starts_.end(), [&](const auto& other) {
      return other->number == start->number;
    });
    if (start->number < next_ || twice)
      refuse("a transform was started twice", start->number, next_,
             "number the transforms of an array 0, 1, 2 and so on");
    if (start->trailing_bytes() < bytes)
      refuse("a transform was started with too few numbers",
             static_cast<std::int64_t>(start->trailing_bytes()), static_cast<std::int64_t>(bytes),
             "let the array of transforms make the message");
    starts_.push_back(std::move(start));
  }

  /// The next one, or null if it has not been started yet.
  Ref<const FieldMessage> take() {
    const auto next = std::find_if(starts_.begin(), starts_.end(),
                                   [&](const auto& start) { return start->number == next_; });
    if (next == starts_.end()) return {};
    Ref<const FieldMessage> taken = std::move(*next);
    starts_.erase(next);
    next_ += window_;
    return taken;
  }

  bool empty() const noexcept { return starts_.empty(); }
  /// The number of the transform to take up next; it is archived.
  std::int64_t& next() noexcept { return next_; }

 private:
  std::vector<Ref<const FieldMessage>> starts_;
  std::int64_t next_;
  int window_;
};

}  // namespace fg::fft
