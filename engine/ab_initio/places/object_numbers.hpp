// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of all objects that take part in orders, in one row, and the PE of each.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "ab_initio/places/object_places.hpp"

namespace fg::ab_initio {

class ObjectNumbers {
 public:
  ObjectNumbers(const Basis& basis, const ObjectPlaces& places)
      : orbitals(add(places.orbitals())),
        points(add(places.orbitals())),
        spline_points(add(places.orbitals())),
        pairs(add(places.pairs())),
        density(add(places.density())),
        tiles(add(places.tiles())),
        basis_(&basis) {
    for (const auto& [part, first_pe, of_orbitals] : places.writers()) {
      std::vector<int> pes(static_cast<std::size_t>(places.pes_a_process()));
      std::iota(pes.begin(), pes.end(), first_pe);
      WritersOfPart& one = writers.emplace_back();
      one.part = part;
      one.writers = add(pes);
      one.orbitals.reserve(of_orbitals.size());
      for (const auto& [block, of_part] : of_orbitals)
        one.orbitals.push_back(orbitals_at(block, of_part));
    }
  }

  static constexpr int leader = 0;

  int orbitals_at(int block, int part) const { return of_part(orbitals, block, part); }
  int points_at(int block, int part) const { return of_part(points, block, part); }
  int spline_points_at(int block, int part) const { return of_part(spline_points, block, part); }
  int pairs_at(int block, int group, int chunk) const {
    return pairs[static_cast<std::size_t>(
        (block * basis_->pair_groups() + group) * basis_->chunks() + chunk)];
  }
  int density_at(int part) const { return density[static_cast<std::size_t>(part)]; }

  /// PEs by number.
  const std::vector<int>& pes() const noexcept { return pes_; }

 private:
  std::vector<int> add(const std::vector<int>& pes) {
    std::vector<int> numbers(pes.size());
    std::iota(numbers.begin(), numbers.end(), static_cast<int>(pes_.size()));
    pes_.insert(pes_.end(), pes.begin(), pes.end());
    return numbers;
  }
  int of_part(const std::vector<int>& numbers, int block, int part) const {
    return numbers[static_cast<std::size_t>(block * basis_->parts() + part)];
  }

  std::vector<int> pes_{0};  // the leader's first

 public:
  // Numbers by index, the last one fastest. Those with the points of orbitals, and with their
  // products with splines, are where the orbitals are.
  const std::vector<int> orbitals, points, spline_points, pairs, density, tiles;
  /// Writers of the projectors of a part in a process, and the orbitals there that they write for.
  struct WritersOfPart {
    int part = 0;
    std::vector<int> writers{}, orbitals{};
  };
  std::vector<WritersOfPart> writers;

 private:
  const Basis* basis_;
};

}  // namespace fg::ab_initio
