// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/ion_places.hpp"

#include <algorithm>
#include <utility>

#include "ab_initio/setup.hpp"
#include "base/error.hpp"
#include "electrons/isolated_ions.hpp"

namespace fg::ab_initio {

namespace {

const Phase ewald_phase{"ions: Ewald sum"};

}  // namespace

IonPlaces::IonPlaces(const Setup& setup)
    : setup_(&setup), charges_(setup.job->charges()), positions_(setup.job->positions) {
  if (!setup.job->isolated) ewald_.emplace(setup.job->cell, charges_);
  energy_ = energy_at(positions_);
}

electrons::IonEnergy IonPlaces::energy_at(std::span<const Vec3> positions) const {
  const PhaseTimer timer(ewald_phase);
  return ewald_ ? ewald_->evaluate(positions)
                : electrons::isolated_ions(setup_->job->cell, charges_, positions);
}

bool IonPlaces::place(std::span<const Vec3> positions, std::int64_t density_order) {
  FG_CHECK(positions.size() == positions_.size());
  const bool moved = !std::equal(positions.begin(), positions.end(), positions_.begin());
  if (placements_ > 0 && !moved) return false;
  if (moved) positions_.assign(positions.begin(), positions.end());
  ++placements_;
  auto message = order();
  message->order = Order::place;
  const Ref<const OrderMessage> shared = std::move(message);
  setup_->density.broadcast_at<&Density::order>(density_order, shared, Lane::high);
  if (setup_->projector_count > 0)
    setup_->placing.multicast<&ProjectorWriter::place>(shared, Lane::high);
  // While the others work.
  if (moved) energy_ = energy_at(positions_);
  return true;
}

Ref<OrderMessage> IonPlaces::order() const {
  auto message = make_message<OrderMessage>(positions_.size() * sizeof(Vec3));
  message->placement = placements_;
  std::copy(positions_.begin(), positions_.end(), message->trailing<Vec3>());
  return message;
}

}  // namespace fg::ab_initio
