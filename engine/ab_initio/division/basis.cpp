// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/division/basis.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "fft/decomposition.hpp"

namespace fg::ab_initio {

namespace {

/// Planes that transforms of a slab do at once. A slab of others takes as long as the next
/// multiple.
constexpr int planes_at_once = 8;

/// A part of some planes, whole groups of them if every part gets two or more.
fft::Range share_of_planes(const fft::Range& planes, int parts, int part) {
  const int groups = (planes.size() + planes_at_once - 1) / planes_at_once;
  fft::Range share = fft::share(planes.size(), parts, part);
  if (groups >= 2 * parts) {
    share = fft::share(groups, parts, part);
    share = {planes_at_once * share.begin, std::min(planes_at_once * share.end, planes.size())};
  }
  return {planes.begin + share.begin, planes.begin + share.end};
}

/// The slabs along z of orbitals or of the density. The density has `fine` times as many, which may
/// be cut into pieces along y.
std::vector<fft::GridBox> boxes_of(const Job& job, int fine, int pieces) {
  std::vector<fft::GridBox> boxes;
  const fft::GridBox all = fft::whole(job.electrons.grid);
  for (int p = 0; p < job.division.wave_parts; ++p) {
    const fft::Range part = share_of_planes(all.range(2), job.division.wave_parts, p);
    for (int i = 0; i < fine; ++i) {
      const fft::Range planes = share_of_planes(part, fine, i);
      for (int piece = 0; piece < pieces; ++piece) {
        const fft::Range rows = fft::share(all.size(1), pieces, piece);
        boxes.push_back({{0, rows.begin, planes.begin}, {all.high[0], rows.end, planes.end}});
      }
    }
  }
  return boxes;
}

std::shared_ptr<const fft::SpherePlan> plan(const Job& job, double cutoff, int fine, int pieces) {
  return std::make_shared<const fft::SpherePlan>(
      fft::WaveSphere(job.electrons.grid, job.wave_cell().reciprocal_rows(), cutoff,
                      fft::SphereKind::half),
      boxes_of(job, fine, pieces));
}

std::vector<electrons::PlaneWaves> shares(const Job& job, const fft::SpherePlan& plan) {
  std::vector<electrons::PlaneWaves> shares;
  shares.reserve(static_cast<std::size_t>(plan.ranks()));
  for (int part = 0; part < plan.ranks(); ++part)
    shares.emplace_back(job.cell, plan.indices_of(part));
  return shares;
}

/// A chunk has at least one wave.
void require_chunks(int chunks, const std::vector<electrons::PlaneWaves>& parts) {
  const auto least = std::ranges::min(parts, {}, &electrons::PlaneWaves::size).size();
  if (chunks == 1 || static_cast<std::size_t>(chunks) <= least) return;
  throw InputError({.what = "there are more chunks than waves in a part",
                    .where = "pair_chunks",
                    .value = std::to_string(chunks),
                    .limit = "at most " + std::to_string(least),
                    .hint = "use fewer chunks, or fewer parts of waves"});
}

}  // namespace

Basis::Basis(const Job& job)
    : orbitals_(job.electrons.bands),
      pair_groups_(job.division.pair_groups),
      chunks_in_part_(job.division.pair_chunks),
      plane_pieces_(job.division.plane_pieces),
      wave_volume_(job.wave_cell().volume()),
      grid_points_(static_cast<double>(fft::whole(job.electrons.grid).volume())),
      start_cell_(job.cell),
      plan_(plan(job, job.largest_wave(), 1, 1)),
      density_plan_(plan(job, 2 * job.largest_wave(),
                         job.division.density_parts / job.division.wave_parts, plane_pieces_)),
      waves_(shares(job, *plan_)) {
  require_chunks(chunks_in_part_, waves_);
  for (const fft::Range& range :
       {fft::Range{0, job.electrons.up()}, fft::Range{job.electrons.up(), orbitals_}}) {
    if (range.size() == 0) continue;
    const int before = blocks();
    for (int first = range.begin; first < range.end; first += job.division.state_grain)
      blocks_.push_back({first, std::min(first + job.division.state_grain, range.end)});
    orbitals_of_spin_.push_back(range);
    blocks_of_spin_.push_back({before, blocks()});
  }
}

}  // namespace fg::ab_initio
