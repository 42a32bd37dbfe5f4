// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/object_places.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "ab_initio/division/pair_places.hpp"
#include "ab_initio/places/torus_places.hpp"
#include "ab_initio/places/torus_way.hpp"
#include "base/error.hpp"
#include "processes/mesh_map.hpp"
#include "processes/torus_name.hpp"
#include "runtime/places/maps.hpp"

namespace fg::ab_initio {

namespace {

/// The map of an array of this name. In several processes "cost" is "plane". Orbitals have the same
/// work, and orbitals of one part of the waves send each other most.
class MapOfArray {
 public:
  MapOfArray(const std::string& name, const topology::PeLayout& layout)
      : name_(name == cost_map && layout.processes > 1 ? "plane" : name), pes_(layout.pes()) {
    if (mesh_map_of(name_))
      throw InputError({.what = "an ab initio run has no mesh beside its other objects",
                        .where = "--map",
                        .value = name_,
                        .hint = "its usual map is cost"});
    const auto prisms = torus_of(name_);
    if (!prisms) return;
    require_nodes(*prisms, name_, pes_);
    const auto [x, y, z, number] = torus_numbers(name_);
    torus_.emplace(std::array{x, y, z}, number);
  }

  const TorusWay* torus() const noexcept { return torus_ ? &*torus_ : nullptr; }
  template <std::size_t D>
  int pe(const std::array<int, D>& index, const std::array<int, D>& shape) const {
    if (torus_) return torus_->node(maps::plane(index, shape, pes_));
    return mapped_pe(name_, index, shape, pes_);
  }

 private:
  std::string name_;
  int pes_;
  std::optional<TorusWay> torus_;
};

/// On the places of orbitals, group by group (division/pair_places.hpp).
std::vector<int> dealt_pairs(const Basis& basis, const std::vector<int>& orbitals, int pes) {
  const int blocks = basis.blocks(), parts = basis.parts(), groups = basis.pair_groups();
  const int chunks = basis.chunks_in_part();
  // If there are more PEs than places, the pair calculators of a place are spread.
  const bool spread = pes > blocks * parts;
  std::vector<int> pairs;
  for (int block = 0; block < blocks; ++block)
    for (int group = 0; group < groups; ++group)
      for (int chunk = 0; chunk < basis.chunks(); ++chunk) {
        const int part = basis.part_of_chunk(chunk);
        const auto [place, number] = pair_place(block, group, blocks, groups);
        pairs.push_back(spread ? maps::block<3>({place, part, number * chunks + chunk % chunks},
                                                {blocks, parts, groups * chunks}, pes)
                               : orbitals[static_cast<std::size_t>(place * parts + part)]);
      }
  return pairs;
}

}  // namespace

ObjectPlaces::ObjectPlaces(const Basis& basis, const MatrixTiles& tiles, const ArrayMaps& maps,
                           const topology::PeLayout& layout)
    : basis_(&basis), side_(tiles.side()), pes_a_process_(layout.pes_a_process) {
  const int blocks = basis.blocks(), parts = basis.parts(), pes = layout.pes();
  const std::array shape{blocks, parts};
  const std::array parts_of_density{basis.density_parts()};
  const MapOfArray orbitals(maps.of(Orbitals::array_name), layout);
  const MapOfArray density(maps.of(Density::array_name), layout);
  Tables tables;
  for (int block = 0; block < blocks; ++block)
    for (int part = 0; part < parts; ++part)
      tables.orbitals.push_back(orbitals.pe(std::array{block, part}, shape));
  for (int part = 0; part < basis.density_parts(); ++part)
    tables.density.push_back(density.pe(std::array{part}, parts_of_density));
  if (orbitals.torus()) {
    tables.pairs = pairs_near(basis, *orbitals.torus(), tables.orbitals);
    tables.tiles = tiles_near(basis, tiles, *orbitals.torus(), tables.pairs);
  } else {
    tables.pairs = dealt_pairs(basis, tables.orbitals, pes);
    for (int i = 0; i < side_; ++i)
      for (int j = 0; j < side_; ++j)
        tables.tiles.push_back(maps::block<2>({i, j}, {side_, side_}, pes));
  }
  tables_ = std::make_shared<const Tables>(std::move(tables));
}

std::vector<ObjectPlaces::WritersOfPart> ObjectPlaces::writers() const {
  std::vector<WritersOfPart> all;
  for (int part = 0; part < basis_->parts(); ++part) {
    std::map<int, std::vector<std::array<int, 2>>> of_processes;
    for (int block = 0; block < basis_->blocks(); ++block)
      of_processes[pe_of(block, part) / pes_a_process_].push_back({block, part});
    all.reserve(all.size() + of_processes.size());
    for (auto& [process, orbitals] : of_processes)
      all.push_back({part, process * pes_a_process_, std::move(orbitals)});
  }
  return all;
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
