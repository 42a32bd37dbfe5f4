// SPDX-License-Identifier: BSD-3-Clause
#include "app/system.hpp"

#include <algorithm>
#include <numeric>

#include "app/run_log.hpp"
#include "base/error.hpp"
#include "base/units.hpp"
#include "motion/kinetic.hpp"

namespace fg::app {

System::System(const Job& job)
    : job_(&job),
      grid_(Box{job.box},
            {job.settings.patch_grid.x, job.settings.patch_grid.y, job.settings.patch_grid.z}),
      fragments_(job.topology, job.atoms.fragment, job.atoms.mass, job.atoms.position) {
  collect_exclusions();
  mark_bonded();
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

void System::mark_bonded() {
  bonded_.assign(atoms(), 0);
  const auto mark = [&](const auto& terms) {
    for (const auto& term : terms)
      for (const auto atom : term.atoms) bonded_[atom] = 1;
  };
  mark(job_->topology.bonds);
  mark(job_->topology.angles);
  mark(job_->topology.torsions);
  for (const auto& e : job_->topology.exceptions)
    if (e.charge_product != 0 || e.epsilon != 0)
      for (const auto atom : e.atoms) bonded_[atom] = 1;
}

void System::collect_exclusions() {
  std::vector<std::vector<std::int32_t>> partners(atoms());
  for (const auto& e : job_->topology.exceptions) {
    partners[e.atoms[0]].push_back(e.atoms[1]);
    partners[e.atoms[1]].push_back(e.atoms[0]);
  }
  excluded_start_.assign(1, 0);
  for (auto& list : partners) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    excluded_.insert(excluded_.end(), list.begin(), list.end());
    excluded_start_.push_back(static_cast<std::int32_t>(excluded_.size()));
  }
}

System::Place System::place(const Vec3& first) const noexcept {
  const Int3 image = grid_.box().image_of(first);
  return {.patch = grid_.holding(first - image_offset(image)), .image = image};
}

}  // namespace fg::app
