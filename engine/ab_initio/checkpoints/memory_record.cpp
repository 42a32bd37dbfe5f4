// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/checkpoints/memory_record.hpp"

namespace fg::ab_initio {

namespace {

/// Calls `with` for all that a state has, in one order for writing and reading.
template <class State, class With>
void each(State& state, const With& with) {
  with(state.step);
  with(state.time);
  with(state.seconds);
  with(state.conserved_at_start);
  with(state.positions);
  with(state.velocities);
  with(state.ion_bath.chain.positions);
  with(state.ion_bath.chain.velocities);
  with(state.ion_bath.heat);
  with(state.cell);
  with(state.cell_motion);
  with(state.electron_bath.positions);
  with(state.electron_bath.velocities);
  with(state.fictitious_kinetic);
  with(state.velocity_scale);
  with(state.was_reset);
  with(state.past);
}

}  // namespace

void put_record(ByteWriter& bytes, const SearchState& search, const DynamicsState& dynamics,
                std::span<const double> energies) {
  bytes.put(search.converged);
  bytes.put(search.history);
  each(dynamics, [&](const auto& value) { bytes.put(value); });
  bytes.put(std::uint64_t{energies.size()});
  bytes.put_bytes(std::as_bytes(energies));
}

KeptStep kept_step(std::span<const std::byte> record) {
  KeptStep kept;
  ByteReader bytes(record);
  bytes.get(kept.search.converged);
  bytes.get(kept.search.history);
  each(kept.dynamics, [&](auto& value) { bytes.get(value); });
  bytes.get(kept.energies);
  FG_CHECK(bytes.empty());
  return kept;
}

}  // namespace fg::ab_initio
