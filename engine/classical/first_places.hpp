// SPDX-License-Identifier: BSD-3-Clause
//
// The first PE of each object of a classical run. Arrays with the map "cost" are placed together.
// They are one row, patch by patch in index order, each patch with its spreader, bonded and pair
// computes. It is cut into ranges of equal estimated work, after what the other arrays give each
// PE. So what a patch talks to is near it. Pencils, which are equal, are placed by number.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "classical/division/work_estimate.hpp"
#include "particles/patch_grid.hpp"
#include "processes/array_maps.hpp"
#include "records/job/job.hpp"

namespace fg::classical {

class FirstPlaces {
 public:
  /// Called by all processes with the same arguments. `pes` are those of all processes.
  FirstPlaces(const WorkEstimate& work, const PatchGrid& grid, const JobSettings& settings,
              const ArrayMaps& maps, int pes);

  /// The work and the PEs of the elements of an array, in index order.
  struct Placed {
    std::string_view array;
    std::vector<ObjectWork> work;
    std::vector<int> pes;
  };
  const std::vector<Placed>& arrays() const noexcept { return arrays_; }
  const std::vector<int>& pes_of(std::string_view array) const;

  /// The largest estimated work of a PE over the average; 1 is perfect.
  double imbalance() const noexcept {
    return static_cast<double>(fullest_) * pes_ / static_cast<double>(whole_);
  }
  /// The estimated work of a step [ps], for the PE with the most of it and for all together.
  std::int64_t fullest() const noexcept { return fullest_; }
  std::int64_t whole() const noexcept { return whole_; }

 private:
  void place_in_a_row(std::size_t patches, const std::vector<std::int64_t>& already);

  std::vector<Placed> arrays_;
  int pes_;
  std::int64_t fullest_ = 0, whole_ = 0;
};

}  // namespace fg::classical
