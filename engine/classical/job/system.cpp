// SPDX-License-Identifier: BSD-3-Clause
#include "classical/job/system.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"
#include "motion/kinetic.hpp"
#include "records/log/run_log.hpp"

namespace fg::classical {

namespace {

template <class Term>
std::vector<std::array<std::int32_t, 2>> pairs_of(const std::vector<Term>& terms) {
  std::vector<std::array<std::int32_t, 2>> pairs;
  pairs.reserve(terms.size());
  for (const Term& term : terms) pairs.push_back(term.atoms);
  return pairs;
}

/// Distance across each pair of faces, for the nearest image.
Vec3 apart(const Box& box, const Vec3& a, const Vec3& b) {
  const Vec3 s = box.fractional(box.nearest_image(a - b));
  const Vec3 widths = box.widths();
  return {std::abs(s.x) * widths.x, std::abs(s.y) * widths.y, std::abs(s.z) * widths.z};
}

std::string describe_pair(const Job& job, std::int32_t a, std::int32_t b) {
  return describe_atom(job, a) + " and " + describe_atom(job, b);
}

/// A term can be computed if its atoms are within two neighbouring patches on each axis.
template <class Term>
void check_width(const Job& job, const PatchGrid& grid, const FragmentTable& fragments,
                 const std::vector<Term>& terms) {
  const Box& cell = job.one_cell();
  const auto head = [&](std::int32_t atom, const Int3& in_cell) {
    return job.atoms.position[fragments.atoms(fragments.of_atom(atom))[0]] + cell.position(in_cell);
  };
  const bool several = job.copies().several();
  for (const Term& term : terms) {
    if (!term.counts()) continue;
    std::array<Int3, atoms_in<Term>> cells{};
    if (several) cells = cells_of_term(cell, std::span<const Vec3>(job.atoms.position), term.atoms);
    for (std::size_t i = 0; i < term.atoms.size(); ++i)
      for (std::size_t k = 0; k < term.atoms.size(); ++k) {
        const std::int32_t a = term.atoms[i], b = term.atoms[k];
        const Vec3 d = apart(grid.box(), head(a, cells[i]), head(b, cells[k]));
        for (int axis = 0; axis < 3; ++axis)
          if (grid.shape()[axis] > 2 && d[axis] > grid.widths()[axis])
            throw InputError(
                {.what = std::string(Term::name) +
                         " joins atoms that are too far apart: " + describe_pair(job, a, b),
                 .where = job.path,
                 .value = quantity(d[axis] * units::bohr_in_nm, "nm along one axis"),
                 .limit = quantity(grid.widths()[axis] * units::bohr_in_nm, "nm, a patch"),
                 .hint = "check the coordinates; if the term is really so long, make the "
                         "job with fewer patches per axis"});
      }
  }
}

}  // namespace

System::System(const Job& job)
    : job_(&job),
      copies_(job.copies()),
      grid_(job.box,
            {job.settings.patch_grid.x, job.settings.patch_grid.y, job.settings.patch_grid.z}),
      fragments_(job.topology, job.atoms.fragment, job.atoms.mass, job.atoms.position, copies_),
      molecules_(job, fragments_),
      terms_(job.terms, job.atoms.size(), job.repeated_cell()),
      restraints_(job.restraints, job.atoms.size(), job.repeated_cell()),
      parameters_{.charge = job.atoms.charge,
                  .sigma = job.atoms.sigma,
                  .epsilon = job.atoms.epsilon,
                  .types = job.lennard_jones_types,
                  .copies = copies_},
      exclusions_(make_exclusion_table(job.atoms.size(), pairs_of(job.terms.of<ExceptionPair>()),
                                       pairs_of(job.terms.of<FarExclusion>()),
                                       job.repeated_cell())) {
  // As if each atom had an entry: the same bits as those of a file that has.
  for (int copy = 0; copy < copies_.count(); ++copy)
    total_mass_ = std::accumulate(job.atoms.mass.begin(), job.atoms.mass.end(), total_mass_);
  degrees_of_freedom_ = fg::degrees_of_freedom(
      atoms() - static_cast<int>(job.topology.virtual_sites.size()) * copies_.count(),
      fragments_.constraint_count(),
      job.dynamics.com_interval > 0 ? CentreOfMass::held : CentreOfMass::moves);

  const double needed = least_patch_width();
  for (int axis = 0; axis < 3; ++axis)
    if (grid_.widths()[axis] < needed && !grid_.all_touch(axis))
      throw InputError(
          {.what = "the patches of this job are thinner than the pair list needs",
           .where = job.path + ": /settings/patch_grid",
           .value = quantity(grid_.widths()[axis] * units::bohr_in_nm, "nm"),
           .limit = "at least " + quantity(needed * units::bohr_in_nm, "nm"),
           .hint = "make the job again with fewer patches per axis or a shorter cutoff"});
  BondedTerms::for_each_kind(
      [&]<class Term>() { check_width(job, grid_, fragments_, job.terms.of<Term>()); });
}

}  // namespace fg::classical
