// SPDX-License-Identifier: BSD-3-Clause
//
// Fragments: atoms that move between patches together. So no constraint ever crosses from one patch
// to another (Fitch et al., Blue Matter, "fragments"; GROMACS, "update groups"). Atoms are
// identified by their index in the input; inside a fragment by their place in it. Units: Hartree
// atomic units.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/vec3.hpp"
#include "particles/copies.hpp"
#include "particles/topology.hpp"

namespace fg {

/// How the constraints of a fragment are solved.
enum class FragmentKind : std::uint8_t {
  water,  // rigid triangle O, H, H of the common geometry, with or without virtual sites: SETTLE
  // a centre and one to four leaves, each at a fixed distance from the centre: Newton on the
  // multipliers
  star,
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

/// The one geometry that SETTLE uses; waters with another geometry are `general`.
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

  /// `fragment_of_atom` holds any numbers, equal for atoms of one fragment. Fragments are
  /// renumbered by their first atom. Atoms keep their input order inside a fragment, with
  /// exceptions. A water has the order O, H, H. Others begin with the middle of their constraints
  /// (a star with its centre). Virtual sites come last. No fragment is split across the box edge.
  ///
  /// Throws InputError, naming the atoms, if a constraint or a site joins two fragments, or if two
  /// constraints or waters contradict each other. Throws it also if a site has a constraint or is a
  /// parent. All this is said of one copy. The fragments of the others follow copy by copy.
  FragmentTable(const Topology& topology, std::span<const std::int32_t> fragment_of_atom,
                std::span<const double> masses, std::span<const Vec3> positions,
                const Copies& copies = {});

  int size() const noexcept { return size_of_copy() * copies_.count(); }
  /// The fragments of one copy.
  int size_of_copy() const noexcept { return static_cast<int>(kind_.size()); }
  FragmentKind kind(int fragment) const noexcept { return kind_[within(fragment)]; }
  AtomsOfCopy atoms(int fragment) const noexcept {
    if (!copies_.several()) return {own_atoms(fragment), 0};
    return {own_atoms(within(fragment)), copy_of(fragment) * atoms_of_copy()};
  }
  std::span<const FragmentConstraint> constraints(int fragment) const noexcept {
    const int f = within(fragment);
    return {constraints_.data() + first_constraint_[f],
            constraints_.data() + first_constraint_[f + 1]};
  }
  /// The virtual sites among the atoms, as indices into the topology's, which names the atoms of
  /// the first copy.
  std::span<const std::int32_t> sites(int fragment) const noexcept {
    const int f = within(fragment);
    return {sites_.data() + first_site_[f], sites_.data() + first_site_[f + 1]};
  }
  int of_atom(int atom) const noexcept {
    if (!copies_.several()) return of_atom_[atom];
    return copies_.of_atom(atom) * size_of_copy() + of_atom_[copies_.within(atom)];
  }
  const Copies& copies() const noexcept { return copies_; }
  /// The number of a fragment within its copy, and the copy.
  int within(int fragment) const noexcept {
    return copies_.several() ? fragment % size_of_copy() : fragment;
  }
  int copy_of(int fragment) const noexcept {
    return copies_.several() ? fragment / size_of_copy() : 0;
  }

  const WaterGeometry& water() const noexcept { return water_; }
  int constraint_count() const noexcept {
    return static_cast<int>(constraints_.size()) * copies_.count();
  }

  /// The largest possible distance of an atom from the first atom of its fragment [bohr]. The
  /// position of that first atom decides the patch. The distance is exact along constraints.
  /// Between the parents of a site, and between a site and its parents, it is 1.5 times the
  /// distance at the start. So it is for atoms without such a chain.
  double reach() const noexcept { return reach_; }

 private:
  std::span<const std::int32_t> own_atoms(int fragment) const noexcept {
    return {atoms_.data() + first_atom_[fragment], atoms_.data() + first_atom_[fragment + 1]};
  }
  int atoms_of_copy() const noexcept { return static_cast<int>(of_atom_.size()); }

  // These tables are of one copy:
  std::vector<std::int32_t> first_atom_;        // [fragments + 1]
  std::vector<std::int32_t> atoms_;             // [atoms]
  std::vector<std::int32_t> first_constraint_;  // [fragments + 1]
  std::vector<FragmentConstraint> constraints_;
  std::vector<std::int32_t> first_site_;  // [fragments + 1]
  std::vector<std::int32_t> sites_;
  std::vector<FragmentKind> kind_;     // [fragments]
  std::vector<std::int32_t> of_atom_;  // [atoms]
  WaterGeometry water_;
  double reach_ = 0;
  Copies copies_;
};

}  // namespace fg
