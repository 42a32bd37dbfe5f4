// SPDX-License-Identifier: BSD-3-Clause
//
// How the numbers of a rank lie in a user's array.
#pragma once

#include <cstddef>

#include "fft/layout.hpp"

namespace fg::fft {

/// Field b of a batch begins b * distance elements after the first.
struct Storage {
  Layout layout;
  std::size_t distance = 0;

  friend bool operator==(const Storage&, const Storage&) noexcept = default;
};

/// Without gaps.
inline Storage dense_storage(const GridBox& box) noexcept {
  return {dense(box), box.empty() ? 0 : box.volume()};
}

/// The elements from the first to the last of all fields; 0 for an empty box.
inline std::size_t extent_of(const Storage& storage, int batch) noexcept {
  const std::size_t one = storage.layout.extent();
  return one == 0 ? 0 : one + static_cast<std::size_t>(batch - 1) * storage.distance;
}

/// Throws InputError unless this is the box of the plan. Numbers of all fields must lie at
/// different places, within reach of an int. `name` is for the message: "points", "waves".
void require_storage(const Storage& storage, const GridBox& box, int batch, const char* name);

/// Throws InputError unless a plan for `ranks` has this rank, and the batch has a field.
void require_rank_and_batch(int rank, int ranks, int batch);

}  // namespace fg::fft
