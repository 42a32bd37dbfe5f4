// SPDX-License-Identifier: BSD-3-Clause
//
// What the engine says of a classical job while its division is chosen: how long a step is expected
// to take, and how space is cut into equal work.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classical/step_estimate.hpp"
#include "particles/assignment/cell_cut.hpp"

namespace fg::app {

/// The job file is that of `check_job_file`. Without divisions: that of the job. Throws an
/// InputError for a job that the engine refuses, or of another kind.
std::vector<std::optional<classical::StepEstimate>> estimate_steps(
    const std::string& name, std::span<const std::byte> file,
    std::span<const classical::Division> divisions, int pes);

/// Where space is cut for pairs by midpoints, into so many cells along each axis. Throws an
/// InputError for a job that the engine refuses, or for numbers that its patches do not allow.
CellCut cut_cells(const std::string& name, std::span<const std::byte> file,
                  const std::array<int, 3>& shape);

}  // namespace fg::app
