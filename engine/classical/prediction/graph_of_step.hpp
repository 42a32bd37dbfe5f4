// SPDX-License-Identifier: BSD-3-Clause
//
// The tasks and messages of a step of a classical run. What is sent between processes is put
// together as the objects do: positions once for each process, pair forces added up in each process
// (forces/pair/force_collector.hpp), pieces of a transpose in parcels (runtime/exchange.hpp).
#pragma once

#include <span>

#include "classical/places/first_places.hpp"
#include "classical/places/step_messages.hpp"
#include "runs/prediction/step_graph.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::classical {

inline constexpr NamesOfWork names_of_work{
    "pair forces", "bonded forces", "mesh: spread and gather", "mesh: transforms", "patches: move"};
enum KindOfWork : TimePart { in_pairs, in_bonded, in_spreading, in_transforms, in_patches };

/// `core_speed` is that of a core, relative to the one of the fit of the times.
StepGraph graph_of_step(const System& system, const PatchGrid& grid, const StepAtoms& atoms,
                        const WorkEstimate& work, const FirstPlaces& places,
                        const topology::PeLayout& layout, double core_speed);

}  // namespace fg::classical
