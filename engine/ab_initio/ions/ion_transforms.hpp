// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms between the waves of the density and a grid of splines. On this grid the parts of the
// density meet the ions: local potential, core, and forces on them. Parts of the grid are slabs of
// planes along z, cut along y as the parts of the density are. A part of the grid has the waves of
// the same part of the density.
#pragma once

#include <memory>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/ions/ion_tables.hpp"
#include "ab_initio/ions/spline_costs.hpp"
#include "electrons/splines/spline_field.hpp"
#include "fft/sphere/sphere_plan.hpp"

namespace fg::ab_initio {

class IonTransforms {
 public:
  /// Throws InputError if the grid does not hold the waves, or has fewer points than the order of
  /// the splines.
  IonTransforms(const Job& job, const Basis& basis, const IonTables& tables);

  const std::shared_ptr<const fft::SpherePlan>& plan() const noexcept { return plan_; }
  const SplineCosts& costs() const noexcept { return costs_; }

  /// The fields of ions on a part, with the functions of their kinds. `used` are the kinds that
  /// have one, the same for all parts. The waves are those of the part, and must outlive it. The
  /// ions have no positions yet.
  electrons::SplineFieldShare share(const electrons::PlaneWaves& waves, int part,
                                    std::vector<electrons::RadialWaves> kinds,
                                    std::vector<int> used) const;

 private:
  const Job* job_;
  std::shared_ptr<const fft::SpherePlan> plan_;
  SplineCosts costs_;
};

}  // namespace fg::ab_initio
