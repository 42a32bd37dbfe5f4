// SPDX-License-Identifier: BSD-3-Clause
//
// The positions at which searches have ended, one after the other. All orbitals remember theirs at
// these positions. The next search begins from them
// (electrons/orbitals/geometry_extrapolation.hpp).
#pragma once

#include <span>
#include <vector>

#include "ab_initio/job/job.hpp"
#include "base/vec3.hpp"

namespace fg::ab_initio {

class PastGeometries {
 public:
  /// The newest one.
  void add(std::span<const Vec3> positions);
  /// Forgets all geometries: the present orbitals belong to none of them.
  void clear() noexcept { past_.clear(); }

  /// The shares of the orbitals of each, the newest first, in a prediction at these positions.
  /// Empty if nothing is known.
  std::vector<double> shares(const Job& job, std::span<const Vec3> now) const;

 private:
  std::vector<std::vector<Vec3>> past_;  // the newest first
};

}  // namespace fg::ab_initio
