// SPDX-License-Identifier: BSD-3-Clause
//
// Overlapping atoms, and a soft repulsion that separates them. True pair forces become infinite for
// atoms at the same place. This one, k/2 (1 - r/c)^2 c^2 below the contact distance c, is finite
// everywhere. Excluded pairs and pairs without an interaction are never in contact. Units: bohr,
// hartree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "base/vec3.hpp"
#include "forces/terms/exception_pair.hpp"
#include "particles/patch_block.hpp"

namespace fg {

/// The closest pair in units of its contact distance.
struct ClosestContact {
  double ratio = 1;  // distance over contact distance; 1 if no pair is in contact
  double distance = 0;
  std::int32_t a = -1, b = -1;
};

class Contacts {
 public:
  /// All arguments must outlive this object. `exceptions` are those of one copy.
  Contacts(const AtomParameters& parameters, const ExclusionTable& exclusions,
           const std::vector<ExceptionPair>& exceptions, const Box& box,
           const RepeatedCell& repeated = {});

  /// The closest of all pairs below `limit` contact distances.
  ClosestContact closest(std::span<const Vec3> positions, double limit) const;

  /// Adds the repulsion to `forces` and returns its energy.
  double add_repulsion(std::span<const Vec3> positions, std::span<Vec3> forces) const;

 private:
  /// The distance below which a pair is in contact; zero for a pair that does not interact.
  double distance_of(std::int32_t a, std::int32_t b) const noexcept;
  /// Calls visit(a, b, from a to b, contact distance) for pairs below `limit` contact distances.
  template <class Visit>
  void for_each(std::span<const Vec3> positions, double limit, Visit&& visit) const;

  const AtomParameters& parameters_;
  const ExclusionTable& exclusions_;
  const std::vector<ExceptionPair>& exceptions_;
  std::vector<Int3> cells_;  // of the second atom of each, with copies
  Box box_;
  double longest_ = 0;
};

}  // namespace fg
