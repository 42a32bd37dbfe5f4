// SPDX-License-Identifier: BSD-3-Clause
//
// The settings of a job as pair kernels take them.
#pragma once

#include "forces/pair/pair_settings.hpp"
#include "records/job/job.hpp"

namespace fg::classical {

PairSettings pair_settings(const JobSettings& settings);

}  // namespace fg::classical
