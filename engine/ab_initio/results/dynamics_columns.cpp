// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/results/dynamics_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/units.hpp"

namespace fg::ab_initio {

namespace {

using Step = const DynamicsStep&;

constexpr const char* conserved = "conserved_energy";

double length(Step step, std::size_t vector) {
  return norm(step.cell.vectors[vector]);
}
/// Between the other two vectors [degrees].
double angle(Step step, std::size_t vector) {
  const Vec3 &a = step.cell.vectors[(vector + 1) % 3], &b = step.cell.vectors[(vector + 2) % 3];
  return std::atan2(norm(cross(a, b)), dot(a, b)) * 180 / std::numbers::pi;
}

void add_cell_columns(std::vector<DynamicsColumn>& columns) {
  constexpr double nm = units::bohr_in_nm;
  columns.insert(
      columns.end(),
      {{"pressure", "pressure", "bar", units::pressure_in_bar, [](Step s) { return s.pressure; }},
       {"volume", "volume", "nm3", units::volume_in_nm3, [](Step s) { return s.cell.volume(); }},
       {"cell a", "cell_a", "nm", nm, [](Step s) { return length(s, 0); }},
       {"cell b", "cell_b", "nm", nm, [](Step s) { return length(s, 1); }},
       {"cell c", "cell_c", "nm", nm, [](Step s) { return length(s, 2); }},
       {"cell alpha", "cell_alpha", "degrees", 1, [](Step s) { return angle(s, 0); }},
       {"cell beta", "cell_beta", "degrees", 1, [](Step s) { return angle(s, 1); }},
       {"cell gamma", "cell_gamma", "degrees", 1, [](Step s) { return angle(s, 2); }}});
}

}  // namespace

std::vector<DynamicsColumn> dynamics_columns(const DynamicsSettings& dynamics) {
  const bool fictitious = dynamics.kind == DynamicsKind::car_parrinello;
  const bool cell = moves_cell(dynamics);
  const bool baths = dynamics.ion_bath.kind != IonBathKind::none ||
                     dynamics.electron_bath.kind != ElectronBathKind::none ||
                     dynamics.cell.friction > 0;
  std::vector<DynamicsColumn> columns;
  const auto add = [&](bool there, DynamicsColumn column) {
    if (there) columns.push_back(std::move(column));
  };
  const auto energy = [&](bool there, const char* heading, const char* name, double (*of)(Step)) {
    add(there, {heading, name, "hartree", 1, of});
  };
  energy(true, "potential energy", "potential_energy", [](Step s) { return s.energies.total(); });
  energy(true, "ion kinetic energy", "ion_kinetic_energy", [](Step s) { return s.ion_kinetic; });
  energy(fictitious, "fictitious kinetic energy", "fictitious_kinetic_energy",
         [](Step s) { return s.fictitious_kinetic; });
  energy(baths, "bath energy", "bath_energy", [](Step s) { return s.bath; });
  energy(cell, "cell kinetic energy", "cell_kinetic_energy", [](Step s) { return s.cell_kinetic; });
  energy(cell, "work of outer pressure", "work_of_outer_pressure",
         [](Step s) { return s.cell_work; });
  energy(true, "conserved energy", conserved, [](Step s) { return s.conserved(); });
  add(true, {"temperature", "temperature", "K", units::hartree_in_kelvin,
             [](Step s) { return s.temperature; }});
  if (cell) add_cell_columns(columns);
  add(fictitious, {"deviation of overlaps", "deviation_of_overlaps", "", 1,
                   [](Step s) { return s.deviation; }});
  add(fictitious && dynamics.orthonormality == Orthonormality::free,
      {"made orthonormal", "made_orthonormal", "", 1,
       [](Step s) { return s.was_reset ? 1.0 : 0.0; }});
  energy(fictitious && dynamics.orthonormality == Orthonormality::free, "energy given back",
         "energy_given_back", [](Step s) { return s.given_back; });
  add(true, {"iterations", "iterations", "", 1,
             [](Step s) { return static_cast<double>(s.iterations); }});
  energy(!fictitious, "residual", "residual", [](Step s) { return s.residual; });
  return columns;
}

DynamicsRow::DynamicsRow(const Job& job)
    : dynamics_(job.dynamics), columns_(dynamics_columns(job.dynamics)) {
  Energies energies;
  if (job.dispersion) energies.dispersion = job.dispersion->energy;
  for (const auto& [name, value] : energies.terms()) terms_.push_back(name);
  for (const IonDistance& one : dynamics_.distances)
    distances_.push_back(std::to_string(one.a + 1) + "-" + std::to_string(one.b + 1));
}

std::vector<std::string> DynamicsRow::headings() const {
  std::vector<std::string> all{"step", "time (ps)"};
  for (const DynamicsColumn& column : columns_)
    all.push_back(column.heading + (column.unit.empty() ? "" : " (" + column.unit + ")"));
  for (const std::string& ions : distances_)
    all.push_back("constraint force " + ions + " (hartree/bohr)");
  for (std::string name : terms_) {
    std::replace(name.begin(), name.end(), '_', '-');
    all.push_back(name + " (hartree)");
  }
  return all;
}

std::vector<Observable> DynamicsRow::observables() const {
  std::vector<Observable> all;
  all.reserve(columns_.size() + distances_.size() + terms_.size());
  for (const DynamicsColumn& column : columns_) all.push_back({column.observable, column.unit});
  for (const std::string& ions : distances_)
    all.push_back({"constraint_force_" + ions, "hartree bohr-1"});
  for (const std::string& name : terms_) all.push_back({name + "_term", "hartree"});
  return all;
}

std::vector<double> DynamicsRow::values(const DynamicsStep& step) const {
  std::vector<double> all;
  const std::size_t size = columns_.size() + distances_.size() + terms_.size();
  all.reserve(size);
  for (const DynamicsColumn& column : columns_) all.push_back(column.of(step) * column.factor);
  all.insert(all.end(), step.constraint_forces.begin(), step.constraint_forces.end());
  for (const auto& [name, value] : step.energies.terms()) all.push_back(value);
  FG_CHECK(all.size() == size);
  return all;
}

OutputPlan DynamicsRow::plan() const {
  const auto at = std::find_if(columns_.begin(), columns_.end(), [](const DynamicsColumn& column) {
    return column.observable == conserved;
  });
  const auto place = static_cast<std::size_t>(at - columns_.begin());
  return {.timestep = dynamics_.timestep,
          .energy_interval = dynamics_.energy_steps,
          .trajectory_interval = dynamics_.trajectory_steps,
          .velocities = true,
          .forces = true,
          .observable = conserved,
          .column = place,
          .conserved = place,
          .hartree = 1};
}

}  // namespace fg::ab_initio
