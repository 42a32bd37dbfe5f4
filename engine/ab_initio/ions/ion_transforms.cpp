// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/ions/ion_transforms.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "fft/decomposition.hpp"

namespace fg::ab_initio {

namespace {

/// As the parts of the density: slabs along z, and their pieces along y.
std::vector<fft::GridBox> boxes_of(const fft::Grid& grid, const DivisionSettings& division) {
  std::vector<fft::GridBox> boxes;
  for (const fft::GridBox& slab : fft::slabs(grid, 2, division.density_parts))
    for (int piece = 0; piece < division.plane_pieces; ++piece) {
      const fft::Range rows = fft::share(grid[1], division.plane_pieces, piece);
      fft::GridBox& box = boxes.emplace_back(slab);
      box.low[1] = rows.begin;
      box.high[1] = rows.end;
    }
  return boxes;
}

/// A transform has the ions of two kinds; so many on the average.
double mean_ions(const Job& job, const IonTables& tables) {
  double ions = 0, transforms = 0;
  for (const auto& kinds : {tables.local_kinds(), tables.core_kinds()}) {
    for (const int kind : kinds)
      ions += static_cast<double>(std::ranges::count(job.species_of, kind));
    const std::size_t pairs = (kinds.size() + 1) / 2;
    transforms += static_cast<double>(pairs);
  }
  return transforms > 0 ? ions / transforms : 0;
}

}  // namespace

IonTransforms::IonTransforms(const Job& job, const Basis& basis, const IonTables& tables)
    : job_(&job),
      plan_(std::make_shared<const fft::SpherePlan>(
          fft::WaveSphere(job.local.grid, job.wave_cell().reciprocal_rows(), 2 * job.largest_wave(),
                          fft::SphereKind::half),
          boxes_of(job.local.grid, job.division))),
      costs_(*plan_, job.local.order, mean_ions(job, tables)) {
  electrons::check_spline_grid(job.local.grid, job.local.order);
  // The same columns are dealt out in the same way on any grid.
  for (int part = 0; part < basis.density_parts(); ++part)
    FG_CHECK(plan_->waves_of(part) == basis.density_plan()->waves_of(part));
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
