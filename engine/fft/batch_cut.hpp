// SPDX-License-Identifier: BSD-3-Clause
//
// A batch of transforms over processes goes as groups of fields. So the numbers of a group stay in
// the cache between its passes, and buffers are those of a few groups. Some groups are under way at
// the same time, each at a place of its own. While the parcels of one travel, another is computed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fft/plan.hpp"

namespace fg::fft {

/// The groups of one place, one after the other: `fields` from `first`, `first + step`, ... before
/// `end` on.
struct BatchTurns {
  int fields;
  int first, step, end;

  friend bool operator==(const BatchTurns&, const BatchTurns&) noexcept = default;
};

/// The same on all ranks. `number`: the bytes of a point. `one_at_a_time`: only one group may be
/// under way, as only one collective call of a communicator may.
inline std::vector<BatchTurns> turns_of(const TransformPlan& plan, int batch, std::size_t number,
                                        bool one_at_a_time) {
  constexpr std::size_t room = 1 << 18;  // in a cache that also holds the parcels
  constexpr int most_places = 2;
  const std::size_t bytes =
      whole(plan.boxes().grid).volume() * number / static_cast<std::size_t>(plan.ranks());
  const std::size_t fit = room / std::max<std::size_t>(bytes, 1);
  int together = static_cast<int>(std::clamp<std::size_t>(fit, 1, static_cast<std::size_t>(batch)));
  // What is left over would need a place of its own.
  while (one_at_a_time && batch % together != 0) --together;
  const int places = one_at_a_time ? 1 : std::min(most_places, batch / together);
  const int rest = batch % together;
  std::vector<BatchTurns> turns;
  turns.reserve(static_cast<std::size_t>(places) + 1);
  for (int place = 0; place < places; ++place)
    turns.push_back({together, place * together, places * together, batch - rest});
  if (rest > 0) turns.push_back({rest, batch - rest, rest, batch});
  return turns;
}

}  // namespace fg::fft
