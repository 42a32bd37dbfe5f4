// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/ion_transforms.hpp"

#include <utility>

#include "base/error.hpp"
#include "fft/decomposition.hpp"

namespace fg::ab_initio {

IonTransforms::IonTransforms(const Job& job, const Basis& basis)
    : job_(&job),
      plan_(std::make_shared<const fft::SpherePlan>(
          fft::WaveSphere(job.local.grid, job.wave_cell().reciprocal_rows(), 2 * job.largest_wave(),
                          fft::SphereKind::half),
          fft::slabs(job.local.grid, 2, job.cut.density_parts))) {
  electrons::check_spline_grid(job.local.grid, job.local.order);
  // The same columns are dealt out in the same way on any grid.
  for (int part = 0; part < basis.density_parts(); ++part)
    FG_CHECK(plan_->waves_of(part) == basis.density_waves(part).size());
}

electrons::SplineFieldShare IonTransforms::share(const electrons::PlaneWaves& waves, int part,
                                                 std::vector<electrons::RadialWaves> kinds,
                                                 std::vector<int> used) const {
  return {waves,
          std::move(kinds),
          std::move(used),
          job_->species_of,
          job_->local.grid,
          job_->local.order,
          plan_->points()[static_cast<std::size_t>(part)]};
}

}  // namespace fg::ab_initio
