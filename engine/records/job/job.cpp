// SPDX-License-Identifier: BSD-3-Clause
#include "records/job/job.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "records/hdf5/hdf5.hpp"
#include "records/job/box_numbers.hpp"
#include "records/job/job_cells.hpp"
#include "records/job/job_repeat.hpp"
#include "records/job/job_restraints.hpp"

namespace fg {

namespace {

/// One column of a table of terms.
template <class Value, class Term>
void read_column(const h5::Reader& file, const std::string& object, Value Term::*member,
                 std::vector<Term>& terms) {
  const auto values = file.array<Value>(object);
  if (values.size() != terms.size())
    file.fail("the table has " + std::to_string(values.size()) + " rows instead of " +
                  std::to_string(terms.size()),
              object);
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i].*member = values[i];
}

/// A table of terms without their parameters. A missing table is empty: a box of ions has no bonds.
template <class Term>
std::vector<Term> read_atoms(const h5::Reader& file, const std::string& group) {
  if (!file.has(group)) return {};
  const auto atoms = file.array<std::int32_t>(group + "/atoms", {atoms_in<Term>});
  std::vector<Term> terms(atoms.size() / atoms_in<Term>);
  for (std::size_t i = 0; i < terms.size(); ++i)
    std::copy_n(atoms.begin() + static_cast<std::ptrdiff_t>(i * atoms_in<Term>), atoms_in<Term>,
                terms[i].atoms.begin());
  return terms;
}

/// What the terms of a kind share; nothing if the job has no such terms.
template <class Shared>
void read_shared(const h5::Reader& file, Shared& shared) {
  const std::string group(Shared::table);
  if (group.empty() || !file.has(group)) return;
  for_each_shared_array<Shared>([&]<class Value>(const SharedArray<Shared, Value>& array) {
    shared.*array.member = file.array<Value>(group + "/" + std::string(array.name));
  });
}

BondedTerms read_bonded_terms(const h5::Reader& file) {
  BondedTerms all;
  BondedTerms::for_each_kind([&]<class Term>() {
    read_shared(file, all.shared<Term>());
    const std::string group(Term::table);
    if (group.empty() || !file.has(group)) return;
    auto& terms = all.of<Term>();
    terms = read_atoms<Term>(file, group);
    for_each_column<Term>([&](const auto& column) {
      read_column(file, group + "/" + std::string(column.name), column.member, terms);
    });
  });
  return all;
}

/// A job without virtual sites has no table of them.
std::vector<VirtualSite> read_virtual_sites(const h5::Reader& file) {
  const std::string at = "/virtual_sites";
  if (!file.has(at)) return {};
  const auto site = file.array<std::int32_t>(at + "/site");
  const auto kind = file.array<std::int32_t>(at + "/kind");
  const auto parents = file.array<std::int32_t>(at + "/parents", {max_site_parents});
  const auto offset = read_vectors(file, at + "/offset");
  const auto weights = [&](const char* name) {
    return file.array<double>(at + "/" + name, {max_site_parents});
  };
  const auto origin = weights("weights"), x = weights("x_weights"), y = weights("y_weights");
  const std::size_t flat = site.size() * max_site_parents;
  if (kind.size() != site.size() || offset.size() != site.size() || parents.size() != flat ||
      origin.size() != flat || x.size() != flat || y.size() != flat)
    file.fail("the columns differ in length", at);
  std::vector<VirtualSite> sites(site.size());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (kind[i] < 0 || kind[i] > static_cast<int>(SiteKind::local_frame))
      file.fail("there is no such kind of virtual site: " + std::to_string(kind[i]), at + "/kind");
    sites[i].site = site[i];
    sites[i].kind = static_cast<SiteKind>(kind[i]);
    sites[i].offset = offset[i];
    const auto row = static_cast<std::ptrdiff_t>(i * max_site_parents);
    std::copy_n(parents.begin() + row, max_site_parents, sites[i].parents.begin());
    std::copy_n(origin.begin() + row, max_site_parents, sites[i].weights.begin());
    std::copy_n(x.begin() + row, max_site_parents, sites[i].x_weights.begin());
    std::copy_n(y.begin() + row, max_site_parents, sites[i].y_weights.begin());
  }
  return sites;
}

Topology read_topology(const h5::Reader& file) {
  Topology topology;
  topology.constraints = read_atoms<Constraint>(file, "/constraints");
  if (!topology.constraints.empty())
    read_column(file, "/constraints/distance", &Constraint::distance, topology.constraints);
  topology.waters = read_atoms<Water>(file, "/waters");
  if (!topology.waters.empty()) {
    read_column(file, "/waters/r_oh", &Water::r_oh, topology.waters);
    read_column(file, "/waters/r_hh", &Water::r_hh, topology.waters);
  }
  topology.virtual_sites = read_virtual_sites(file);
  return topology;
}

JobSettings read_settings(const h5::Reader& file) {
  const std::string at = "/settings";
  JobSettings settings;
  read_keys(file, at, settings, JobSettings::keys());
  if (!file.has_attribute(at, "dispersion_virial"))
    settings.dispersion_virial = settings.dispersion_coefficient;
  return settings;
}

/// A job whose atoms mix by the usual rule has no such group.
LennardJonesTypes read_lennard_jones_types(const h5::Reader& file) {
  LennardJonesTypes types;
  const std::string at = "/lennard_jones_types";
  if (!file.has(at)) return types;
  types.of_atom = file.array<std::int32_t>(at + "/of_atom");
  types.sigma = file.array<double>(at + "/sigma");
  types.epsilon = file.array<double>(at + "/epsilon");
  types.count = static_cast<int>(std::lround(std::sqrt(static_cast<double>(types.sigma.size()))));
  if (types.count < 1) file.fail("the table has no types", at);
  return types;
}

/// The numbers of the exceptions that may get beyond the cutoff; a job without any has no table.
void read_far_exclusions(const h5::Reader& file, Job& job) {
  const std::string at = "/exceptions/far";
  if (!file.has(at) || job.settings.electrostatics != Electrostatics::pme) return;
  const auto& exceptions = job.terms.of<ExceptionPair>();
  for (const std::int32_t number : file.array<std::int32_t>(at)) {
    if (number < 0 || static_cast<std::size_t>(number) >= exceptions.size())
      file.fail("there is no such exception", at);
    const auto& atoms = exceptions[static_cast<std::size_t>(number)].atoms;
    double product = 1;
    for (const std::int32_t atom : atoms) {
      if (atom < 0 || static_cast<std::size_t>(atom) >= job.atoms.charge.size())
        file.fail("there is no such atom", at);
      product *= job.atoms.charge[static_cast<std::size_t>(atom)];
    }
    job.terms.of<FarExclusion>().push_back({.atoms = atoms,
                                            .charge_product = product,
                                            .ewald_coefficient = job.settings.ewald_coefficient});
  }
}

template <class Shared>
void add_shared(Sha256& sum, const Shared& shared) {
  for_each_shared_array<Shared>([&](const auto& array) {
    const auto& values = shared.*array.member;
    sum.add(static_cast<std::uint64_t>(values.size()));
    for (const auto value : values) sum.add(static_cast<double>(value));
  });
}

/// Without virtual sites nothing is added, so that such a job keeps its digest.
void add_virtual_sites(Sha256& sum, const std::vector<VirtualSite>& sites) {
  if (sites.empty()) return;
  sum.add(std::string_view("virtual sites"));
  sum.add(static_cast<std::uint64_t>(sites.size()));
  for (const VirtualSite& site : sites) {
    sum.add(static_cast<std::uint64_t>(site.site));
    sum.add(static_cast<std::uint64_t>(site.kind));
    for (const std::int32_t parent : site.parents) sum.add(static_cast<std::uint64_t>(parent));
    for (const auto* weights : {&site.weights, &site.x_weights, &site.y_weights})
      for (const double weight : *weights) sum.add(weight);
    for (int axis = 0; axis < 3; ++axis) sum.add(site.offset[axis]);
  }
}

void add_terms(Sha256& sum, std::span<const std::int32_t> atoms,
               std::initializer_list<double> values) {
  for (const std::int32_t atom : atoms) sum.add(static_cast<std::uint64_t>(atom));
  for (const double value : values) sum.add(value);
}

}  // namespace

Job load_job(const std::string& path) {
  return read_job(JobFile(path));
}

Job read_job(const JobFile& whole) {
  whole.require_kind({&classical_kind, 1});
  const h5::Reader& file = whole.contents();
  Job job;
  job.path = file.path();
  job.title = file.text("/", "title");
  job.input_text = file.text("/", "input_text");
  job.finegrain_version = file.text("/", "finegrain_version");
  if (file.has_attribute("/", "memory")) job.memory = file.number<double>("/", "memory");
  if (!take_box(file.array<double>("/box"), job.box)) file.fail(box_numbers_rule, "/box");
  job.box.periodic = file.number<std::int64_t>("/settings", "periodic") != 0;
  read_repeat(file, job);
  JobAtoms& atoms = job.atoms;
  atoms.position = read_vectors(file, "/atoms/position");
  atoms.velocity = read_vectors(file, "/atoms/velocity");
  atoms.mass = file.array<double>("/atoms/mass");
  atoms.charge = file.array<double>("/atoms/charge");
  atoms.sigma = file.array<double>("/atoms/sigma");
  atoms.epsilon = file.array<double>("/atoms/epsilon");
  atoms.fragment = file.array<std::int32_t>("/atoms/fragment");
  atoms.residue = file.array<std::int32_t>("/atoms/residue");
  atoms.name = file.strings("/atoms/name");
  atoms.element = file.strings("/atoms/element");
  job.residues.name = file.strings("/residues/name");
  job.residues.chain = file.strings("/residues/chain");
  job.residues.number = file.array<std::int32_t>("/residues/number");
  if (file.has("/connectivity")) job.connectivity = file.array<std::int32_t>("/connectivity", {2});
  job.lennard_jones_types = read_lennard_jones_types(file);
  job.terms = read_bonded_terms(file);
  job.restraints = read_restraints(file);
  job.topology = read_topology(file);
  job.settings = read_settings(file);
  job.cells = read_cells(file);
  read_far_exclusions(file, job);
  read_keys(file, "/dynamics", job.dynamics, JobDynamics::keys());
  check_job(job);
  return job;
}

std::string job_digest(const Job& job) {
  Sha256 sum;
  const auto add_vector = [&](const Vec3& v) { sum.add(v.x), sum.add(v.y), sum.add(v.z); };
  const auto add_whole = [&](std::int64_t value) { sum.add(static_cast<std::uint64_t>(value)); };
  add_box(sum, job.box);
  const JobAtoms& atoms = job.atoms;
  add_repeat(sum, job);
  add_whole(atoms.size());
  for (const Vec3& v : atoms.position) add_vector(v);
  for (const Vec3& v : atoms.velocity) add_vector(v);
  for (const auto* column : {&atoms.mass, &atoms.charge, &atoms.sigma, &atoms.epsilon})
    for (const double value : *column) sum.add(value);
  for (const std::int32_t fragment : atoms.fragment) add_whole(fragment);
  // What a job does not have adds nothing, so that new kinds of jobs change no digest.
  if (const LennardJonesTypes& types = job.lennard_jones_types; types.count > 0) {
    sum.add(std::string_view("lennard_jones_types"));
    for (const std::int32_t type : types.of_atom) add_whole(type);
    for (const auto* table : {&types.sigma, &types.epsilon})
      for (const double value : *table) sum.add(value);
  }
  if (job.settings.switching != Switching::potential) sum.add(std::string_view("switched forces"));
  const Topology& t = job.topology;
  BondedTerms::for_each_kind([&]<class Term>() {
    // A kind without terms adds nothing, so that a new kind changes no digest.
    if (Term::table.empty() || job.terms.of<Term>().empty()) return;
    sum.add(Term::table);
    sum.add(static_cast<std::uint64_t>(job.terms.of<Term>().size()));
  });
  sum.add(static_cast<std::uint64_t>(t.constraints.size()));
  sum.add(static_cast<std::uint64_t>(t.waters.size()));
  BondedTerms::for_each_kind([&]<class Term>() {
    for (const Term& term : job.terms.of<Term>()) {
      add_terms(sum, term.atoms, {});
      for_each_column<Term>(
          [&](const auto& column) { sum.add(static_cast<double>(term.*column.member)); });
    }
    if (!job.terms.of<Term>().empty()) add_shared(sum, job.terms.shared<Term>());
  });
  for (const Constraint& c : t.constraints) add_terms(sum, c.atoms, {c.distance});
  for (const Water& w : t.waters) add_terms(sum, w.atoms, {w.r_oh, w.r_hh});
  add_virtual_sites(sum, t.virtual_sites);
  add_restraints(sum, job.restraints);
  add_keys(sum, job.settings, JobSettings::keys());
  add_cells(sum, job.cells);
  add_whole(job.box.periodic ? 1 : 0);
  add_keys(sum, job.dynamics, JobDynamics::keys());
  return sum.hex();
}

std::vector<KeyGroup> job_keys() {
  std::vector<KeyGroup> groups{{"/settings", {}}, {"/dynamics", {}}};
  describe_keys(groups[0].keys, JobSettings{}, JobSettings::keys());
  describe_keys(groups[1].keys, JobDynamics{}, JobDynamics::keys());
  return groups;
}

std::string describe_atom(const Job& job, int atom) {
  const Copies copies = job.copies();
  const auto i = static_cast<std::size_t>(copies.within(atom));
  std::string text = "atom " + std::to_string(atom + 1);
  if (i >= job.atoms.name.size()) return text;
  text += " (" + job.atoms.name[i];
  if (i < job.atoms.residue.size()) {
    const auto r = static_cast<std::size_t>(job.atoms.residue[i]);
    if (r < job.residues.name.size()) {
      const std::int64_t before = job.residue_numbers_before(copies.of_atom(atom));
      text += " of " + job.residues.name[r] + " " + std::to_string(before + job.residues.number[r]);
      if (!job.residues.chain[r].empty()) text += ", chain " + job.residues.chain[r];
    }
  }
  return text + ")";
}

}  // namespace fg
