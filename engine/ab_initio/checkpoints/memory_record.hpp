// SPDX-License-Identifier: BSD-3-Clause
//
// The records of a step of a dynamics in memory. Record 0 is what process 0 knows. Each object with
// orbitals has one record, its vectors one after the other (tables_of_dynamics in kept_tables.hpp).
// Units: Hartree atomic units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ab_initio/orbitals/search_state.hpp"
#include "ab_initio/orders/dynamics_state.hpp"
#include "base/bytes.hpp"

namespace fg::ab_initio {

/// The number of the record of process 0.
inline constexpr std::int64_t record_of_state = 0;
/// The record of the object with this ordinal among the orbitals.
constexpr std::int64_t record_of_orbitals(int ordinal) noexcept {
  return ordinal + 1;
}

struct KeptStep {
  SearchState search;  // that has found the first ground state; its memory does not count
  DynamicsState dynamics;
  std::vector<double> energies;  // <psi|H|psi>, [orbitals][orbitals]
};

/// Adds the record of process 0.
void put_record(ByteWriter& bytes, const SearchState& search, const DynamicsState& dynamics,
                std::span<const double> energies);
/// Throws InternalError if the bytes are not those of a record.
KeptStep kept_step(std::span<const std::byte> record);

}  // namespace fg::ab_initio
