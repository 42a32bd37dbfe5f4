// SPDX-License-Identifier: BSD-3-Clause
//
// What processes send each other in an ab initio run, before anything runs: counted from the places
// of all objects, order by order of the leader (leader/leader_orders.cpp). It leaves out the start,
// checkpoints and empty orbitals.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/places/object_places.hpp"
#include "runs/job_traffic.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::ab_initio {

/// Orders of the leader to the objects. Rows of orbitals to their points, and back. The density of
/// each block. Rows and points of the density. The potential. Sums of products with projectors.
/// Splines of ions and of projectors. Blocks of orbitals to pair calculators. Their overlaps to the
/// tiles. What tiles send each other. Matrices to pair calculators. Products to orbitals. Sums to
/// the leader.
inline constexpr std::array<std::string_view, 13> phases_of_traffic{
    "orders", "orbital rows", "density sums", "density rows", "potential", "projectors", "splines",
    "blocks", "overlaps",     "tiles",        "matrices",     "products",  "sums"};

/// The orders that make up a search and a dynamics. `round` is no order: it is a round of the
/// iteration in which all tiles find an inverse square root together, of which some orders need a
/// few.
enum class CountedOrder : std::uint8_t {
  place,
  evaluate,
  gradient,
  direction,
  step,
  accept,
  drift,
  free_drift,
  free_force,
  kick,
  project,
  forces,
  round
};

using OrderCounts = std::vector<std::pair<CountedOrder, double>>;

/// Density, energies and H psi of orbitals that are there, and forces on the ions.
OrderCounts orders_of_evaluation();
/// An iteration of the search whose first step is long enough.
OrderCounts orders_of_iteration(const MatrixTiles& tiles);
/// A Car-Parrinello step without a reset of velocities, on the average over steps with and without
/// a row of energies.
OrderCounts orders_of_step(const Job& job, const MatrixTiles& tiles);

/// One phase for each of phases_of_traffic.
std::vector<PhaseTraffic> traffic_of(const OrderCounts& orders, const Job& job, const Basis& basis,
                                     const MatrixTiles& tiles, const ObjectPlaces& places,
                                     const topology::PeLayout& layout);

}  // namespace fg::ab_initio
