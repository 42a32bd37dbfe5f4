// SPDX-License-Identifier: BSD-3-Clause
#include "app/system.hpp"

#include <array>
#include <numeric>
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
      atoms(), static_cast<int>(job.topology.constraints.size()),
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
}

System::Place System::place(const Vec3& first) const noexcept {
  const Int3 image = grid_.box().image_of(first);
  return {.patch = grid_.holding(first - image_offset(image)), .image = image};
}

}  // namespace fg::app
