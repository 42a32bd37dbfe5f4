// SPDX-License-Identifier: BSD-3-Clause
//
// How long each object of a classical run is expected to work in a step, before anything has been
// measured. It follows from the job's division and the positions at the start. It decides places
// only, never bits.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "classical/division/counted_groups.hpp"
#include "classical/job/system.hpp"
#include "forces/costs/work_times.hpp"
#include "records/options/run_options.hpp"

namespace fg::classical {

constexpr const WorkCounts& times_of_work(Precision precision) noexcept {
  return precision == Precision::double_precision ? fg::times_of_work<double>()
                                                  : fg::times_of_work<float>();
}

struct ObjectWork {
  WorkCounts counts{};
  std::int64_t interval = 1;          // steps between two rounds
  std::int64_t message_interval = 1;  // of messages with pair forces or positions for them
  const WorkCounts* times = &work_picoseconds;

  std::int64_t interval_of(std::size_t kind) const noexcept {
    return kind == of_message ? message_interval : interval;
  }
  std::int64_t picoseconds() const noexcept {
    const std::int64_t messages = counts[of_message] * (*times)[of_message];
    const auto all =
        std::inner_product(counts.begin(), counts.end(), times->begin(), std::int64_t{0});
    return (all - messages) / interval + messages / message_interval;
  }
};

struct WorkEstimate {
  std::vector<ObjectWork> patches, spreaders, bonded;  // by patch
  std::vector<ObjectWork> pairs;                       // by the number of the pair compute
  std::vector<ObjectWork> z_pencils, other_pencils;    // the others along y and x; none: no mesh
};

/// The same numbers in every process: sums are of integers, or in one order.
WorkEstimate estimate_work(const System& system, const PatchGrid& grid,
                           std::span<const Vec3> positions, ForceParts parts);
/// The same with pairs that have been counted for these positions and this grid.
WorkEstimate estimate_work(const System& system, const PatchGrid& grid,
                           std::span<const Vec3> positions, ForceParts parts,
                           const CountedPairs& counts);

}  // namespace fg::classical
