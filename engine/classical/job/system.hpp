// SPDX-License-Identifier: BSD-3-Clause
//
// Data that do not change during a run, computed once from the job and read by every chare. They
// are the fragments, the pairs that the pair kernel leaves out, and the placement of atoms into
// patches. All of it is stored for one copy of the job's cell. Units: Hartree atomic units.
#pragma once

#include <cstdint>

#include "classical/job/molecules.hpp"
#include "forces/bonded/term_index.hpp"
#include "forces/restraints/restraint_table.hpp"
#include "particles/fragment.hpp"
#include "particles/patch_block.hpp"
#include "particles/patch_grid.hpp"
#include "records/job/job.hpp"

namespace fg::classical {

class System {
 public:
  explicit System(const Job& job);

  const Job& job() const noexcept { return *job_; }
  /// The grid at the start of the job.
  const PatchGrid& grid() const noexcept { return grid_; }
  const FragmentTable& fragments() const noexcept { return fragments_; }
  /// The molecules of several fragments.
  const MoleculeTable& molecules() const noexcept { return molecules_; }
  /// The atoms of all copies.
  int atoms() const noexcept { return copies_.count() * job_->atoms.size(); }
  const Copies& copies() const noexcept { return copies_; }
  double mass(int atom) const noexcept { return job_->atoms.mass[copies_.within(atom)]; }

  /// The order in which a patch stores fragments: rigid waters first, then by number.
  std::int64_t storage_key(int fragment) const noexcept {
    const bool water = fragments_.kind(fragment) == FragmentKind::water;
    return (std::int64_t{water ? 0 : 1} << 32) + fragment;
  }

  const TermIndex& terms() const noexcept { return terms_; }
  const RestraintTable& restraints() const noexcept { return restraints_; }
  const AtomParameters& parameters() const noexcept { return parameters_; }
  /// Pairs that the pair kernel leaves out.
  const ExclusionTable& exclusions() const noexcept { return exclusions_; }

  double total_mass() const noexcept { return total_mass_; }
  /// The first atoms of two fragments with a pair in a list are closer than this [bohr].
  double partner_distance() const noexcept {
    return job_->settings.list_cutoff + 2 * fragments_.reach();
  }
  /// Partners are searched for in the patches within the reach; with thinner ones some would be
  /// missed.
  Vec3 least_patch_widths() const noexcept {
    const double needed = partner_distance();
    const Int3& reach = job_->settings.reach;
    return {needed / reach.x, needed / reach.y, needed / reach.z};
  }
  /// How many patches further than its lowest patch a bonded term may have atoms.
  const std::array<int, 3>& term_reach() const noexcept { return term_reach_; }
  int degrees_of_freedom() const noexcept { return degrees_of_freedom_; }

 private:
  const Job* job_;
  Copies copies_;
  PatchGrid grid_;
  std::array<int, 3> term_reach_{1, 1, 1};
  FragmentTable fragments_;
  MoleculeTable molecules_;
  TermIndex terms_;
  RestraintTable restraints_;
  AtomParameters parameters_;
  ExclusionTable exclusions_;
  double total_mass_ = 0;
  int degrees_of_freedom_ = 0;
};

}  // namespace fg::classical
