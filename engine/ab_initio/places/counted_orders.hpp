// SPDX-License-Identifier: BSD-3-Clause
//
// How often the leader gives each order in an evaluation, an iteration or a step.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/job/job.hpp"

namespace fg::ab_initio {

/// The orders that make up a search and a dynamics. `round` is not an order. It is a round of the
/// iteration in which all tiles find an inverse square root together. Some orders need a few
/// rounds.
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

/// Overlaps of a step are so near 1 that so many rounds find their inverse square root.
inline constexpr int usual_rounds = 3;

using OrderCounts = std::vector<std::pair<CountedOrder, double>>;

/// Density, energies and H psi of orbitals that are there, and forces on the ions.
OrderCounts orders_of_evaluation();
/// An iteration of the search whose first step is long enough.
OrderCounts orders_of_iteration(const MatrixTiles& tiles);
/// A Car-Parrinello step without a reset of velocities, on the average over steps with and without
/// a row of energies.
OrderCounts orders_of_step(const Job& job, const MatrixTiles& tiles);

}  // namespace fg::ab_initio
