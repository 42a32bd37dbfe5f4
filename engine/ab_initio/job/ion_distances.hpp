// SPDX-License-Identifier: BSD-3-Clause
//
// The distances between ions that a job keeps. Each is between the two images that are nearest to
// each other at the positions of the job. Units: bohr.
#pragma once

#include "ab_initio/job/job.hpp"
#include "ab_initio/motion/ion_constraints.hpp"

namespace fg::ab_initio {

/// Relative, at the positions of a job.
inline constexpr double most_distance_error = 1e-6;

/// Throws InputError if a constraint makes no sense:
/// - its ions do not exist, or are the same, or the pair is there twice;
/// - its distance is not above 0, or reaches half of the cell;
/// - its ions do not have that distance;
/// - a ring of constraints goes through the cell;
/// - constraints depend on each other, or leave no motion.
IonConstraints make_ion_constraints(const Job& job);

}  // namespace fg::ab_initio
