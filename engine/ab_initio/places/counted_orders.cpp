// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/counted_orders.hpp"

#include <numeric>

namespace fg::ab_initio {

namespace {

/// The share of steps with a row of energies or a frame.
double share_of_reports(const DynamicsSettings& settings) {
  const auto every = [](std::int64_t steps) {
    return steps > 0 ? 1.0 / static_cast<double>(steps) : 0;
  };
  const std::int64_t rows = settings.energy_steps, frames = settings.trajectory_steps;
  return every(rows) + every(frames) - every(std::lcm(rows, frames));
}

void add_rounds(const MatrixTiles& tiles, OrderCounts& orders) {
  if (tiles.side() > 1) orders.emplace_back(CountedOrder::round, usual_rounds);
}

}  // namespace

OrderCounts orders_of_evaluation() {
  using enum CountedOrder;
  return {{place, 1}, {evaluate, 1}, {forces, 1}};
}

OrderCounts orders_of_iteration(const MatrixTiles& tiles) {
  using enum CountedOrder;
  OrderCounts orders{{direction, 1}, {step, 1}, {evaluate, 1}, {gradient, 1}, {accept, 1}};
  add_rounds(tiles, orders);
  return orders;
}

OrderCounts orders_of_step(const Job& job, const MatrixTiles& tiles) {
  using enum CountedOrder;
  const DynamicsSettings& settings = job.dynamics;
  const bool is_free = settings.orthonormality == Orthonormality::free;
  OrderCounts orders{{is_free ? free_drift : drift, 1}};
  if (!settings.ions_rest) orders.emplace_back(place, 1);
  orders.emplace_back(evaluate, 1);
  if (!settings.ions_rest) orders.emplace_back(forces, 1);
  if (is_free) orders.emplace_back(free_force, 1);
  orders.emplace_back(kick, 1);
  if (is_free) {
    add_rounds(tiles, orders);
  } else {
    const bool always = settings.electron_bath.kind != ElectronBathKind::none;
    orders.emplace_back(project, always ? 1 : share_of_reports(settings));
  }
  return orders;
}

}  // namespace fg::ab_initio
