// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/traffic.hpp"

#include <cstddef>

#include "ab_initio/places/object_numbers.hpp"
#include "ab_initio/places/order_counter.hpp"
#include "ab_initio/places/order_walk.hpp"
#include "ab_initio/places/traffic_phases.hpp"

namespace fg::ab_initio {

OrderTraffic traffic_of(const OrderCounts& orders, const Job& job, const Basis& basis,
                        const MatrixTiles& tiles, const ObjectPlaces& places,
                        const topology::PeLayout& layout) {
  const ObjectNumbers at(basis, places);
  OrderCounter counter(phases_of_traffic.size(), at.pes(), layout);
  OrderWalk walk(job, basis, tiles, at, counter, 0);
  for (const auto& [order, times] : orders) {
    counter.set_times(times);
    walk.follow(order);
  }
  OrderTraffic found{.phases = {}, .operations = counter.operations()};
  found.phases.reserve(phases_of_traffic.size());
  for (std::size_t phase = 0; phase < phases_of_traffic.size(); ++phase)
    found.phases.push_back({phases_of_traffic[phase], counter.take(phase)});
  return found;
}

}  // namespace fg::ab_initio
