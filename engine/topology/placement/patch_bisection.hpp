// SPDX-License-Identifier: BSD-3-Clause
//
// Patches and PEs divided together, again and again in two (Phillips et al., SC14, 81 (2014),
// section IV). The longest side of the patch grid belongs to the longest dimension of the mesh of
// hosts. The second belongs to the second, and so on. Patches that are neighbours come to one
// process, or to hosts that are near each other. All numbers are integers, so that every process
// finds the same places.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "topology/coordinates.hpp"
#include "topology/placement/pe_place.hpp"

namespace fg::topology {

/// How patches are cut.
struct PatchCuts {
  /// Cuts are between whole planes if both sides then have their share of the load within one part
  /// in twenty. Otherwise they are in snake order, where a plane may be divided.
  bool planes = false;
  /// Within a host in space too, down to its processes. Otherwise a host's patches are one row in
  /// index order, cut for one PE after the other. Within a process they always are.
  bool processes_in_space = false;
  /// How many times the sides of a set of patches count where the longest is sought. A large number
  /// makes more cuts across an axis, such as one whose cuts cost few messages.
  std::array<int, 3> weights{1, 1, 1};
};

/// The PE of each patch of a grid of these sides, numbered with the last axis fastest. `loads` are
/// at least 0. `mesh` has the coordinates of each host.
/// Every PE has a patch, or every patch a PE of its own if there are more PEs (pe_selection.hpp
/// chooses them). The result does not depend on how hosts and processes are numbered.
std::vector<int> bisected_patches(const std::array<int, 3>& sides,
                                  std::span<const std::int64_t> loads, std::span<const PePlace> pes,
                                  const Coordinates& mesh, const PatchCuts& cuts = {});

}  // namespace fg::topology
