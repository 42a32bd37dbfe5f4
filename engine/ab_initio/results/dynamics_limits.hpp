// SPDX-License-Identifier: BSD-3-Clause
//
// Where a dynamics ends because it has gone wrong, and how the message names the step and the ion.
// Each rule looks at one step alone. So a run that continues from a checkpoint ends where an
// undisturbed run would have ended. Units: Hartree atomic units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "ab_initio/job/job.hpp"
#include "ab_initio/results/dynamics_step.hpp"
#include "base/error.hpp"
#include "base/vec3.hpp"

namespace fg::ab_initio {

/// No ion may move further than this in one step [bohr]: hydrogen at 10 000 K moves 0.08 bohr in
/// 0.5 fs.
inline constexpr double longest_move = 0.5;
/// The conserved energy may leave its value at step 0 by so much [hartree for each ion]. At 0.05,
/// an electron volt and more, nothing of the run is left that could be used.
inline constexpr double most_change_of_energy = 0.05;

/// "ion 3 (H)": ions count from 1, in the order of the input.
std::string name_of_ion(const Job& job, std::size_t ion);
/// "step 12 of the dynamics".
std::string name_of_step(std::int64_t step);

/// Throws NumericsError that names the first ion whose force is not a number.
void check_forces(const Job& job, std::span<const Vec3> forces, std::int64_t step);
/// Throws NumericsError that names the ion with the longest way, if it is too long or not a number.
void check_moves(const Job& job, std::span<const Vec3> before, std::span<const Vec3> after,
                 std::int64_t step);
/// Throws NumericsError if the conserved energy of a step is no number. If that of the start is
/// known, throws it also if the two are too far apart.
void check_conserved_energy(const DynamicsStep& step, std::optional<double> at_start, int ions);

/// The same error with the step in front of its place, unless the step is below 0. If the error has
/// no value, it gets the two ions that are nearest to each other as its value.
NumericsError at_step(const Error& error, std::int64_t step, const Job& job,
                      std::span<const Vec3> positions);

}  // namespace fg::ab_initio
