// SPDX-License-Identifier: BSD-3-Clause
//
// Where the rows of one rank are. For each line that crosses its box there are the numbers of its
// z, parcel after parcel. The first parcel is that of the rank's own lines. Parcels of other ranks
// follow in the order of their distance in a ring. A parcel begins with a cache line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fft/sphere/slab_turns.hpp"
#include "fft/sphere/sphere_plan.hpp"

namespace fg::fft {

/// The turns of a rank's rows, of numbers of `bytes` bytes. Where transforms end in points, one.
SlabTurns turns_of(const SpherePlan& plan, int rank, SphereEnd end, std::size_t bytes);

/// Whether a rank's box has points of the line.
bool crosses(const SpherePlan& plan, const SphereLine& line, int rank);

class ColumnRows {
 public:
  /// Places are in complex numbers.
  struct Row {
    std::int32_t place = -1;  // of its first turn, or -1 if it is not there
    std::int32_t apart = 0;   // from turn to turn
  };
  struct Parcel {
    int rank;
    std::size_t first, count;  // in bytes
  };

  /// Throws InputError if the rows are too many for 32-bit places.
  ColumnRows(const SpherePlan& plan, int rank, int fields, SphereEnd end, std::size_t bytes);

  const SlabTurns& turns() const noexcept { return turns_; }
  /// For each plane of x of the box, the rows of each y.
  const std::vector<std::vector<Row>>& rows() const noexcept { return rows_; }
  /// The parcels that are not empty.
  const std::vector<Parcel>& parcels() const noexcept { return parcels_; }
  /// The bytes of all rows.
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  SlabTurns turns_;
  std::vector<std::vector<Row>> rows_;
  std::vector<Parcel> parcels_;
  std::size_t bytes_ = 0;
};

}  // namespace fg::fft
