// SPDX-License-Identifier: BSD-3-Clause
#include "records/trajectory/trajectory_contents.hpp"

#include <algorithm>

#include "records/trajectory/energy_columns.hpp"

namespace fg {

namespace {

template <class T>
std::vector<T> in_all_copies(const std::vector<T>& of_one, int copies) {
  std::vector<T> all;
  all.reserve(of_one.size() * static_cast<std::size_t>(copies));
  for (int copy = 0; copy < copies; ++copy) all.insert(all.end(), of_one.begin(), of_one.end());
  return all;
}

/// Residues are numbered through all copies; names and chains are those of the first.
void add_residues(const Job& job, TrajectoryContents& contents) {
  const int copies = job.copies().count();
  const auto residues = static_cast<std::int32_t>(job.residues.name.size());
  contents.residue = in_all_copies(job.atoms.residue, copies);
  contents.residues = {.name = in_all_copies(job.residues.name, copies),
                       .chain = in_all_copies(job.residues.chain, copies),
                       .number = in_all_copies(job.residues.number, copies)};
  for (int copy = 1; copy < copies; ++copy) {
    const auto before = static_cast<std::int32_t>(job.residue_numbers_before(copy));
    const auto atoms = contents.residue.begin() + std::ptrdiff_t{copy} * job.atoms.size();
    const auto numbers = contents.residues.number.begin() + std::ptrdiff_t{copy} * residues;
    std::for_each_n(atoms, job.atoms.size(), [&](std::int32_t& of) { of += copy * residues; });
    std::for_each_n(numbers, residues, [&](std::int32_t& number) { number += before; });
  }
}

/// A pair that reaches beyond its cell is joined to the nearest image.
void add_bonds(const Job& job, TrajectoryContents& contents) {
  const Copies copies = job.copies();
  contents.bonds.reserve(job.connectivity.size() * static_cast<std::size_t>(copies.count()));
  for (int copy = 0; copy < copies.count(); ++copy)
    for (std::size_t i = 0; i + 1 < job.connectivity.size(); i += 2) {
      const std::array<std::int32_t, 2> pair{job.connectivity[i], job.connectivity[i + 1]};
      const std::int32_t first = copy * job.atoms.size() + pair[0];
      std::int32_t second = pair[1];
      if (copies.several())
        second = copies.atom(
            first, pair[1],
            cells_of_term(job.one_cell(), std::span<const Vec3>(job.atoms.position), pair)[1]);
      contents.bonds.push_back(first + 1);
      contents.bonds.push_back(second + 1);
    }
}

}  // namespace

TrajectoryContents contents_of(const Job& job, const std::vector<std::string>& term_names) {
  const int copies = job.copies().count();
  TrajectoryContents contents{.title = job.title,
                              .finegrain_version = job.finegrain_version,
                              .job_digest = job_digest(job),
                              .input_text = job.input_text,
                              .seed = job.dynamics.seed,
                              .periodic = job.box.periodic,
                              .rectangular = job.box.orthorhombic(),
                              .element = in_all_copies(job.atoms.element, copies),
                              .name = in_all_copies(job.atoms.name, copies),
                              .mass = in_all_copies(job.atoms.mass, copies),
                              .charge = in_all_copies(job.atoms.charge, copies)};
  add_residues(job, contents);
  add_bonds(job, contents);
  for (const EnergyColumn& column : energy_columns(job.box.periodic))
    contents.observables.push_back({std::string(column.observable), std::string(column.unit)});
  for (const std::string& name : term_names)
    contents.observables.push_back({name + "_energy", "kJ mol-1"});
  return contents;
}

}  // namespace fg
