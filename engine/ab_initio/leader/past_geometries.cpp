// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/leader/past_geometries.hpp"

#include <functional>

#include "ab_initio/orders/orders.hpp"
#include "electrons/orbitals/geometry_extrapolation.hpp"
#include "electrons/waves/nearest_image.hpp"

namespace fg::ab_initio {

static_assert(electrons::most_past_geometries <= most_past);

void PastGeometries::add(std::span<const Vec3> positions) {
  if (past_.size() == electrons::most_past_geometries) past_.pop_back();
  past_.emplace(past_.begin(), positions.begin(), positions.end());
}

std::vector<double> PastGeometries::shares(const Job& job, std::span<const Vec3> now) const {
  if (past_.empty()) return {};
  const electrons::NearestImage nearest(job.cell);
  return electrons::geometry_shares(past_, now, std::cref(nearest));
}

}  // namespace fg::ab_initio
