// SPDX-License-Identifier: BSD-3-Clause
//
// The vectors of orbitals that are kept: their names in a file, and where an object has them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ab_initio/job/job.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "records/hdf5/hdf5.hpp"

namespace fg::ab_initio {

/// A vector of all orbitals, [orbitals][waves][2] numbers.
struct KeptTable {
  std::string name;
  hid_t type;  // of the numbers
  std::size_t bytes_of_number;
  std::function<std::span<const std::byte>(const Orbitals&)> of;
};

/// The tables of a search with so many pairs: the orbitals first.
std::vector<KeptTable> tables_of_search(int pairs);
/// The tables of a step of a dynamics that remembers the orbitals of `past` steps. The orbitals are
/// first. The orbitals of steps before the last follow, the newest first.
std::vector<KeptTable> tables_of_dynamics(const DynamicsSettings& settings, int past);

}  // namespace fg::ab_initio
