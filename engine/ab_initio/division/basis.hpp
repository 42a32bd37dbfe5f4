// SPDX-License-Identifier: BSD-3-Clause
//
// The plane waves of a job and their division. Orbitals are divided into blocks. The waves and
// points of an orbital are divided into parts, and the waves and points of the density into smaller
// parts.
//
// A part of the points is a slab of planes of the grid along z. The slabs of the density divide the
// slabs of orbitals. They may also be cut along y into pieces, and each piece is then a part of its
// own.
//
// For products of orbitals the waves of a part are divided further, into chunks. All orbitals of a
// block have the same spin. The orbitals of spin up come first.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ab_initio/job/job.hpp"
#include "electrons/waves/plane_waves.hpp"
#include "fft/partition.hpp"
#include "fft/sphere/sphere_plan.hpp"

namespace fg::ab_initio {

class Basis {
 public:
  /// Throws InputError if the grid is too small for the cut-off, or a part has fewer waves than
  /// chunks.
  explicit Basis(const Job& job);

  int orbitals() const noexcept { return orbitals_; }
  int blocks() const noexcept { return static_cast<int>(blocks_.size()); }
  /// The orbitals of a block.
  fft::Range block(int s) const noexcept { return blocks_[static_cast<std::size_t>(s)]; }
  /// 1 without spin, and if all orbitals have spin up.
  int spins() const noexcept { return static_cast<int>(orbitals_of_spin_.size()); }
  /// 0 is spin up.
  const fft::Range& orbitals_of_spin(int spin) const noexcept {
    return orbitals_of_spin_[static_cast<std::size_t>(spin)];
  }
  const fft::Range& blocks_of_spin(int spin) const noexcept {
    return blocks_of_spin_[static_cast<std::size_t>(spin)];
  }
  int spin_of(int block) const noexcept { return blocks_of_spin_[0].contains(block) ? 0 : 1; }

  /// The groups of blocks with which a block has its overlaps, and the blocks of one.
  int pair_groups() const noexcept { return pair_groups_; }
  fft::Range group(int c) const noexcept { return fft::share(blocks(), pair_groups_, c); }
  int group_of(int block) const noexcept { return fft::owner(blocks(), pair_groups_, block); }

  /// Transforms of a block, of two real orbitals each; the last one of an odd number has one.
  int pairs(int s) const noexcept { return (block(s).size() + 1) / 2; }

  int parts() const noexcept { return static_cast<int>(waves_.size()); }
  /// Chunks of all parts, those of a part one after the other.
  int chunks() const noexcept { return parts() * chunks_in_part_; }
  int chunks_in_part() const noexcept { return chunks_in_part_; }
  int part_of_chunk(int chunk) const noexcept { return chunk / chunks_in_part_; }
  /// The waves of a chunk, counted in its part.
  fft::Range waves_of_chunk(int chunk) const noexcept {
    return fft::share(static_cast<int>(waves(part_of_chunk(chunk)).size()), chunks_in_part_,
                      chunk % chunks_in_part_);
  }
  /// Pieces of all slabs, those of a slab one after the other.
  int density_parts() const noexcept { return density_plan_->ranks(); }
  /// Pieces of a slab; a single one has whole planes.
  int plane_pieces() const noexcept { return plane_pieces_; }
  /// Parts of the density in each part of orbitals.
  int density_parts_in_part() const noexcept { return density_parts() / parts(); }

  const std::shared_ptr<const fft::SpherePlan>& orbital_plan() const noexcept { return plan_; }
  const std::shared_ptr<const fft::SpherePlan>& density_plan() const noexcept {
    return density_plan_;
  }
  /// The waves in the cell of the job, where objects begin (cell_waves.hpp).
  const electrons::PlaneWaves& waves(int part) const noexcept {
    return waves_[static_cast<std::size_t>(part)];
  }
  /// Made again by each call, so that a process has only those of its own parts.
  electrons::PlaneWaves density_waves(int part) const {
    return {start_cell_, density_plan_->indices_of(part)};
  }
  /// The points of a part.
  const fft::GridBox& points(int part) const noexcept {
    return plan_->points()[static_cast<std::size_t>(part)];
  }
  const fft::GridBox& density_points(int part) const noexcept {
    return density_plan_->points()[static_cast<std::size_t>(part)];
  }

  /// The volume of the cell in which the waves were chosen. It does not change with the cell, so
  /// sums of the density in this volume are those of the coefficients alone.
  double wave_volume() const noexcept { return wave_volume_; }
  /// Points of the whole grid.
  double grid_points() const noexcept { return grid_points_; }

 private:
  int orbitals_, pair_groups_, chunks_in_part_, plane_pieces_;
  std::vector<fft::Range> blocks_, orbitals_of_spin_, blocks_of_spin_;
  double wave_volume_, grid_points_;
  electrons::Lattice start_cell_;
  std::shared_ptr<const fft::SpherePlan> plan_, density_plan_;
  std::vector<electrons::PlaneWaves> waves_;
};

/// Visits the rows of consecutive points along z of `inner`, a box inside of `outer`. Calls
/// visit(place in inner, place in outer, points), with places in the arrays of the boxes.
template <class Visit>
void for_each_row(const fft::GridBox& inner, const fft::GridBox& outer, const Visit& visit) {
  const auto points = static_cast<std::size_t>(inner.size(2));
  std::size_t from = 0;
  for (int x = inner.low[0]; x < inner.high[0]; ++x)
    for (int y = inner.low[1]; y < inner.high[1]; ++y, from += points) {
      const auto row =
          static_cast<std::size_t>(x - outer.low[0]) * static_cast<std::size_t>(outer.size(1)) +
          static_cast<std::size_t>(y - outer.low[1]);
      visit(from,
            row * static_cast<std::size_t>(outer.size(2)) +
                static_cast<std::size_t>(inner.low[2] - outer.low[2]),
            points);
    }
}

}  // namespace fg::ab_initio
