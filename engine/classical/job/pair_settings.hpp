// SPDX-License-Identifier: BSD-3-Clause
//
// The settings of a job as pair kernels and pair computes take them.
#pragma once

#include "classical/job/system.hpp"
#include "forces/pair/pair_settings.hpp"
#include "particles/pair_runs.hpp"
#include "records/job/job.hpp"

namespace fg::classical {

PairSettings pair_settings(const JobSettings& settings);

/// The directions in which a patch has pairs, for as long as the job's patches are wide enough.
HalfShell half_shell(const System& system);
/// The patches of the pair computes of a patch.
PairRuns pair_runs(const System& system);

}  // namespace fg::classical
