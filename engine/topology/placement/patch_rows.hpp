// SPDX-License-Identifier: BSD-3-Clause
//
// Patches in one row, cut into a range for each PE. The row is the order of their index, or
// Hilbert's curve. These are alternatives to the bisection.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "topology/coordinates.hpp"
#include "topology/placement/pe_place.hpp"

namespace fg::topology {

/// Arguments and promises as for bisected_patches. The first of `axes` varies most slowly along the
/// row, the last one fastest. Hosts are in the order of their first PEs.
std::vector<int> row_patches(const std::array<int, 3>& sides, std::span<const std::int64_t> loads,
                             std::span<const PePlace> pes, const Coordinates& mesh,
                             const std::array<int, 3>& axes = {0, 1, 2});

/// The same along Hilbert's curve through the patches; hosts, too, are along a Hilbert curve.
std::vector<int> hilbert_patches(const std::array<int, 3>& sides,
                                 std::span<const std::int64_t> loads, std::span<const PePlace> pes,
                                 const Coordinates& mesh);

}  // namespace fg::topology
