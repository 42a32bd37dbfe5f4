// SPDX-License-Identifier: BSD-3-Clause
#include "app/system.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "app/run_log.hpp"
#include "base/error.hpp"
#include "base/units.hpp"
#include "motion/kinetic.hpp"

namespace fg::app {

namespace {

std::vector<std::array<std::int32_t, 2>> excluded_pairs(const Topology& topology) {
  std::vector<std::array<std::int32_t, 2>> pairs;
  pairs.reserve(topology.exceptions.size());
  for (const auto& exception : topology.exceptions) pairs.push_back(exception.atoms);
  return pairs;
}

/// Distance along each axis, to the nearest image.
Vec3 apart(const Box& box, const Vec3& a, const Vec3& b) {
  Vec3 d = a - b;
  for (int axis = 0; axis < 3; ++axis)
    d[axis] = std::abs(d[axis] - box.edge[axis] * std::round(d[axis] / box.edge[axis]));
  return d;
}

std::string describe_pair(const Job& job, std::int32_t a, std::int32_t b) {
  return describe_atom(job, a) + " and " + describe_atom(job, b);
}

/// A term is computed where two neighbouring patches on each axis hold its atoms.
template <class Term>
void check_width(const Job& job, const PatchGrid& grid, const FragmentTable& fragments,
                 const std::vector<Term>& terms, const char* what) {
  const auto head = [&](std::int32_t atom) -> const Vec3& {
    return job.atoms.position[fragments.atoms(fragments.of_atom(atom))[0]];
  };
  for (const Term& term : terms)
    for (const std::int32_t a : term.atoms)
      for (const std::int32_t b : term.atoms) {
        const Vec3 d = apart(grid.box(), head(a), head(b));
        for (int axis = 0; axis < 3; ++axis)
          if (grid.shape()[axis] > 2 && d[axis] > grid.side()[axis])
            throw InputError(
                {.what = std::string("a ") + what +
                         " joins atoms that are too far apart: " + describe_pair(job, a, b),
                 .where = job.path,
                 .value = quantity(d[axis] * units::bohr_in_nm, "nm along one axis"),
                 .limit = quantity(grid.side()[axis] * units::bohr_in_nm, "nm, a patch"),
                 .hint = "check the coordinates; for a term that is meant to be so long, make the "
                         "job with fewer patches per axis"});
      }
}

/// The mesh holds every pair; the pair kernel takes out the excepted ones, within the cutoff.
void check_exceptions(const Job& job, const Box& box) {
  if (job.settings.electrostatics != Electrostatics::pme) return;
  for (const Exception& e : job.topology.exceptions) {
    const double distance =
        norm(apart(box, job.atoms.position[e.atoms[0]], job.atoms.position[e.atoms[1]]));
    if (distance < job.settings.cutoff) continue;
    throw InputError({.what = "an exclusion or exception joins atoms beyond the cutoff: " +
                              describe_pair(job, e.atoms[0], e.atoms[1]),
                      .where = job.path + ": /exceptions",
                      .value = quantity(distance * units::bohr_in_nm, "nm"),
                      .limit = quantity(job.settings.cutoff * units::bohr_in_nm, "nm"),
                      .hint = "with particle-mesh Ewald give a longer cutoff, or leave the "
                              "exception out"});
  }
}

}  // namespace

System::System(const Job& job)
    : job_(&job),
      grid_(Box{job.box},
            {job.settings.patch_grid.x, job.settings.patch_grid.y, job.settings.patch_grid.z}),
      fragments_(job.topology, job.atoms.fragment, job.atoms.mass, job.atoms.position),
      terms_(job.topology, job.atoms.size()),
      parameters_{
          .charge = job.atoms.charge, .sigma = job.atoms.sigma, .epsilon = job.atoms.epsilon},
      exclusions_(make_exclusion_table(job.atoms.size(), excluded_pairs(job.topology))) {
  total_mass_ = std::accumulate(job.atoms.mass.begin(), job.atoms.mass.end(), 0.0);
  degrees_of_freedom_ = fg::degrees_of_freedom(
      atoms(), fragments_.constraint_count(),
      job.dynamics.com_interval > 0 ? CentreOfMass::held : CentreOfMass::moves);

  // Partners are looked for in the 26 patches around; a thinner patch would hide some.
  const double needed = job.settings.list_cutoff + 2 * fragments_.reach();
  for (int axis = 0; axis < 3; ++axis)
    if (grid_.side()[axis] < needed)
      throw InputError(
          {.what = "the patches of this job are thinner than the pair list needs",
           .where = job.path + ": /settings/patch_grid",
           .value = quantity(grid_.side()[axis] * units::bohr_in_nm, "nm"),
           .limit = "at least " + quantity(needed * units::bohr_in_nm, "nm"),
           .hint = "make the job again with fewer patches per axis or a shorter cutoff"});
  check_width(job, grid_, fragments_, job.topology.bonds, "bond");
  check_width(job, grid_, fragments_, job.topology.angles, "angle");
  check_width(job, grid_, fragments_, job.topology.torsions, "torsion");
  check_width(job, grid_, fragments_, job.topology.exceptions, "exception");
  check_exceptions(job, grid_.box());
}

System::Place System::place(const Vec3& first) const noexcept {
  Int3 image = grid_.box().image_of(first);
  // A hair below zero rounds up to the edge itself, whose image is another one: placed again, after
  // a restart, the atom would go elsewhere. It stays where it is.
  const Vec3 wrapped = first - image_offset(image);
  const Vec3& edge = grid_.box().edge;
  if (wrapped.x >= edge.x) ++image.x;
  if (wrapped.y >= edge.y) ++image.y;
  if (wrapped.z >= edge.z) ++image.z;
  return {.patch = grid_.holding(first - image_offset(image)), .image = image};
}

}  // namespace fg::app
