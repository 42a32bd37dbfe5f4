// SPDX-License-Identifier: BSD-3-Clause
//
// Ground states of jobs in one process, and the slopes of their energies.
#pragma once

#include <string>

#include "ab_initio/assembly.hpp"

namespace fg::test {

inline ab_initio::GroundState find_ground_state(const ab_initio::Job& job, int pes = 1,
                                                const std::string& map = "block") {
  ab_initio::ProgressQueue progress;
  return ab_initio::make_assembly(job, {.pes = pes, .map = map, .pin = false}, progress)
      ->find_ground_state();
}

/// Differences of four points: the error is of fourth order in the step.
double slope(const auto& energy_at, double step) {
  return (8 * (energy_at(step) - energy_at(-step)) - (energy_at(2 * step) - energy_at(-2 * step))) /
         (12 * step);
}

/// A strain of cell and ions, half of it in each of the two components ab and ba. The indices of
/// the waves stay if the cut-off is so that none comes in or leaves.
inline ab_initio::Job strained(ab_initio::Job job, int a, int b, double strain) {
  const auto apply = [&](Vec3& r) {
    const Vec3 old = r;
    r[a] += strain * old[b] / 2;
    r[b] += strain * old[a] / 2;
  };
  for (Vec3& r : job.positions) apply(r);
  for (Vec3& r : job.cell.vectors) apply(r);
  return job;
}

}  // namespace fg::test
