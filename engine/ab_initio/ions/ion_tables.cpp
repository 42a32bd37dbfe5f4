// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/ions/ion_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "electrons/coulomb/isolated_coulomb.hpp"

namespace fg::ab_initio {

namespace {

/// The width of the Gaussian density of an atom whose density is not known [bohr].
constexpr double atom_width = 1.5;

}  // namespace

IonTables::IonTables(const Job& job) : job_(&job) {
  const double spacing = job.table_spacing;
  for (const Species& species : job.species) {
    electrons::ProjectorKind kind{.tables = {}, .coupling = species.coupling};
    for (const Projector& projector : species.projectors)
      kind.tables.emplace_back(projector.values, spacing, projector.l);
    projectors_.push_back(std::move(kind));
    local_.push_back({.short_range = electrons::RadialTable(species.local, spacing, 0),
                      .charge = species.charge,
                      .width = species.width});
    has_core_ = has_core_ || !species.core.empty();
  }
  std::vector<std::vector<electrons::RadialTable>> orbitals;
  for (const Species& species : job.species) {
    auto& tables = orbitals.emplace_back();
    for (const AtomicOrbital& one : species.orbitals)
      tables.emplace_back(one.values, spacing, one.l);
  }
  orbitals_ =
      std::make_shared<const electrons::AtomicOrbitals>(std::move(orbitals), job.species_of);
  find_longest();
  for (const auto species : job.species_of)
    alpha_ += electrons::alpha(local_[static_cast<std::size_t>(species)]);
}

void IonTables::find_longest() {
  longest_ = std::numeric_limits<double>::infinity();
  const auto within = [&](const Table& table, int times) {
    if (table.empty()) return;
    const electrons::RadialTable reach(table, job_->table_spacing, 0);
    longest_ = std::min(longest_, times * reach.longest());
  };
  for (const Species& species : job_->species) {
    for (const Table* table : {&species.local, &species.core, &species.density}) within(*table, 1);
    for (const Projector& one : species.projectors) within(one.values, 2);
    for (const AtomicOrbital& one : species.orbitals) within(one.values, 2);
  }
}

electrons::IonField IonTables::local(const electrons::PlaneWaves& waves,
                                     std::span<const double> screening) const {
  return {waves, local_waves(waves, screening), job_->species_of};
}

electrons::IonField IonTables::core(const electrons::PlaneWaves& waves) const {
  return {waves, core_waves(waves), job_->species_of};
}

std::vector<int> IonTables::local_kinds() const {
  std::vector<int> all(job_->species.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<int> IonTables::core_kinds() const {
  std::vector<int> kinds;
  for (std::size_t k = 0; k < job_->species.size(); ++k)
    if (!job_->species[k].core.empty()) kinds.push_back(static_cast<int>(k));
  return kinds;
}

std::vector<electrons::RadialWaves> IonTables::local_waves(
    const electrons::PlaneWaves& waves, std::span<const double> screening) const {
  std::vector<electrons::RadialWaves> kinds;
  kinds.reserve(job_->species.size());
  for (const auto& local : local_) {
    kinds.push_back(electrons::local_on_waves(waves, local));
    if (!screening.empty()) electrons::screen_local(local.charge, screening, kinds.back());
  }
  return kinds;
}

std::vector<electrons::RadialWaves> IonTables::core_waves(
    const electrons::PlaneWaves& waves) const {
  std::vector<electrons::RadialWaves> kinds;
  kinds.reserve(job_->species.size());
  for (const Species& species : job_->species)
    kinds.push_back(species.core.empty()
                        ? electrons::RadialWaves{}
                        : electrons::table_on_waves(
                              waves, electrons::RadialTable(species.core, job_->table_spacing, 0)));
  return kinds;
}

electrons::RadialWaves IonTables::free_atom(const electrons::PlaneWaves& waves,
                                            const Species& species) const {
  if (!species.density.empty())
    return electrons::table_on_waves(
        waves, electrons::RadialTable(species.density, job_->table_spacing, 0));
  electrons::RadialWaves kind;
  for (const double square : waves.squares())
    kind.values.push_back(species.charge * std::exp(-square * atom_width * atom_width / 4));
  kind.slopes.resize(kind.values.size());
  return kind;
}

electrons::IonField IonTables::free_atoms(const electrons::PlaneWaves& waves, int spin) const {
  std::vector<electrons::RadialWaves> kinds;
  if (job_->electrons.spins == 1) {
    for (const Species& species : job_->species) kinds.push_back(free_atom(waves, species));
    return {waves, std::move(kinds), job_->species_of};
  }
  // Ions of a species and a moment are a kind.
  std::vector<std::pair<int, double>> known;
  std::vector<int> kind_of_ion;
  for (std::size_t ion = 0; ion < job_->species_of.size(); ++ion) {
    const std::pair<int, double> kind{job_->species_of[ion], job_->moments[ion]};
    const auto place = std::find(known.begin(), known.end(), kind);
    kind_of_ion.push_back(static_cast<int>(place - known.begin()));
    if (place != known.end()) continue;
    known.push_back(kind);
    const Species& species = job_->species_of_ion(ion);
    electrons::RadialWaves& of_kind = kinds.emplace_back(free_atom(waves, species));
    const double share = (1 + (spin == 0 ? 1 : -1) * kind.second / species.charge) / 2;
    for (auto* values : {&of_kind.values, &of_kind.slopes})
      for (double& value : *values) value *= share;
  }
  return {waves, std::move(kinds), kind_of_ion};
}

}  // namespace fg::ab_initio
