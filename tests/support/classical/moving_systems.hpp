// SPDX-License-Identifier: BSD-3-Clause
//
// Small patches for the tests of motion: rigid waters, X-H groups of one to four leaves, a rigid
// triangle that is no water, and free atoms, at random places with random velocities.
// Units: Hartree atomic units.
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "base/units.hpp"
#include "motion/atoms/moving_atoms.hpp"
#include "motion/constraints/constraints.hpp"
#include "particles/fragment.hpp"
#include "particles/topology.hpp"

namespace fg::test {

inline constexpr double dalton = 1.0 / units::electron_mass_in_dalton;
inline constexpr double angstrom = 1.0 / units::bohr_in_angstrom;
inline constexpr double femtosecond = 1.0 / units::time_in_fs;
inline constexpr double kelvin = 1.0 / units::hartree_in_kelvin;

/// Number of fragments of each kind.
struct Census {
  int waters = 0;
  std::array<int, max_star_leaves> stars{};  // by leaves, 1 to 4
  int triangles = 0;
  int free_atoms = 0;
};

/// A whole system in one patch.
struct SmallSystem {
  std::vector<Vec3> position;
  std::vector<double> mass;
  std::vector<std::int32_t> fragment;
  Topology topology;
  FragmentTable table;
  MovingAtoms atoms;
  std::vector<int> slot_of_atom;

  int size() const { return static_cast<int>(mass.size()); }
};

inline Vec3 random_vector(std::mt19937_64& random, double size) {
  std::uniform_real_distribution<double> range(-size, size);
  const double x = range(random), y = range(random);
  return {x, y, range(random)};
}

inline Vec3 random_direction(std::mt19937_64& random) {
  for (;;) {
    const Vec3 v = random_vector(random, 1.0);
    const double r = norm(v);
    if (r > 0.1 && r < 1.0) return (1.0 / r) * v;
  }
}

/// Rotates by the rotation that takes random axes to x, y.
inline std::pair<Vec3, Vec3> random_frame(std::mt19937_64& random) {
  const Vec3 a = random_direction(random);
  for (;;) {
    const Vec3 b = cross(a, random_direction(random));
    if (norm(b) > 0.1) return {a, (1.0 / norm(b)) * b};
  }
}

class SystemMaker {
 public:
  SystemMaker(std::uint64_t seed, double spread) : random_(seed), spread_(spread) {}

  SmallSystem make(const Census& census) {
    for (int i = 0; i < census.free_atoms; ++i) atom(random_vector(random_, spread_), 40 * dalton);
    for (int i = 0; i < census.waters; ++i) water();
    for (int leaves = 1; leaves <= max_star_leaves; ++leaves)
      for (int i = 0; i < census.stars[leaves - 1]; ++i) star(leaves);
    for (int i = 0; i < census.triangles; ++i) triangle();
    return std::move(system_);
  }

 private:
  int atom(const Vec3& position, double mass, int fragment = -1) {
    system_.position.push_back(position);
    system_.mass.push_back(mass);
    system_.fragment.push_back(fragment < 0 ? fragments_++ : fragment);
    return system_.size() - 1;
  }

  void water() {  // TIP3P: 0.9572 angstrom, 104.52 degrees
    const double r_oh = 0.9572 * angstrom, half_angle = 0.5 * 104.52 * std::acos(-1.0) / 180;
    const auto [a, b] = random_frame(random_);
    const Vec3 centre = random_vector(random_, spread_);
    const Vec3 up = (r_oh * std::cos(half_angle)) * a, side = (r_oh * std::sin(half_angle)) * b;
    const int o = atom(centre, 15.9994 * dalton);
    const int f = system_.fragment.back();
    const int h1 = atom(centre + up + side, 1.008 * dalton, f);
    const int h2 = atom(centre + up - side, 1.008 * dalton, f);
    system_.topology.waters.push_back({{o, h1, h2}, r_oh, 2 * norm(side)});
  }

  void star(int leaves) {
    const Vec3 centre = random_vector(random_, spread_);
    const auto [a, b] = random_frame(random_);
    const Vec3 c = cross(a, b);
    // Towards corners of a tetrahedron.
    const Vec3 towards[4] = {a + b + c, a - b - c, b - a - c, c - a - b};
    const int first_leaf = atom(centre + (1.09 * angstrom / std::sqrt(3.0)) * towards[0],
                                1.008 * dalton);  // the centre need not be the first atom
    const int f = system_.fragment.back();
    const int x = atom(centre, (leaves == 1 ? 14.007 : 12.011) * dalton, f);
    constrain(x, first_leaf);
    for (int k = 1; k < leaves; ++k) {
      const double length = (1.0 + 0.03 * k) * angstrom;
      constrain(x, atom(centre + (length / std::sqrt(3.0)) * towards[k], 1.008 * dalton, f));
    }
  }

  void triangle() {  // a rigid angle with unequal sides
    const Vec3 centre = random_vector(random_, spread_);
    const auto [a, b] = random_frame(random_);
    const int s = atom(centre, 32.06 * dalton);
    const int f = system_.fragment.back();
    const int p = atom(centre + 1.4 * angstrom * a, 16 * dalton, f);
    const int q = atom(centre + 1.1 * angstrom * b, 1.008 * dalton, f);
    constrain(s, p);
    constrain(s, q);
    constrain(q, p);
  }

  void constrain(int i, int j) {
    system_.topology.constraints.push_back(
        {{i, j}, norm(system_.position[i] - system_.position[j])});
  }

  std::mt19937_64 random_;
  double spread_;
  SmallSystem system_;
  int fragments_ = 0;
};

/// Puts all fragments into one patch, in the table's order.
inline PatchConstraints place_all(SmallSystem& system, double tolerance = 1e-10) {
  system.table = FragmentTable(system.topology, system.fragment, system.mass, system.position);
  const FragmentTable& table = system.table;
  MotionLayout layout;
  for (int f = 0; f < table.size(); ++f)
    (table.kind(f) == FragmentKind::water ? layout.waters : layout.others) +=
        table.kind(f) == FragmentKind::water ? 1 : static_cast<int>(table.atoms(f).size());
  system.atoms.reset(layout, table.water());
  system.slot_of_atom.assign(system.size(), -1);
  PatchConstraints constraints(table.water(), tolerance);
  constraints.clear(layout);
  int water = 0, other = 0;
  for (int f = 0; f < table.size(); ++f) {
    const auto atoms = table.atoms(f);
    const bool is_water = table.kind(f) == FragmentKind::water;
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      const int slot = is_water ? layout.water_slot(water, static_cast<int>(k))
                                : layout.other_slot(other + static_cast<int>(k));
      system.atoms.place(slot, atoms[k], system.mass[atoms[k]], system.position[atoms[k]], {});
      system.slot_of_atom[atoms[k]] = slot;
    }
    if (is_water) {
      ++water;
    } else {
      constraints.add(table, f, layout.other_slot(other));
      other += static_cast<int>(atoms.size());
    }
  }
  constraints.finish(system.atoms);
  return constraints;
}

}  // namespace fg::test
