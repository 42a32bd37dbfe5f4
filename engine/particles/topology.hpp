// SPDX-License-Identifier: BSD-3-Clause
//
// The constraints and virtual sites of a job. Indices are in the input's order of atoms.
// Units: bohr.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "particles/virtual_site.hpp"

namespace fg {

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
  std::vector<Constraint> constraints;  // including those of the waters
  std::vector<Water> waters;
  std::vector<VirtualSite> virtual_sites;
};

}  // namespace fg
