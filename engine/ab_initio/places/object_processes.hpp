// SPDX-License-Identifier: BSD-3-Clause
//
// The process of each object, by index, the last one fastest.
#pragma once

#include <cstddef>
#include <vector>

#include "ab_initio/places/object_places.hpp"

namespace fg::ab_initio {

class ObjectProcesses {
 public:
  ObjectProcesses(const Basis& basis, const ObjectPlaces& places, const topology::PeLayout& layout)
      : basis_(&basis) {
    const auto processes = [&](const std::vector<int>& pes) {
      std::vector<int> found;
      found.reserve(pes.size());
      for (const int pe : pes) found.push_back(layout.process_of(pe));
      return found;
    };
    orbitals = processes(places.orbitals());
    pairs = processes(places.pairs());
    density = processes(places.density());
    tiles = processes(places.tiles());
  }

  int orbitals_at(int block, int part) const {
    return orbitals[static_cast<std::size_t>(block * basis_->parts() + part)];
  }
  int pairs_at(int block, int group, int chunk) const {
    return pairs[static_cast<std::size_t>(
        (block * basis_->pair_groups() + group) * basis_->chunks() + chunk)];
  }

  std::vector<int> orbitals, pairs, density, tiles;

 private:
  const Basis* basis_;
};

}  // namespace fg::ab_initio
