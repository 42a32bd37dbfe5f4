// SPDX-License-Identifier: BSD-3-Clause
#include "classical/places/mesh_places.hpp"

#include <cstddef>
#include <cstdint>

namespace fg::classical {

std::vector<int> MeshPlaces::spreaders(std::span<const int> pe_of_patch) const {
  std::vector<std::int64_t> patches(static_cast<std::size_t>(layout_.processes));
  const auto process_of = [&](int pe) { return static_cast<std::size_t>(layout_.process_of(pe)); };
  for (const int patch : pe_of_patch) ++patches[process_of(patch)];
  std::vector<std::int64_t> before(patches.size());
  std::vector<int> found;
  found.reserve(pe_of_patch.size());
  for (const int patch : pe_of_patch) {
    const std::size_t process = process_of(patch);
    found.push_back(pe(static_cast<int>(process),
                       static_cast<int>(before[process]++ * mesh_.pes / patches[process])));
  }
  return found;
}

}  // namespace fg::classical
