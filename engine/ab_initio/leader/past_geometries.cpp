// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/leader/past_geometries.hpp"

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "electrons/orbitals/geometry_extrapolation.hpp"
#include "electrons/waves/nearest_image.hpp"

namespace fg::ab_initio {

static_assert(electrons::most_past_geometries <= most_past);

void PastGeometries::add(std::span<const Vec3> positions) {
  if (past_.size() == electrons::most_past_geometries) past_.pop_back();
  past_.emplace(past_.begin(), positions.begin(), positions.end());
}

bool PastGeometries::predict(const Job& job, std::span<const Vec3> now, OrderMessage& order) const {
  if (past_.empty()) return false;
  const electrons::NearestImage nearest(job.cell);
  const std::vector<double> shares = electrons::geometry_shares(past_, now, std::cref(nearest));
  order.order = Order::predict;
  order.past = static_cast<std::int32_t>(shares.size());
  std::copy(shares.begin(), shares.end(), order.by_past);
  return true;
}

}  // namespace fg::ab_initio
