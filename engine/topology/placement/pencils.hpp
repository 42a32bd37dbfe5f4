// SPDX-License-Identifier: BSD-3-Clause
//
// Places of the pencils of a mesh (Phillips et al., SC14, 81 (2014), section V). Z-pencils come
// near the patches whose charges they get. Y- and x-pencils with the same z come to neighbouring
// PEs, for the transposes between them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "topology/placement/pe_place.hpp"

namespace fg::topology {

/// PEs for so many pencils, ascending, spread evenly over hosts and processes. PEs marked `last`,
/// such as those with patches, are taken last. A PE appears several times if there are more pencils
/// than PEs.
std::vector<int> pencil_pes(std::span<const PePlace> pes, int pencils,
                            const std::vector<bool>& last = {});

/// The PEs that have a patch.
std::vector<bool> pes_with_patches(std::span<const int> pe_of_patch, std::size_t pes);

/// The PE of each z-pencil, numbered with y fastest. `chosen` has a PE for each pencil. The grid of
/// pencils and the PEs are bisected together. The place of a PE is the mean place of its patches.
/// If it has none, that of its process counts, else that of its host, else the middle of all
/// patches.
std::vector<int> z_pencil_places(const std::array<int, 2>& pencils,
                                 const std::array<int, 3>& patch_sides,
                                 std::span<const int> pe_of_patch, std::span<const PePlace> pes,
                                 std::span<const int> chosen);

/// The PEs of y- and x-pencils. Both arrays have this shape; the second index, along z, is fastest.
struct PlanePencils {
  std::vector<int> y, x;
};

/// Pencils with the same z are on PEs that follow each other in `chosen`. With a PE for each pencil
/// of both kinds, all have their own; otherwise both kinds share the PEs.
PlanePencils plane_pencil_places(const std::array<int, 2>& shape, std::span<const int> chosen);

}  // namespace fg::topology
