// SPDX-License-Identifier: BSD-3-Clause
//
// A job with its objects on their places, as a run of these processes would have it, for those who
// look at it before it runs.
#pragma once

#include <string>
#include <string_view>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/places/counted_orders.hpp"
#include "ab_initio/places/object_places.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::ab_initio {

struct PlacedJob {
  /// `map` as for a run. Throws an InputError for a job that the engine refuses.
  PlacedJob(const JobFile& file, const std::string& map, const topology::PeLayout& layout)
      : job(read_job(file)),
        basis(job),
        tiles(basis.orbitals(), job.division.tile_grain),
        places(basis, tiles, ArrayMaps(map, ObjectPlaces::names), layout) {}
  PlacedJob(const PlacedJob&) = delete;
  PlacedJob& operator=(const PlacedJob&) = delete;

  bool moves() const noexcept { return job.dynamics.kind == DynamicsKind::car_parrinello; }
  /// What is looked at.
  std::string_view step() const noexcept { return moves() ? "step" : "iteration of the search"; }
  OrderCounts orders() const {
    return moves() ? orders_of_step(job, tiles) : orders_of_iteration(tiles);
  }

  const Job job;
  const Basis basis;
  const MatrixTiles tiles;
  const ObjectPlaces places;
};

}  // namespace fg::ab_initio
