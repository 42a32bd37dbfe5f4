// SPDX-License-Identifier: BSD-3-Clause
//
// Predicts what processes send each other and what PEs compute in an ab initio run, before
// anything runs. It is counted from the places of all objects, order by order of the leader
// (order_walk.hpp).
#pragma once

#include <vector>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/places/counted_orders.hpp"
#include "ab_initio/places/object_places.hpp"
#include "runs/job_traffic.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::ab_initio {

struct OrderTraffic {
  std::vector<PhaseTraffic> phases;  // one for each of phases_of_traffic (traffic_phases.hpp)
  std::vector<double> operations;    // of each PE of the layout
};

OrderTraffic traffic_of(const OrderCounts& orders, const Job& job, const Basis& basis,
                        const MatrixTiles& tiles, const ObjectPlaces& places,
                        const topology::PeLayout& layout);

}  // namespace fg::ab_initio
