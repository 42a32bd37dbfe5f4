// SPDX-License-Identifier: BSD-3-Clause
//
// Where the objects of an ab initio run live: on which PE.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "ab_initio/density/density.hpp"
#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/pair_places.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "processes/array_maps.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

class ObjectPlaces {
 public:
  /// The arrays that a map may place.
  static constexpr std::array<std::string_view, 2> names{Orbitals::array_name, Density::array_name};

  /// All of them must outlive it.
  ObjectPlaces(const Basis& basis, const Runtime& runtime, const ArrayMaps& maps)
      : basis_(&basis), runtime_(&runtime), maps_(&maps) {}

  int pe_of(int block, int part) const {
    return maps_->pe(Orbitals::array_name, std::array{block, part},
                     std::array{basis_->blocks(), basis_->parts()}, runtime_->pes());
  }
  /// If there are more PEs than places, the pair calculators of a place are spread.
  int pe_of_pairs(int block, int group, int chunk) const {
    const int blocks = basis_->blocks(), parts = basis_->parts(), groups = basis_->pair_groups();
    const int chunks = basis_->chunks_in_part(), part = basis_->part_of_chunk(chunk);
    const auto [place, number] = pair_place(block, group, blocks, groups);
    if (runtime_->pes() <= blocks * parts) return pe_of(place, part);
    return maps::block<3>({place, part, number * chunks + chunk % chunks},
                          {blocks, parts, groups * chunks}, runtime_->pes());
  }
  int pe_of_density(int part) const {
    return maps_->pe(Density::array_name, std::array{part}, std::array{basis_->density_parts()},
                     runtime_->pes());
  }

  /// Blocks of which a process has this part: indices of their orbitals.
  std::vector<std::array<int, 2>> blocks_in(int process, int part) const {
    std::vector<std::array<int, 2>> all;
    for (int block = 0; block < basis_->blocks(); ++block)
      if (runtime_->process_of(pe_of(block, part)) == process) all.push_back({block, part});
    return all;
  }
  // Indices of orbitals too: all parts of a block; all blocks of a spin with this part.
  std::vector<std::array<int, 2>> parts_of(int block) const {
    std::vector<std::array<int, 2>> all;
    all.reserve(static_cast<std::size_t>(basis_->parts()));
    for (int part = 0; part < basis_->parts(); ++part) all.push_back({block, part});
    return all;
  }
  std::vector<std::array<int, 2>> blocks_of_spin(int spin, int part) const {
    const fft::Range blocks = basis_->blocks_of_spin(spin);
    std::vector<std::array<int, 2>> all;
    all.reserve(static_cast<std::size_t>(blocks.size()));
    for (int block = blocks.begin; block < blocks.end; ++block) all.push_back({block, part});
    return all;
  }

 private:
  const Basis* basis_;
  const Runtime* runtime_;
  const ArrayMaps* maps_;
};

}  // namespace fg::ab_initio
