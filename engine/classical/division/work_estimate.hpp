// SPDX-License-Identifier: BSD-3-Clause
//
// How long each object of a classical run is expected to work in a step, before anything has been
// measured: from the job's division and the positions at the start. It decides places only, never
// bits.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "classical/job/system.hpp"
#include "particles/pair_counts.hpp"
#include "records/options/run_options.hpp"

namespace fg::classical {

/// What objects do in a step, counted. All have what does not depend on numbers, and messages of
/// pair forces. Then: pairs of atoms on the list, and atoms that a pair compute copies; atoms that
/// a patch moves, and that a spreader puts on the mesh; points of a spreader's grid; bonded terms;
/// points of the mesh in a pencil along z, which adds up grids, and along y or x.
inline constexpr std::array<std::string_view, 10> kinds_of_work{
    "object",    "message",    "pair",        "pair-atom", "patch-atom",
    "mesh-atom", "grid-point", "bonded-term", "z-point",   "line-point"};
enum WorkKind : std::uint8_t {
  of_object,
  of_message,
  of_pair,
  of_pair_atom,
  of_patch_atom,
  of_mesh_atom,
  of_grid_point,
  of_bonded_term,
  of_z_point,
  of_line_point
};
using WorkCounts = std::array<std::int64_t, kinds_of_work.size()>;
/// How long one of each takes [ps], as fitted by bench/accuracy/work_estimate.py to measured times
/// (bench/results/work_estimate.json says on which machine). Only the ratios matter.
inline constexpr WorkCounts work_picoseconds{1900000, 300000, 2150,  1000, 65000,
                                             37000,   750,    28000, 3200, 1350};

/// The same in double precision: fewer numbers fit into a vector, and each is twice as long. The
/// ratios are those of the times of DHFR on one core of a Xeon with AVX-512.
inline constexpr WorkCounts work_picoseconds_in_double{
    work_picoseconds[of_object],         work_picoseconds[of_message],
    work_picoseconds[of_pair] * 3 / 2,   work_picoseconds[of_pair_atom] * 3 / 2,
    work_picoseconds[of_patch_atom],     work_picoseconds[of_mesh_atom] * 2,
    work_picoseconds[of_grid_point] * 2,
    work_picoseconds[of_bonded_term],  // always in double precision
    work_picoseconds[of_z_point] * 2,    work_picoseconds[of_line_point] * 2};

constexpr const WorkCounts& times_of_work(Precision precision) noexcept {
  return precision == Precision::double_precision ? work_picoseconds_in_double : work_picoseconds;
}

/// The fit, for a reader who sees times that follow from it.
inline constexpr std::string_view work_fit =
    "a fit to one core of an AMD EPYC with AVX-512, 2026-11-24";

struct ObjectWork {
  WorkCounts counts{};
  std::int64_t interval = 1;  // steps between two rounds
  const WorkCounts* times = &work_picoseconds;

  std::int64_t picoseconds() const noexcept {
    return std::inner_product(counts.begin(), counts.end(), times->begin(), std::int64_t{0}) /
           interval;
  }
};

struct WorkEstimate {
  std::vector<ObjectWork> patches, spreaders, bonded;  // by patch
  std::vector<ObjectWork> pairs;                       // by patch and run
  std::vector<ObjectWork> z_pencils, other_pencils;    // the others along y and x; none: no mesh
};

/// The pairs within the inner list. Most of the time of an estimate goes here.
PairCounts count_pairs(const System& system, const PatchGrid& grid,
                       std::span<const Vec3> positions);

/// The same numbers in every process, since only integers are summed.
WorkEstimate estimate_work(const System& system, const PatchGrid& grid,
                           std::span<const Vec3> positions, ForceParts parts);
/// The same with pairs that have been counted for these positions and this grid.
WorkEstimate estimate_work(const System& system, const PatchGrid& grid,
                           std::span<const Vec3> positions, ForceParts parts,
                           const PairCounts& counts);

}  // namespace fg::classical
