// SPDX-License-Identifier: BSD-3-Clause
//
// The places of pencils and spreaders if the mesh has PEs of its own (processes/mesh_map.hpp): the
// last ones of each process.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "processes/mesh_map.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::classical {

class MeshPlaces {
 public:
  /// Throws InputError if there are too few PEs.
  MeshPlaces(const MeshMap& mesh, const std::string& name, const topology::PeLayout& layout)
      : mesh_(mesh), layout_(layout) {
    require_pes(mesh, name, layout.pes_a_process);
  }

  /// The number of PEs that have parts of the mesh.
  int pes() const noexcept { return mesh_.pes * layout_.processes; }
  /// One of them, by number.
  int pe(int number) const noexcept { return pe(number / mesh_.pes, number % mesh_.pes); }
  /// Whether the other objects may be there.
  bool may_have_others(int pe) const noexcept {
    return !mesh_.alone || pe % layout_.pes_a_process < layout_.pes_a_process - mesh_.pes;
  }
  /// The places of spreaders, each in the process of its patch. Spreaders of a process are dealt in
  /// index order to equal ranges of its PEs.
  std::vector<int> spreaders(std::span<const int> pe_of_patch) const;

 private:
  int pe(int process, int number) const noexcept {
    return (process + 1) * layout_.pes_a_process - mesh_.pes + number;
  }

  MeshMap mesh_;
  topology::PeLayout layout_;
};

}  // namespace fg::classical
