// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/influence.hpp"

#include "forces/mesh/optimal_influence.hpp"
#include "forces/mesh/smooth_influence.hpp"

namespace fg {

std::unique_ptr<Influence> make_influence(const MeshSettings& settings) {
  if (settings.influence == InfluenceFunction::optimal)
    return std::make_unique<OptimalInfluence>(settings);
  return std::make_unique<SmoothInfluence>(settings);
}

}  // namespace fg
