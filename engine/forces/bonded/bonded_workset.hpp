// SPDX-License-Identifier: BSD-3-Clause
//
// The bonded terms that one patch computes, and their forces and energies at given positions. Atoms
// are addressed by their place in the block: the atoms of its parts one after another. The parts
// may be in different periodic images: bond vectors use the nearest image.
// Units: bohr, hartree.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "base/vec3.hpp"
#include "forces/bonded/bonded_sums.hpp"
#include "forces/bonded/term_index.hpp"
#include "forces/bonded/term_table.hpp"
#include "forces/bonded/terms.hpp"

namespace fg {

/// One patch of the block and the ids of the atoms it sends; negative ids are gaps.
struct BlockPart {
  std::array<int, 3> patch{};
  std::span<const std::int32_t> ids;
};

class BondedWorkset {
 public:
  /// `terms` and `index` must outlive the workset.
  BondedWorkset(const BondedTerms& terms, const TermIndex& index, const std::array<int, 3>& own,
                const std::array<int, 3>& grid);

  /// Selects the terms that `own` computes, in ascending order of kind and index, from the distinct
  /// patches of bonded_block(own, grid). Bond vectors use the nearest image. No patch computes a
  /// term that reaches beyond two neighbouring patches; the sum of size() over all patches is then
  /// too small. Allocates only to grow.
  void rebuild(std::span<const BlockPart> parts, const Box& box);

  int size() const noexcept;
  /// Whether any term needs an atom of this part.
  bool active(int part) const noexcept { return active_[part]; }

  /// Adds forces to `forces` [atoms of the block]. The bits depend only on the order of terms.
  void add_forces(std::span<const Vec3> positions, std::span<Vec3> forces) const noexcept;

  /// The same, with energies and the virial.
  BondedSums add_forces_and_sums(std::span<const Vec3> positions,
                                 std::span<Vec3> forces) const noexcept;

 private:
  template <class Term>
  using WorkTable = typename TermTableOf<Term>::Type;

  const BondedTerms* terms_;
  const TermIndex* index_;
  Box box_;
  std::array<int, 3> own_, grid_;
  std::array<bool, 8> active_{};
  PerBondedTerm<WorkTable> work_;

  /// An atom of the block that some term contains.
  struct Found {
    std::int32_t id;
    std::int32_t place;  // in the block
    std::int32_t part;
  };
  std::vector<Found> found_;          // by id; kept for its storage
  std::vector<std::int32_t> chosen_;  // likewise

  class Selection;
  template <bool sums>
  BondedSums evaluate(std::span<const Vec3> positions, std::span<Vec3> forces) const noexcept;
};

}  // namespace fg
