// SPDX-License-Identifier: BSD-3-Clause
//
// Checks what the results of an earlier part of a run contain. A run can continue from a state only
// if no result before it is missing. Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <string>

#include "records/checkpoints/checkpoint.hpp"
#include "records/job/job.hpp"
#include "records/trajectory/output_plan.hpp"

namespace fg {

struct OutputReach {
  /// The first step whose row of energies or frame is missing or wrong in the folder's files.
  std::int64_t step = 0;
  std::string missing;  // what is missing at that step, and in which file
  /// Whether the trajectory is the file with its journal; otherwise it is the file alone.
  bool with_journal = true;
};

/// Checks the results, which begin with step `begin`, row by row and frame by frame. Each row and
/// frame that the job asks for must be there, once and in order. Frames must be stored and not
/// empty. The energies must be the same in energies.csv and in the trajectory.
OutputReach output_reach(const std::string& folder, const OutputPlan& plan, std::int64_t begin);
OutputReach output_reach(const std::string& folder, const Job& job, std::int64_t begin);

/// Makes the results that `output_reach` has found safe from a power cut.
void secure_outputs(const std::string& folder, const OutputReach& reach);

/// The first step at or after `step` that is a multiple of `interval`; never, if there is none.
std::int64_t next_multiple(std::int64_t step, std::int64_t interval) noexcept;
/// The number of multiples of `interval` from one step (included) to another (not included).
std::int64_t multiples_between(std::int64_t from, std::int64_t to, std::int64_t interval) noexcept;

/// Adds the rows of energies.csv from one step (included) to another (not included).
void add_rows(DriftSums& drift, const std::string& folder, const OutputPlan& plan,
              std::int64_t from, std::int64_t to);
void add_rows(DriftSums& drift, const std::string& folder, const Job& job, std::int64_t from,
              std::int64_t to);

}  // namespace fg
