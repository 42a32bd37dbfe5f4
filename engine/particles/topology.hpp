// SPDX-License-Identifier: BSD-3-Clause
//
// The terms of a force field that name their atoms, and the constraints. Indices are in the input's
// order of atoms.
// Units: Hartree atomic units, radians.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace fg {

/// E = 1/2 stiffness (r - length)^2
struct Bond {
  std::array<std::int32_t, 2> atoms{};
  double length = 0;
  double stiffness = 0;
};

/// E = 1/2 stiffness (theta - angle)^2
struct Angle {
  std::array<std::int32_t, 3> atoms{};
  double angle = 0;
  double stiffness = 0;
};

/// E = stiffness (1 + cos(periodicity phi - phase))
struct Torsion {
  std::array<std::int32_t, 4> atoms{};
  std::int32_t periodicity = 0;
  double phase = 0;
  double stiffness = 0;
};

/// A pair left out of the pair kernel and computed separately instead. All zero: only left out.
struct Exception {
  std::array<std::int32_t, 2> atoms{};
  double charge_product = 0;
  double sigma = 0;
  double epsilon = 0;
};

/// An exclusion or exception that may get beyond the cutoff, where no pair kernel sees it. The mesh
/// holds its pair all the same; this term takes that out, at any distance.
struct FarExclusion {
  std::array<std::int32_t, 2> atoms{};
  double charge_product = 0;  // of the atoms' own charges
  double ewald_coefficient = 0;
};

struct Constraint {
  std::array<std::int32_t, 2> atoms{};
  double distance = 0;
};

/// A rigid water: oxygen, hydrogen, hydrogen.
struct Water {
  std::array<std::int32_t, 3> atoms{};
  double r_oh = 0;
  double r_hh = 0;
};

struct Topology {
  std::vector<Bond> bonds;
  std::vector<Angle> angles;
  std::vector<Torsion> torsions;
  std::vector<Exception> exceptions;
  std::vector<FarExclusion> far_exclusions;  // those of the exceptions that are such
  std::vector<Constraint> constraints;       // including those of the waters
  std::vector<Water> waters;
};

}  // namespace fg
