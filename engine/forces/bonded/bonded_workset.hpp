// SPDX-License-Identifier: BSD-3-Clause
//
// The bonded terms that one patch computes, and their forces and energies at given positions. Atoms
// are addressed by their place in the block: the atoms of its parts one after another. The parts
// may be in different periodic images: bond vectors use the nearest image.
// Units: bohr, hartree.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "base/vec3.hpp"
#include "base/virial.hpp"
#include "forces/bonded/term_assignment.hpp"
#include "forces/bonded/term_index.hpp"
#include "forces/bonded/term_table.hpp"
#include "forces/energy_terms.hpp"
#include "forces/terms/terms.hpp"

namespace fg {

/// One patch of the block and the ids of the atoms it sends; negative ids are gaps.
struct BlockPart {
  std::array<int, 3> patch{};
  std::span<const std::int32_t> ids;
};

/// The sums over bonded terms besides the forces.
struct BondedSums {
  std::array<double, energy_term_count> energy{};  // by energy_term(name)
  Virial virial{};

  double total() const noexcept { return std::accumulate(energy.begin(), energy.end(), 0.0); }
};

class BondedWorkset {
 public:
  /// `terms` and `index` must outlive the workset.
  BondedWorkset(const BondedTerms& terms, const TermIndex& index, const std::array<int, 3>& own,
                const std::array<int, 3>& grid, const std::array<int, 3>& reach = {1, 1, 1});

  /// Selects the terms that `own` computes, in ascending order of kind and index, from the distinct
  /// patches of bonded_block(own, grid, reach). Bond vectors use the nearest image. No patch
  /// computes a term that is longer than `reach` patches. The sum of size() over all patches is
  /// then too small. Allocates only to grow.
  void rebuild(std::span<const BlockPart> parts, const Box& box);

  int size() const noexcept;

  /// Leaves out the atoms that no term contains. Returns the places in the block of those that
  /// stay, ascending; until the next rebuild, positions and forces are of these.
  std::span<const std::int32_t> leave_out_others();

  /// Adds forces to `forces` [atoms of the block, or those that stay]. The bits depend only on the
  /// order of terms.
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
  TermOwner owner_;
  std::size_t atoms_ = 0;  // of the block
  PerBondedTerm<WorkTable> work_;

  /// An atom of the block that some term contains.
  struct Found {
    std::int32_t id;
    std::int32_t place;  // in the block
    BlockSides sides;
  };
  struct Chosen {
    std::int32_t copy;
    std::int32_t term;
    const Found* first;  // its first atom
  };
  std::vector<Found> found_;          // by id; kept for its storage
  std::vector<Chosen> chosen_;        // likewise
  std::vector<std::int32_t> kept_;    // places of atoms
  std::vector<std::int32_t> number_;  // of each atom of the block among them

  class Selection;
  template <bool sums>
  BondedSums evaluate(std::span<const Vec3> positions, std::span<Vec3> forces) const noexcept;
};

}  // namespace fg
