// SPDX-License-Identifier: BSD-3-Clause
//
// Molecules of several fragments. A barostat moves the centre of each molecule and keeps its shape.
// So neither a scaling nor the pressure touches a bond. A molecule may lie in several patches, so
// its centre is a sum over their shares. If the bonds of fragments reach their own images, as in a
// crystal, there is no centre. Such fragments are scaled one by one. A fragment that is a molecule
// is scaled by itself, too. Units: Hartree atomic units.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "base/fixed_point.hpp"
#include "base/vec3.hpp"
#include "base/virial.hpp"
#include "particles/fragment.hpp"
#include "records/job/job.hpp"

namespace fg::classical {

class MoleculeTable {
 public:
  MoleculeTable() = default;
  /// Bonds between fragments make molecules of them.
  MoleculeTable(const Job& job, const FragmentTable& fragments);

  /// The number of molecules with several fragments.
  int size() const noexcept { return static_cast<int>(mass_.size()) * copies_.count(); }
  /// The molecule of a fragment; -1: it is scaled by itself.
  int of_fragment(int fragment) const noexcept {
    return copies_.several() ? of_copied_fragment(fragment) : of_fragment_[fragment];
  }
  double mass(int molecule) const noexcept {
    return mass_[copies_.several() ? static_cast<std::size_t>(molecule) % mass_.size()
                                   : static_cast<std::size_t>(molecule)];
  }
  /// The number of centres that a barostat scales.
  int centres() const noexcept { return centres_; }

  /// The box vectors to add to each fragment so that its molecule is whole [fragments]. Atoms are
  /// at `position`, from which `image` box vectors have been subtracted.
  std::vector<Int3> whole(const FragmentTable& fragments, const Box& box,
                          std::span<const Vec3> position, std::span<const Int3> image) const;

 private:
  struct Bond {
    std::int32_t from, to;  // atoms; the fragment of `to` is reached from that of `from`
  };

  int of_copied_fragment(int fragment) const noexcept;

  // These tables are of one copy:
  std::vector<std::int32_t> of_fragment_;  // [fragments]
  std::vector<double> mass_;               // [molecules]
  std::vector<Bond> tree_;                 // fragments in the order in which they are reached
  // [fragments] where a molecule that begins in cell 0 has the fragment; empty: all in one cell
  std::vector<Int3> cells_;
  Copies copies_;
  int centres_ = 0;  // of all copies
};

/// The centre of a whole molecule: place, velocity, and the force on all of its atoms.
struct MoleculeCentre {
  Vec3 position, velocity, force;
};

/// What the atoms of one fragment add to the centre of their molecule, in fixed point.
struct MoleculeShare {
  std::int32_t molecule = -1;
  std::array<std::int64_t, 3> position{}, velocity{}, force{};

  /// Adds a part of the molecule with this share of its mass. Returns false if it is beyond the
  /// range of the sums.
  bool add_place(double share, const Vec3& position, const Vec3& force) noexcept;
  bool add_velocity(double share, const Vec3& velocity) noexcept;
  void add(const MoleculeShare& other) noexcept;
  MoleculeCentre centre() const noexcept;
};

/// Adds what centres have in the pressure: mass * v_a v_b and position_a * force_b.
void add_centres(const MoleculeTable& molecules, std::span<const MoleculeCentre> centres,
                 Virial& motion, Virial& virial) noexcept;

}  // namespace fg::classical
