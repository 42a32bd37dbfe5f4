// SPDX-License-Identifier: BSD-3-Clause
//
// The settings of a job as pair kernels and pair computes take them.
#pragma once

#include <memory>

#include "classical/job/system.hpp"
#include "forces/pair/pair_settings.hpp"
#include "particles/assignment/pair_division.hpp"
#include "records/job/job.hpp"

namespace fg::classical {

PairSettings pair_settings(const JobSettings& settings);

/// Up to how many patches away the partners of a patch are.
PatchOffset reach_of(const Job& job) noexcept;
/// The directions in which a patch has pairs, for as long as the job's patches are wide enough.
HalfShell half_shell(const System& system);
/// Which pair compute has which pairs. The box of `grid` does not count.
std::shared_ptr<const PairDivision> pair_division(const System& system, const PatchGrid& grid);

}  // namespace fg::classical
