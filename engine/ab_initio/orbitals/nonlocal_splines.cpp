// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/orbitals/nonlocal_splines.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "fft/decomposition.hpp"

namespace fg::ab_initio {

namespace {

/// A channel has so many ions on the average.
double mean_ions(const Job& job, const std::vector<electrons::SplineChannel>& channels) {
  double ions = 0;
  for (const electrons::SplineChannel& channel : channels)
    ions += static_cast<double>(std::ranges::count(job.species_of, channel.kind));
  return channels.empty() ? 0 : ions / static_cast<double>(channels.size());
}

}  // namespace

NonlocalSplines::NonlocalSplines(const Job& job, const Basis& basis, const IonTables& tables)
    : job_(&job),
      basis_(&basis),
      tables_(&tables),
      plan_(std::make_shared<const fft::SpherePlan>(
          fft::WaveSphere(job.nonlocal.grid, job.wave_cell().reciprocal_rows(), job.largest_wave(),
                          fft::SphereKind::half),
          fft::slabs(job.nonlocal.grid, 2, job.division.wave_parts))),
      channels_(electrons::spline_channels(tables.projectors(), job.species_of)),
      coupling_(tables.projectors(), job.species_of),
      costs_(*plan_, job.nonlocal.order, mean_ions(job, channels_)),
      waves_(static_cast<std::size_t>(basis.parts())),
      ions_(static_cast<std::size_t>(basis.parts())) {
  electrons::check_spline_grid(job.nonlocal.grid, job.nonlocal.order);
  // The same columns are dealt out in the same way on any grid.
  for (int part = 0; part < basis.parts(); ++part)
    FG_CHECK(plan_->waves_of(part) == basis.waves(part).size());
}

void NonlocalSplines::make_part(int part, const electrons::PlaneWaves& waves) {
  const auto at = static_cast<std::size_t>(part);
  const int order = job_->nonlocal.order;
  waves_[at] = std::make_unique<const electrons::SplineWaves>(waves, tables_->projectors(),
                                                              job_->nonlocal.grid, order);
  ions_[at] =
      std::make_unique<electrons::IonSplines>(job_->nonlocal.grid, order, plan_->points()[at]);
}

}  // namespace fg::ab_initio
