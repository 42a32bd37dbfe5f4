// SPDX-License-Identifier: BSD-3-Clause
//
// Fragments: atoms that move between patches together, so that no constraint ever crosses from one
// patch to another (Fitch et al., Blue Matter, "fragments"; GROMACS, "update groups").
// Atoms are named by their index in the input; inside a fragment by their place in it.
// Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/vec3.hpp"
#include "particles/topology.hpp"

namespace fg {

/// How the constraints of a fragment are solved.
enum class FragmentKind : std::uint8_t {
  water,    // rigid triangle O, H, H of the common geometry: SETTLE
  star,     // a centre and one to four leaves, each held to the centre: Newton on the multipliers
  general,  // any other constraints: SHAKE
  free,     // no constraints
};

inline constexpr int max_star_leaves = 4;

/// Two atoms of one fragment, by place in it, at a fixed distance.
struct FragmentConstraint {
  std::int32_t a = 0;
  std::int32_t b = 0;
  double distance = 0;
};

/// The one geometry that SETTLE serves; waters that differ from it are `general`.
struct WaterGeometry {
  double r_oh = 0;
  double r_hh = 0;
  double mass_o = 0;
  double mass_h = 0;

  friend bool operator==(const WaterGeometry&, const WaterGeometry&) = default;
};

class FragmentTable {
 public:
  FragmentTable() = default;

  /// `fragment_of_atom` holds any numbers, equal for atoms of one fragment; fragments are counted
  /// anew by their first atom. Atoms keep their input order inside a fragment, but for O, H, H in
  /// a water and the centre first in a star. `positions` are whole fragments.
  /// Throws InputError, naming the atoms, if a constraint joins two fragments or two constraints
  /// or waters contradict each other.
  FragmentTable(const Topology& topology, std::span<const std::int32_t> fragment_of_atom,
                std::span<const double> masses, std::span<const Vec3> positions);

  int size() const noexcept { return static_cast<int>(kind_.size()); }
  FragmentKind kind(int fragment) const noexcept { return kind_[fragment]; }
  std::span<const std::int32_t> atoms(int fragment) const noexcept {
    return {atoms_.data() + first_atom_[fragment], atoms_.data() + first_atom_[fragment + 1]};
  }
  std::span<const FragmentConstraint> constraints(int fragment) const noexcept {
    return {constraints_.data() + first_constraint_[fragment],
            constraints_.data() + first_constraint_[fragment + 1]};
  }
  int of_atom(int atom) const noexcept { return of_atom_[atom]; }

  const WaterGeometry& water() const noexcept { return water_; }
  int constraint_count() const noexcept { return static_cast<int>(constraints_.size()); }

  /// The farthest that an atom may lie from the first atom of its fragment, which decides the patch
  /// [bohr]: along constraints exactly, for atoms without a chain of them 1.5 times their distance
  /// at the start.
  double reach() const noexcept { return reach_; }

 private:
  std::vector<std::int32_t> first_atom_;        // [fragments + 1]
  std::vector<std::int32_t> atoms_;             // [atoms]
  std::vector<std::int32_t> first_constraint_;  // [fragments + 1]
  std::vector<FragmentConstraint> constraints_;
  std::vector<FragmentKind> kind_;     // [fragments]
  std::vector<std::int32_t> of_atom_;  // [atoms]
  WaterGeometry water_;
  double reach_ = 0;
};

}  // namespace fg
