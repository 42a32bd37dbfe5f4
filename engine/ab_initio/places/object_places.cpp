// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/object_places.hpp"

#include <utility>

#include "ab_initio/division/pair_places.hpp"
#include "runtime/places/maps.hpp"

namespace fg::ab_initio {

ObjectPlaces::ObjectPlaces(const Basis& basis, const MatrixTiles& tiles, const ArrayMaps& maps,
                           const topology::PeLayout& layout)
    : basis_(&basis), side_(tiles.side()), pes_a_process_(layout.pes_a_process) {
  const int blocks = basis.blocks(), parts = basis.parts(), groups = basis.pair_groups();
  const int chunks = basis.chunks_in_part(), pes = layout.pes();
  Tables tables;
  for (int block = 0; block < blocks; ++block)
    for (int part = 0; part < parts; ++part)
      tables.orbitals.push_back(
          maps.pe(Orbitals::array_name, std::array{block, part}, std::array{blocks, parts}, pes));
  for (int part = 0; part < basis.density_parts(); ++part)
    tables.density.push_back(
        maps.pe(Density::array_name, std::array{part}, std::array{basis.density_parts()}, pes));
  // If there are more PEs than places, the pair calculators of a place are spread.
  const bool spread = pes > blocks * parts;
  for (int block = 0; block < blocks; ++block)
    for (int group = 0; group < groups; ++group)
      for (int chunk = 0; chunk < basis.chunks(); ++chunk) {
        const int part = basis.part_of_chunk(chunk);
        const auto [place, number] = pair_place(block, group, blocks, groups);
        tables.pairs.push_back(
            spread ? maps::block<3>({place, part, number * chunks + chunk % chunks},
                                    {blocks, parts, groups * chunks}, pes)
                   : tables.orbitals[static_cast<std::size_t>(place * parts + part)]);
      }
  for (int i = 0; i < side_; ++i)
    for (int j = 0; j < side_; ++j)
      tables.tiles.push_back(maps::block<2>({i, j}, {side_, side_}, pes));
  tables_ = std::make_shared<const Tables>(std::move(tables));
}

std::vector<std::array<int, 2>> ObjectPlaces::blocks_in(int process, int part) const {
  std::vector<std::array<int, 2>> all;
  for (int block = 0; block < basis_->blocks(); ++block)
    if (pe_of(block, part) / pes_a_process_ == process) all.push_back({block, part});
  return all;
}

std::vector<std::array<int, 2>> ObjectPlaces::parts_of(int block) const {
  std::vector<std::array<int, 2>> all;
  all.reserve(static_cast<std::size_t>(basis_->parts()));
  for (int part = 0; part < basis_->parts(); ++part) all.push_back({block, part});
  return all;
}

std::vector<std::array<int, 2>> ObjectPlaces::blocks_of_spin(int spin, int part) const {
  const fft::Range blocks = basis_->blocks_of_spin(spin);
  std::vector<std::array<int, 2>> all;
  all.reserve(static_cast<std::size_t>(blocks.size()));
  for (int block = blocks.begin; block < blocks.end; ++block) all.push_back({block, part});
  return all;
}

}  // namespace fg::ab_initio
