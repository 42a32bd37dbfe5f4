// SPDX-License-Identifier: BSD-3-Clause
#include "classical/places/placed_job.hpp"

#include <utility>

#include "classical/job/pair_settings.hpp"
#include "processes/array_maps.hpp"

namespace fg::classical {

PlacedJob::PlacedJob(const JobFile& file, const std::string& map, const topology::PeLayout& layout)
    : job(read_job(file)),
      system(job),
      positions_(start_positions(job)),
      work(estimate_work(system, grid(), positions_, ForceParts::all)),
      atoms(system, grid(), std::move(positions_)),
      places(work, grid(), *pair_division(system, grid()), job.settings,
             ArrayMaps(map, names_of_arrays()), layout) {}

}  // namespace fg::classical
