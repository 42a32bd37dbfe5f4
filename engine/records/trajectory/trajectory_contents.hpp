// SPDX-License-Identifier: BSD-3-Clause
//
// What a trajectory says of its atoms, its origin and its observables, for a run of any kind.
// Units: masses in electron masses; those of observables are named.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "records/job/job.hpp"

namespace fg {

/// A quantity of rows of energies, as the rows give it.
struct Observable {
  std::string name, unit;
};

struct TrajectoryContents {
  std::string title, finegrain_version, job_digest, input_text;
  std::uint64_t seed = 0;
  bool periodic = true;
  bool rectangular = true;  // a cell of three edges; otherwise of three vectors
  std::vector<std::string> element, name;
  std::vector<double> mass;
  std::vector<double> charge;  // empty: none
  /// The residue of each atom; empty: no residues.
  std::vector<std::int32_t> residue;
  JobResidues residues;
  /// Ids, from 1, of pairs that a viewer connects.
  std::vector<std::int32_t> bonds;
  std::vector<Observable> observables;

  std::size_t atoms() const noexcept { return mass.size(); }
};

/// The contents of a classical run, whose rows have energy_columns and then these terms.
TrajectoryContents contents_of(const Job& job, const std::vector<std::string>& term_names);

}  // namespace fg
