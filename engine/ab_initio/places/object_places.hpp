// SPDX-License-Identifier: BSD-3-Clause
//
// Where the objects of an ab initio run live: on which PE. A run and the look before it have the
// same places.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "ab_initio/density/density.hpp"
#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/orbitals/orbitals.hpp"
#include "processes/array_maps.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg::ab_initio {

class ObjectPlaces {
 public:
  /// The arrays that a map may place.
  static constexpr std::array<std::string_view, 2> names{Orbitals::array_name, Density::array_name};

  /// Called by all processes with the same arguments. The basis must outlive it; copies are cheap.
  ObjectPlaces(const Basis& basis, const MatrixTiles& tiles, const ArrayMaps& maps,
               const topology::PeLayout& layout);

  /// All objects of a block and part are there: orbitals, their points, their transforms.
  int pe_of(int block, int part) const {
    return tables_->orbitals[static_cast<std::size_t>(block * basis_->parts() + part)];
  }
  int pe_of_pairs(int block, int group, int chunk) const {
    return tables_->pairs[static_cast<std::size_t>(
        (block * basis_->pair_groups() + group) * basis_->chunks() + chunk)];
  }
  int pe_of_density(int part) const { return tables_->density[static_cast<std::size_t>(part)]; }
  int pe_of_tile(int i, int j) const {
    return tables_->tiles[static_cast<std::size_t>(i * side_ + j)];
  }

  // PEs by index, the last one fastest.
  const std::vector<int>& orbitals() const noexcept { return tables_->orbitals; }
  const std::vector<int>& pairs() const noexcept { return tables_->pairs; }
  const std::vector<int>& density() const noexcept { return tables_->density; }
  const std::vector<int>& tiles() const noexcept { return tables_->tiles; }
  std::array<const std::vector<int>*, 4> arrays() const noexcept {
    return {&orbitals(), &pairs(), &density(), &tiles()};
  }

  /// One on each PE of a process writes projectors of a part for these orbitals of the process.
  struct WritersOfPart {
    int part = 0, first_pe = 0;
    std::vector<std::array<int, 2>> orbitals{};  // their indices
  };
  /// By part, and by process.
  std::vector<WritersOfPart> writers() const;
  int pes_a_process() const noexcept { return pes_a_process_; }

  /// Blocks of which a process has this part: indices of their orbitals.
  std::vector<std::array<int, 2>> blocks_in(int process, int part) const;
  // Indices of orbitals too: all parts of a block; all blocks of a spin with this part.
  std::vector<std::array<int, 2>> parts_of(int block) const;
  std::vector<std::array<int, 2>> blocks_of_spin(int spin, int part) const;

 private:
  struct Tables {
    std::vector<int> orbitals, pairs, density, tiles;
  };

  const Basis* basis_;
  int side_, pes_a_process_;
  std::shared_ptr<const Tables> tables_;
};

}  // namespace fg::ab_initio
