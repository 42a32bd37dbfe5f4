// SPDX-License-Identifier: BSD-3-Clause
//
// The first PE of each object of a classical run. Arrays with the map "cost" are placed together.
// They are one row, patch by patch, each patch with its spreader, bonded and pair computes. The row
// is cut into ranges of equal estimated work, after what the other arrays give each PE. So the
// objects to which a patch sends data are near it. The PEs of a process, and the processes of a
// host, are neighbours in the row. In one process patches are in index order. With several
// processes, other orders of patches are tried too. The order with the fewest positions and charges
// that go to other processes is taken.
//
// Midpoint cells are a row of their own, in the order of their home patches, which is cut first. So
// each PE has about as many, and the smaller objects fill what is left.
//
// With a map that gives the mesh PEs of its own (mesh_places.hpp), pencils and spreaders are on
// these. The row, without spreaders, is cut as before, or leaves these PEs out.
//
// Pencils have equal work, and are spread over all PEs by number. With several processes, pencils
// along z then change places with each other. So each is near the patches whose charges it gets.
// Pencils along y and x with the same z are together (Phillips et al., SC14, section V).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "classical/division/work_estimate.hpp"
#include "classical/places/mesh_places.hpp"
#include "particles/assignment/pair_division.hpp"
#include "particles/patch_grid.hpp"
#include "processes/array_maps.hpp"
#include "records/job/job.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::classical {

inline constexpr std::string_view patches_array = "patches";

/// The arrays of a classical run that have a map.
std::span<const std::string_view> names_of_arrays() noexcept;

class FirstPlaces {
 public:
  /// Called by all processes with the same arguments.
  FirstPlaces(const WorkEstimate& work, const PatchGrid& grid, const PairDivision& pairs,
              const JobSettings& settings, const ArrayMaps& maps, const topology::PeLayout& layout);

  /// The work and the PEs of the elements of an array, in index order.
  struct Placed {
    std::string_view array;
    std::vector<ObjectWork> work;
    std::vector<int> pes;
  };
  const std::vector<Placed>& arrays() const noexcept { return arrays_; }
  /// Whether there is such an array; pencils are missing without a mesh.
  bool has(std::string_view array) const noexcept;
  const std::vector<int>& pes_of(std::string_view array) const;

  /// The largest estimated work of a PE over the average; 1 is perfect.
  double imbalance() const noexcept {
    return static_cast<double>(fullest_) * pes_ / static_cast<double>(whole_);
  }
  /// The estimated work of a step [ps], for the PE with the most of it and for all together.
  std::int64_t fullest() const noexcept { return fullest_; }
  std::int64_t whole() const noexcept { return whole_; }

 private:
  using Sums = std::vector<std::int64_t>;
  /// Whether its map is that of all arrays, which places objects by their work.
  bool by_cost(std::string_view array, const ArrayMaps& maps) const;
  Sums sums_of_pes() const;
  void place_in_a_row(const PatchGrid& grid, const PairDivision& pairs, const JobSettings& settings,
                      const ArrayMaps& maps, const topology::PeLayout& layout);
  /// Positions and charges to other processes, in as many steps as a round of the mesh has.
  std::int64_t sends_of_rounds(const PatchGrid& grid, const PairDivision& pairs,
                               const JobSettings& settings, const topology::PeLayout& layout) const;

  std::vector<Placed> arrays_;
  int pes_;
  std::optional<MeshPlaces> mesh_;
  std::int64_t fullest_ = 0, whole_ = 0;
};

}  // namespace fg::classical
