// SPDX-License-Identifier: BSD-3-Clause
//
// How long a step of a classical job is expected to take, for the choice of its division.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "classical/step_estimate.hpp"

namespace fg::app {

/// The job file is that of `check_job_file`. Without divisions: that of the job. Throws an
/// InputError for a job that the engine refuses, or of another kind.
std::vector<std::optional<classical::StepEstimate>> estimate_steps(
    const std::string& name, std::span<const std::byte> file,
    std::span<const classical::Division> divisions, int pes);

}  // namespace fg::app
