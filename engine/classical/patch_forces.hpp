// SPDX-License-Identifier: BSD-3-Clause
//
// The sums of the forces on a patch's atoms during a step. They are exact, so that the order of
// arrival does not matter. Units: hartree/bohr; fixed point by force_scale.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/fixed_point.hpp"
#include "base/vec3.hpp"
#include "particles/add_fixed.hpp"
#include "particles/cluster_order.hpp"

namespace fg::classical {

template <class Real>
class PatchForces {
 public:
  void reset(int clusters) {
    sums_.assign(static_cast<std::size_t>(clusters) * cluster_numbers, 0);
  }
  void clear() noexcept { std::fill(sums_.begin(), sums_.end(), 0); }

  /// `forces` is Real [clusters][3][8]. Returns the slot of a force that is NaN or too large, or
  /// -1.
  int add_clusters(const Real* forces, const std::int32_t* cluster_index, int clusters) noexcept {
    const int c = add_fixed(sums_.data(), forces, cluster_index, clusters);
    if (c == clusters) return -1;
    const std::size_t bad = find_bad(forces + c * cluster_numbers, cluster_numbers);
    return cluster_index[c] * cluster_size + static_cast<int>(bad) % cluster_size;
  }

  /// Adds sums of whole clusters, from the first one on. False if there are more than this patch
  /// has.
  bool add_sums(std::span<const std::int64_t> sums) noexcept {
    if (sums.size() > sums_.size()) return false;
    for (std::size_t i = 0; i < sums.size(); ++i) sums_[i] += sums[i];
    return true;
  }

  /// False if the force is NaN or too large.
  bool add(int slot, const Vec3& force) noexcept {
    std::int64_t* const sums = sums_.data() + number_of_slot(slot);
    for (int axis = 0; axis < 3; ++axis) {
      if (!force_scale.fits(force[axis])) return false;
      sums[axis * cluster_size] += force_scale.to_fixed(force[axis]);
    }
    return true;
  }

  /// [clusters][3][8]
  const std::int64_t* sums() const noexcept { return sums_.data(); }
  /// Adds `more` a small number of `times`: exact, too.
  void add_times(const PatchForces& more, int times) noexcept {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += times * more.sums_[i];
  }

 private:
  std::vector<std::int64_t> sums_;  // [clusters][3][8]
};

}  // namespace fg::classical
