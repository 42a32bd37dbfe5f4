// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/threads/lanes.hpp"

#include <utility>

namespace fg {

void EnvelopeRing::grow() {
  const std::size_t capacity = mask_ + 1;
  auto larger = std::make_unique_for_overwrite<Envelope[]>(2 * capacity);
  const std::size_t held = size();
  for (std::size_t i = 0; i < held; ++i) larger[i] = items_[(head_ + i) & mask_];
  items_ = std::move(larger);
  mask_ = 2 * capacity - 1;
  head_ = 0;
  tail_ = held;
}

}  // namespace fg
