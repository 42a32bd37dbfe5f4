// SPDX-License-Identifier: BSD-3-Clause
//
// What process 0 tells the others before a run. It alone has all atoms. Each process keeps the
// atoms of its patches. For the places of objects it keeps the counts of their work. So the memory
// of a process falls with the number of processes. Called by all processes together; without a
// transport nothing is sent.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "classical/division/work_estimate.hpp"
#include "classical/state.hpp"
#include "transport/transport.hpp"

namespace fg::classical {

/// Calls take(patch, atoms) for every fragment, moved into the box: all atoms of the fragment, in
/// the table's order. They come in pieces of bounded size.
void share_atoms(const System& system, const State& state, const PatchGrid& grid,
                 Transport* transport,
                 const std::function<void(int patch, std::span<const AtomRecord>)>& take);

/// images_of_whole_molecules; nothing where all molecules are single fragments.
std::vector<Int3> share_images_of_whole_molecules(const System& system, const State& state,
                                                  Transport* transport);

/// estimate_work at positions that process 0 has.
WorkEstimate share_work(const System& system, const PatchGrid& grid,
                        std::span<const Vec3> positions, ForceParts parts, Transport* transport);

}  // namespace fg::classical
