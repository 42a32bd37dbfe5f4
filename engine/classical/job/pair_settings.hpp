// SPDX-License-Identifier: BSD-3-Clause
//
// The settings of a job as pair kernels and pair computes take them.
#pragma once

#include "forces/pair/pair_settings.hpp"
#include "particles/half_shell_runs.hpp"
#include "records/job/job.hpp"

namespace fg::classical {

PairSettings pair_settings(const JobSettings& settings);

/// The directions in which a patch has pairs.
HalfShell half_shell(const JobSettings& settings);
/// The same, in the runs of its pair computes.
HalfShellRuns pair_runs(const JobSettings& settings);

}  // namespace fg::classical
