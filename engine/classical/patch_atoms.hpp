// SPDX-License-Identifier: BSD-3-Clause
//
// A set of whole fragments in the order in which they are stored and moved. The set has the
// fragments of one patch or, at the start of a run, all of them. Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/virial.hpp"
#include "classical/atom_messages.hpp"
#include "classical/job/system.hpp"
#include "motion/atoms/moving_atoms.hpp"
#include "motion/constraints/constraints.hpp"
#include "motion/virtual_sites.hpp"

namespace fg::classical {

/// Sums over fragments and shares of molecules, as EnergyDeposit has them.
struct CentreSums {
  Virial motion{}, inner_virial{};
  std::vector<MoleculeShare> shares;
};

/// Where the molecules of several fragments are.
struct WholeMolecules {
  Box box;                                    // of the positions
  std::span<const Int3> images;               // [fragments], as MoleculeTable::whole has them
  std::span<const MoleculeCentre> centres{};  // [molecules], for a scaling
};

class PatchAtoms {
 public:
  explicit PatchAtoms(const System& system)
      : system_(system),
        constraints_(system.fragments().water(), system.job().dynamics.constraint_tolerance) {}

  /// `records` are whole fragments in any order, the atoms of each in the table's order. Allocates
  /// only to grow.
  void settle(const std::vector<AtomRecord>& records);

  int size() const noexcept { return static_cast<int>(slots_.size()); }
  /// For the i-th atom: its slot in moving(), its index in the input, and the box edges subtracted
  /// from it. The atoms of a fragment are consecutive.
  int slot(int i) const noexcept { return slots_[i]; }
  const std::vector<std::int32_t>& slots() const noexcept { return slots_; }
  std::int32_t id(int i) const noexcept { return ids_[i]; }
  const std::vector<std::int32_t>& ids() const noexcept { return ids_; }
  const Int3& image(int i) const noexcept { return images_[i]; }

  Vec3 position(int i) const noexcept { return moving_.position_of(slots_[i]); }
  Vec3 velocity(int i) const noexcept { return moving_.velocity_of(slots_[i]); }
  Vec3 force(int i) const noexcept { return moving_.force_of(slots_[i]); }

  MovingAtoms& moving() noexcept { return moving_; }
  const MovingAtoms& moving() const noexcept { return moving_; }
  const PatchConstraints& constraints() const noexcept { return constraints_; }

  /// Must be called whenever atoms have moved: puts the virtual sites where their parents say.
  void place_sites() noexcept { sites_.place(moving_); }
  /// What the present forces have in the sums: begins the shares of molecules, one for each of
  /// their fragments. Allocates only to grow. Returns the first atom of a fragment whose share is
  /// beyond the range of the sums; -1: none is.
  int sum_forces(const WholeMolecules& molecules, CentreSums& sums) const;
  /// What the present velocities have in them; after the above.
  int sum_motion(CentreSums& sums) const;
  /// Scales the centres of molecules about the origin, their velocities inversely, and all
  /// velocities; shifts `also` [atoms] with the positions.
  void scale(const Scaling& scaling, const WholeMolecules& molecules,
             std::span<Vec3> also) noexcept;

  /// Moves the forces on virtual sites to their parents; returns the change of the virial.
  Virial share_site_forces() noexcept { return sites_.share_forces(moving_); }

 private:
  void remember(const AtomRecord& record, int slot);
  template <class Visit>
  void for_each_fragment(Visit&& visit) const;
  int molecule_of(int atom) const noexcept {
    return system_.molecules().of_fragment(system_.fragments().of_atom(id(atom)));
  }
  Vec3 offset_in_molecule(int atom, const WholeMolecules& molecules) const noexcept;
  Vec3 velocity_of_centre(int first, int end, double mass) const noexcept;
  void put_sites(int fragment, const AtomRecord* records, int first_slot);

  const System& system_;
  MovingAtoms moving_;
  PatchConstraints constraints_;
  VirtualSites sites_;
  std::vector<std::int32_t> slots_;                           // [atoms]
  std::vector<std::int32_t> ids_;                             // [atoms]
  std::vector<Int3> images_;                                  // [atoms]
  std::vector<std::pair<std::int64_t, std::int32_t>> order_;  // storage key, first record
};

}  // namespace fg::classical
