// SPDX-License-Identifier: BSD-3-Clause
//
// How long a step of a classical job is expected to take with a division of its work into objects.
// This follows from the estimated work of all objects (classical/division/work_estimate.hpp) and
// their first places. So divisions can be compared before anything runs. Times are those of the
// machine of the fit. They include neither the time in which a PE waits, nor that of rebuilding
// lists.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classical/job/system.hpp"
#include "classical/places/first_places.hpp"

namespace fg::classical {

inline constexpr std::array<std::string_view, 6> parts_of_step{
    "pair forces",   "mesh: spread and gather",           "mesh: transforms",
    "bonded forces", "patches: move, constrain, publish", "objects and messages"};

struct StepEstimate {
  std::array<std::int64_t, parts_of_step.size()> picoseconds{};  // of all PEs together
  std::int64_t whole = 0;                                        // their sum [ps], up to rounding
  std::int64_t fullest = 0;     // of the PE with the most work [ps]
  std::int64_t most_atoms = 0;  // in one patch
  std::int64_t objects = 0;
  double messages = 0;  // between objects, on a step without a rebuild or results
};

/// `work` and `places` are those of these positions with this grid.
StepEstimate estimate_step(const System& system, const PatchGrid& grid,
                           std::span<const Vec3> positions, const WorkEstimate& work,
                           const FirstPlaces& places);

/// "14.1 core-ms: pair forces 62 %; ...; in 152 objects, 1432 messages".
std::string work_in_words(const StepEstimate& step);
/// "7.1 ms a step, 24.3 ns/day on 2 PEs if none waits, by a fit ...". The time step is in au, 0 if
/// there is none.
std::string pace_in_words(const StepEstimate& step, double timestep, int pes);

/// What decides the objects of a job.
struct Division {
  Int3 patches;
  Int3 reach{1, 1, 1};
  int pair_computes = 1;
  std::array<int, 2> pencils{1, 1};
  double inner_list_cutoff = 0;  // [bohr]
};

Division division_of(const Job& job);

/// Estimates a job at its own positions, with each of these divisions and the map "cost". A
/// division that the engine refuses has no estimate. Cells that the job cuts stay where they are.
std::vector<std::optional<StepEstimate>> estimate_steps(Job job,
                                                        std::span<const Division> divisions,
                                                        int pes);

}  // namespace fg::classical
