// SPDX-License-Identifier: BSD-3-Clause
//
// How long a step of a classical job will take on a machine.
#pragma once

#include <string>

#include "records/job/job_file.hpp"
#include "runs/prediction/step_forecast.hpp"

namespace fg::classical {

/// `map` as for a run. Throws an InputError for a job that the engine refuses.
StepForecast job_forecast(const JobFile& file, const std::string& map, const RunPlaces& places);

}  // namespace fg::classical
