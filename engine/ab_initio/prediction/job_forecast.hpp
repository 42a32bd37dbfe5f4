// SPDX-License-Identifier: BSD-3-Clause
//
// How long an iteration or a step of an ab initio job will take on a machine.
#pragma once

#include <string>

#include "records/job/job_file.hpp"
#include "runs/prediction/step_forecast.hpp"

namespace fg::ab_initio {

/// A step of a Car-Parrinello dynamics, else an iteration of a search. `map` as for a run. Throws
/// an InputError for a job that the engine refuses, and for operation times that are not six.
StepForecast job_forecast(const JobFile& file, const std::string& map, const RunPlaces& places);

}  // namespace fg::ab_initio
