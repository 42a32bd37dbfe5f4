// SPDX-License-Identifier: BSD-3-Clause
//
// Jobs whose cell may change: tables that reach further than the waves of the start, and other
// cells of the same ions.
#pragma once

#include <string>
#include <vector>

#include "ab_initio/job/job.hpp"
#include "support/ab_initio/placements.hpp"

namespace fg::test {

/// The tables reach to waves this many times as long as those of the start.
inline ab_initio::Job with_long_tables(ab_initio::Job job, double times = 1.3) {
  const double longest = 2 * times * job.largest_wave();
  const bool core = !job.species[0].core.empty();
  job.species = {gth_species(gth_silicon(), job.table_spacing, longest),
                 gth_species(gth_hydrogen(), job.table_spacing, longest)};
  return core ? with_core(job) : job;
}

enum class Shape { orthorhombic, triclinic };

inline ab_initio::Job with_shape(ab_initio::Job job, Shape shape) {
  if (shape == Shape::triclinic) return job;
  const electrons::Lattice old = job.cell;
  job.cell.vectors = {Vec3{9.1, 0, 0}, Vec3{0, 8.7, 0}, Vec3{0, 0, 9.4}};
  for (Vec3& r : job.positions) r = job.cell.position(old.fractional(r));
  return job;
}

/// The same multiples of the vectors of another cell, with the waves of the old one: smaller, and
/// with other angles unless the cell is orthorhombic.
inline ab_initio::Job in_another_cell(ab_initio::Job job, Shape shape) {
  const electrons::Lattice old = job.cell;
  job.cell_of_waves = old;
  job.cell.vectors[0] = job.cell.vectors[0] * 0.93;
  job.cell.vectors[1] = job.cell.vectors[1] * 1.02;
  job.cell.vectors[2] = job.cell.vectors[2] * 0.97;
  if (shape == Shape::triclinic) {
    job.cell.vectors[1].x += 0.3;
    job.cell.vectors[2].y -= 0.2;
    job.cell.vectors[0].z += 0.1;
  }
  for (Vec3& r : job.positions) r = job.cell.position(old.fractional(r));
  return job;
}

}  // namespace fg::test
