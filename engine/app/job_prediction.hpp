// SPDX-License-Identifier: BSD-3-Clause
//
// How long a step of a job will take on a machine, for the choice of its number of nodes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "runs/prediction/step_forecast.hpp"

namespace fg::app {

/// The job file is that of `check_job_file`; `map` as for a run. Throws an InputError for a job
/// that the engine refuses.
StepForecast job_prediction(const std::string& name, std::span<const std::byte> file,
                            const std::string& map, const RunPlaces& places);

}  // namespace fg::app
