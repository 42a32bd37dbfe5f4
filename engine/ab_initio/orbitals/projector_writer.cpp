// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/orbitals/projector_writer.hpp"

#include <utility>

#include "ab_initio/orbitals/setups.hpp"
#include "fft/partition.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

const Phase place_phase{"ions: projectors"};
const Phase cell_phase{"ions: projectors in a new cell"};

}  // namespace

void ProjectorWriter::change_cell(Ref<const PlaceOrder> order) {
  const auto at = static_cast<std::size_t>(part());
  CellWaves& waves = *setup_->projector_waves[at];
  if (const PhaseTimer timer(cell_phase); waves.follow(order->cell)) {
    charge(Work::ions,
           setup_->ion_costs.projectors_in_new_cell(setup_->basis->waves(part()).size()));
    if (setup_->splines)
      setup_->splines->make_part(part(), waves.now());
    else
      setup_->projectors[at]->change_waves(waves.now());
  }
  setup_->writers[static_cast<std::size_t>(process() * setup_->basis->parts() + part())]
      .multicast<&ProjectorWriter::place>(std::move(order), Lane::high);
}

void ProjectorWriter::place(Ref<const PlaceOrder> order) {
  const std::span<const Vec3> positions = positions_of(*order);
  const int ions = static_cast<int>(positions.size());
  // Splines of all ions take less time than the projectors of one.
  const int shares = setup_->splines ? 1 : array().shape()[2];
  const fft::Range own = share() < shares ? fft::share(ions, shares, share()) : fft::Range{};
  if (own.size() > 0) {
    const PhaseTimer timer(place_phase);
    if (setup_->splines) {
      setup_->splines->place(part(), positions);
    } else {
      charge(Work::ions, setup_->ion_costs.projectors(own, setup_->basis->waves(part()).size()));
      setup_->projectors[static_cast<std::size_t>(part())]->place(
          static_cast<std::size_t>(own.begin),
          positions.subspan(static_cast<std::size_t>(own.begin),
                            static_cast<std::size_t>(own.size())),
          work_);
    }
  }
  const electrons::ProjectorCoupling& rows = setup_->projector_rows;
  const std::size_t written = rows.first(static_cast<std::size_t>(own.end)) -
                              rows.first(static_cast<std::size_t>(own.begin));
  setup_->placed[static_cast<std::size_t>(process() * setup_->basis->parts() + part())].contribute(
      *this, order->placement, {static_cast<double>(written)});
}

}  // namespace fg::ab_initio
