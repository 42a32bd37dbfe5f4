// SPDX-License-Identifier: BSD-3-Clause
//
// A job at its start, with its objects on the first places that a run of these processes would give
// them. It serves to look at a run before it starts.
#pragma once

#include <string>
#include <vector>

#include "classical/job/system.hpp"
#include "classical/places/first_places.hpp"
#include "classical/places/step_messages.hpp"
#include "records/job/job.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::classical {

struct PlacedJob {
  /// `map` as for a run. Throws an InputError for a job that the engine refuses.
  PlacedJob(const JobFile& file, const std::string& map, const topology::PeLayout& layout);
  PlacedJob(const PlacedJob&) = delete;
  PlacedJob& operator=(const PlacedJob&) = delete;

  const PatchGrid& grid() const noexcept { return system.grid(); }

  const Job job;
  const System system;

 private:
  std::vector<Vec3> positions_;  // until `atoms` has them: of many atoms they take much memory

 public:
  const WorkEstimate work;
  const StepAtoms atoms;
  const FirstPlaces places;
};

}  // namespace fg::classical
