// SPDX-License-Identifier: BSD-3-Clause
//
// The maps that give the mesh to some PEs of each process. With "mesh-1" one PE of each process has
// all pencils and spreaders, and the other objects go where there is less to do, this PE included.
// With "mesh-1-alone" it has nothing else. With two PEs these are Dual(2) and Dual(1) of Fitch et
// al., "Blue Matter: Strong Scaling of Molecular Dynamics on Blue Gene/L", but by estimated work.
#pragma once

#include <optional>
#include <string>

namespace fg {

struct MeshMap {
  int pes = 1;  // of each process
  bool alone = false;
};

/// None if it is another map. Throws InputError if its number cannot be read.
std::optional<MeshMap> mesh_map_of(const std::string& map);

/// Throws InputError unless each process has PEs enough. `name` is that of the map.
void require_pes(const MeshMap& mesh, const std::string& name, int pes_a_process);

}  // namespace fg
