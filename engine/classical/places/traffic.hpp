// SPDX-License-Identifier: BSD-3-Clause
//
// Predicts what processes send each other in a step of a classical run, before anything runs. It is
// counted from the places of all objects and the messages between them (step_messages.hpp). It is
// the average over the rounds of the pair forces and of the mesh.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "classical/job/system.hpp"
#include "classical/places/first_places.hpp"
#include "classical/places/step_messages.hpp"
#include "particles/assignment/pair_division.hpp"
#include "runs/ways.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::classical {

/// One list for each of phases_of_traffic, ascending by (from, to), each pair of processes once.
using StepTraffic = std::array<std::vector<Way>, phases_of_traffic.size()>;

StepTraffic traffic_of_step(const System& system, const PatchGrid& grid, const StepAtoms& atoms,
                            const WorkEstimate& work, const FirstPlaces& places,
                            const topology::PeLayout& layout);

/// The number of pairs of a patch and another process that needs its positions for pair forces.
/// `process_of_pair` is by the number of the compute.
std::int64_t position_sends(const PatchGrid& grid, const PairDivision& pairs,
                            std::span<const int> process_of_patch,
                            std::span<const int> process_of_pair);

/// The number of pairs of a spreader and a z-pencil of another process to which it sends charges.
/// Atoms outside of their patches are left out.
std::int64_t charge_sends(const PatchGrid& grid, const JobSettings& settings,
                          std::span<const int> process_of_spreader,
                          std::span<const int> process_of_z_pencil);

}  // namespace fg::classical
