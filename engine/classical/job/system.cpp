// SPDX-License-Identifier: BSD-3-Clause
#include "classical/job/system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"
#include "forces/bonded/term_assignment.hpp"
#include "motion/kinetic.hpp"
#include "particles/half_shell.hpp"
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

// Terms may become longer than they are at the start, and a barostat makes patches thinner.
constexpr double room_for_terms = 1.35;

/// How far the atoms of a term may be apart. Patches as wide as a pair list are far wider than any
/// term, so two of them are enough.
Vec3 most_length(const PatchGrid& grid, const Int3& reach) {
  Vec3 most;
  for (int axis = 0; axis < 3; ++axis)
    most[axis] =
        grid.widths()[axis] * (reach[axis] == 1 ? 1 : BlockSides::most_reach / room_for_terms);
  return most;
}

/// Refuses terms that are longer than `most` along an axis; `longest` becomes at least the length
/// of the longest one.
template <class Term>
void measure_terms(const Job& job, const PatchGrid& grid, const FragmentTable& fragments,
                   const std::vector<Term>& terms, const Vec3& most, Vec3& longest) {
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
        for (int axis = 0; axis < 3; ++axis) {
          longest[axis] = std::max(longest[axis], d[axis]);
          if (grid.shape()[axis] > 2 && d[axis] > most[axis])
            throw InputError(
                {.what = std::string(Term::name) +
                         " joins atoms that are too far apart: " + describe_pair(job, a, b),
                 .where = job.path,
                 .value = quantity(d[axis] * units::bohr_in_nm, "nm along one axis"),
                 .limit = quantity(most[axis] * units::bohr_in_nm, "nm, by the patches' width"),
                 .hint = "check the coordinates; if the term is really so long, make the "
                         "job with fewer patches per axis"});
        }
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

  const Vec3 needed = least_patch_widths();
  for (int axis = 0; axis < 3; ++axis)
    if (job.settings.reach[axis] > HalfShell::most_reach ||
        (grid_.widths()[axis] < needed[axis] && !grid_.all_within(axis, job.settings.reach[axis])))
      throw InputError(
          {.what = "the patches of this job are thinner than the pair list needs",
           .where = job.path + ": /settings/patch_grid",
           .value = quantity(grid_.widths()[axis] * units::bohr_in_nm, "nm"),
           .limit = "at least " + quantity(needed[axis] * units::bohr_in_nm, "nm"),
           .hint = "make the job again with fewer patches per axis or a shorter cutoff"});
  if (job.settings.pairs == PairAssignment::midpoint && job.settings.pair_computes != 1)
    throw InputError({.what = "a job with pairs by midpoints has no pair computes but its cells",
                      .where = job.path + ": /settings/pair_computes",
                      .value = std::to_string(job.settings.pair_computes),
                      .limit = "1",
                      .hint = "make the job again"});
  const Vec3 most = most_length(grid_, job.settings.reach);
  Vec3 longest;
  BondedTerms::for_each_kind([&]<class Term>() {
    measure_terms(job, grid_, fragments_, job.terms.of<Term>(), most, longest);
  });
  for (int axis = 0; axis < 3; ++axis)
    if (job.settings.reach[axis] > 1)
      term_reach_[static_cast<std::size_t>(axis)] = std::clamp(
          static_cast<int>(std::ceil(room_for_terms * longest[axis] / grid_.widths()[axis])), 1,
          BlockSides::most_reach);
}

}  // namespace fg::classical
