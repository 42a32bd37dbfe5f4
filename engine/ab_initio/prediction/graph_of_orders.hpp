// SPDX-License-Identifier: BSD-3-Clause
//
// The tasks and messages of an iteration or a step of an ab initio run: the orders of the leader,
// one after the other. What is sent goes as the runtime sends it: once to each process of a
// multicast, along trees whose processes pass it on, and up the trees of reductions.
#pragma once

#include <array>
#include <span>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/places/counted_orders.hpp"
#include "ab_initio/places/object_places.hpp"
#include "runs/prediction/step_graph.hpp"
#include "runtime/simulated/simulated_time.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::ab_initio {

/// As in Work.
inline constexpr NamesOfWork names_of_work{"transforms", "products", "other work",
                                           "density transforms", "work for ions"};

/// What an operation of each kind takes on the cores of the machine, and a message to an object
/// [ps].
struct TimesOfWork {
  std::array<double, kinds_of_arithmetic> operation{};
  double message = 0;
};

/// Orders that are given in fewer than half of the steps are left out.
StepGraph graph_of_orders(const OrderCounts& orders, const Job& job, const Basis& basis,
                          const MatrixTiles& tiles, const ObjectPlaces& places,
                          const topology::PeLayout& layout, const TimesOfWork& times);

}  // namespace fg::ab_initio
