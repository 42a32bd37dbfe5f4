// SPDX-License-Identifier: BSD-3-Clause
#include "records/trajectory/trajectory_contents.hpp"

#include "records/trajectory/energy_columns.hpp"

namespace fg {

TrajectoryContents contents_of(const Job& job, const std::vector<std::string>& term_names) {
  TrajectoryContents contents{.title = job.title,
                              .finegrain_version = job.finegrain_version,
                              .job_digest = job_digest(job),
                              .input_text = job.input_text,
                              .seed = job.dynamics.seed,
                              .periodic = job.box.periodic,
                              .rectangular = job.box.orthorhombic(),
                              .element = job.atoms.element,
                              .name = job.atoms.name,
                              .mass = job.atoms.mass,
                              .charge = job.atoms.charge,
                              .residue = job.atoms.residue,
                              .residues = job.residues};
  for (const std::int32_t atom : job.connectivity) contents.bonds.push_back(atom + 1);
  for (const EnergyColumn& column : energy_columns(job.box.periodic))
    contents.observables.push_back({std::string(column.observable), std::string(column.unit)});
  for (const std::string& name : term_names)
    contents.observables.push_back({name + "_energy", "kJ mol-1"});
  return contents;
}

}  // namespace fg
