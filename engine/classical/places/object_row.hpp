// SPDX-License-Identifier: BSD-3-Clause
//
// Objects in a row, patch by patch, which is cut into ranges of equal work for PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classical/division/work_estimate.hpp"

namespace fg::classical {

class ObjectRow {
 public:
  explicit ObjectRow(int patches) : at_patch_(static_cast<std::size_t>(patches)) {}

  /// Adds an array. `pes` gets the place of each object; `patches` says at which patch it is in the
  /// row. All must outlive the row, except `patches`.
  void add(std::span<const ObjectWork> work, std::span<int> pes, std::span<const int> patches);

  /// The work at each patch [ps].
  std::vector<std::int64_t> loads() const;
  /// Places all objects on `pes`, which are neighbours in this order, with patches in the order
  /// `order`. `already`: what each PE has to do besides [ps], by number; the row is added to it.
  void place(std::span<const int> order, std::span<const int> pes,
             std::vector<std::int64_t>& already) const;

 private:
  struct Object {
    std::int64_t work;
    int* pe;
  };
  std::vector<std::vector<Object>> at_patch_;
};

}  // namespace fg::classical
