// SPDX-License-Identifier: BSD-3-Clause
//
// The sums over bonded terms besides the forces.
// Units: hartree.
#pragma once

#include <array>
#include <numeric>

#include "base/virial.hpp"
#include "forces/energy_terms.hpp"

namespace fg {

struct BondedSums {
  std::array<double, energy_term_count> energy{};  // by energy_term(name)
  Virial virial{};

  double total() const noexcept { return std::accumulate(energy.begin(), energy.end(), 0.0); }
};

}  // namespace fg
