// SPDX-License-Identifier: BSD-3-Clause
//
// Data that do not change during a run, computed once from the job and read by every chare: the
// fragments, the pairs that the pair kernel leaves out, and the placement of atoms into patches.
// Units: Hartree atomic units.
#pragma once

#include <cstdint>

#include "forces/bonded/term_index.hpp"
#include "particles/fragment.hpp"
#include "particles/patch_block.hpp"
#include "particles/patch_grid.hpp"
#include "records/job.hpp"

namespace fg::classical {

class System {
 public:
  explicit System(const Job& job);

  const Job& job() const noexcept { return *job_; }
  const PatchGrid& grid() const noexcept { return grid_; }
  const FragmentTable& fragments() const noexcept { return fragments_; }
  int atoms() const noexcept { return job_->atoms.size(); }

  /// The order in which a patch stores fragments: rigid waters first, then by number.
  std::int64_t storage_key(int fragment) const noexcept {
    const bool water = fragments_.kind(fragment) == FragmentKind::water;
    return (std::int64_t{water ? 0 : 1} << 32) + fragment;
  }

  const TermIndex& terms() const noexcept { return terms_; }
  const AtomParameters& parameters() const noexcept { return parameters_; }
  /// Pairs that the pair kernel leaves out.
  const ExclusionTable& exclusions() const noexcept { return exclusions_; }

  double total_mass() const noexcept { return total_mass_; }
  int degrees_of_freedom() const noexcept { return degrees_of_freedom_; }

  /// Moves a fragment into the box according to its first atom, and says which patch holds it. All
  /// code that places atoms (start, restart, migration) uses this function, so that all agree bit
  /// for bit. `first` is the first atom's position; the result's image is to be subtracted from all
  /// positions.
  struct Place {
    PatchIndex patch;
    Int3 image;
  };
  Place place(const Vec3& first) const noexcept;
  Vec3 image_offset(const Int3& image) const noexcept { return grid_.box().position(image); }

 private:
  const Job* job_;
  PatchGrid grid_;
  FragmentTable fragments_;
  TermIndex terms_;
  AtomParameters parameters_;
  ExclusionTable exclusions_;
  double total_mass_ = 0;
  int degrees_of_freedom_ = 0;
};

}  // namespace fg::classical
