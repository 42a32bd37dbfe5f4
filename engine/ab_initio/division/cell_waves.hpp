// SPDX-License-Identifier: BSD-3-Clause
//
// The waves of a part as an object has them while the cell changes. The indices stay the same.
// Lengths and directions are those in the cell of the last order. Objects that share waves at the
// start of a job have their own from then on. So no object writes what another one reads.
#pragma once

#include <optional>
#include <utility>

#include "electrons/waves/plane_waves.hpp"

namespace fg::ab_initio {

class CellWaves {
 public:
  /// The waves of the start, which must outlive it.
  explicit CellWaves(const electrons::PlaneWaves& start) noexcept : start_(&start) {}
  /// The waves of one object.
  explicit CellWaves(electrons::PlaneWaves&& own) noexcept : moved_(std::move(own)) {}

  const electrons::PlaneWaves& now() const noexcept { return moved_ ? *moved_ : *start_; }

  /// Whether the cell is another one than before; then what was found from the waves has to be
  /// found again. Throws InputError if the vectors of the cell lie in a plane.
  bool follow(const electrons::Lattice& cell) {
    if (cell == now().lattice()) return false;
    moved_.emplace(now().in_cell(cell));
    return true;
  }

 private:
  const electrons::PlaneWaves* start_ = nullptr;
  std::optional<electrons::PlaneWaves> moved_;
};

}  // namespace fg::ab_initio
