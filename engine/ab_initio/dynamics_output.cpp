// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/dynamics_output.hpp"

#include <algorithm>
#include <cstdio>

#include "ab_initio/checkpoints/kept_orbitals.hpp"
#include "base/error.hpp"
#include "base/units.hpp"
#include "records/checkpoints/output_reach.hpp"

namespace fg::ab_initio {

namespace {

constexpr std::int64_t lines_in_log = 100;

bool is_due(std::int64_t step, std::int64_t interval) noexcept {
  return interval > 0 && step % interval == 0;
}

bool is_rectangular(const electrons::Lattice& cell) noexcept {
  for (int row = 0; row < 3; ++row)
    for (int axis = 0; axis < 3; ++axis)
      if (row != axis && cell.vectors[static_cast<std::size_t>(row)][axis] != 0) return false;
  return true;
}

TrajectoryContents contents_of(const Job& job, const DynamicsRow& row) {
  TrajectoryContents contents{
      .title = job.title,
      .finegrain_version = job.finegrain_version,
      .job_digest = job_digest(job),
      .input_text = job.input_text,
      .seed = job.dynamics.seed,
      .periodic = !job.isolated,
      .rectangular = is_rectangular(job.cell) && job.dynamics.cell.moves != MovingCell::full,
      .mass = job.masses,
      .observables = row.observables()};
  for (std::size_t i = 0; i < job.positions.size(); ++i)
    contents.element.push_back(job.species_of_ion(i).symbol);
  contents.name = contents.element;
  return contents;
}

std::optional<std::int64_t> kept_up_to(const std::optional<GoneBefore>& before) {
  return before ? std::optional(before->kept_up_to) : std::nullopt;
}

}  // namespace

DynamicsOutput::DynamicsOutput(const Job& job, const std::string& folder,
                               const std::optional<GoneBefore>& before,
                               std::atomic<std::int64_t>& written_before)
    : job_(job),
      row_(job),
      table_(folder + "/energies.csv", row_.headings(), kept_up_to(before)),
      trajectory_(folder + "/trajectory.h5", contents_of(job, row_),
                  {.velocities = true,
                   .forces = true,
                   .resume_after = kept_up_to(before),
                   .with_journal = !before || before->with_journal}),
      drift_(before ? before->drift : DriftSums()),
      watch_(job.dynamics, job.ions()),
      written_before_(written_before) {}

void DynamicsOutput::write(const DynamicsStep& step, RunLog& log) {
  const DynamicsSettings& dynamics = job_.dynamics;
  if (is_due(step.number, dynamics.energy_steps)) {
    const std::vector<double> values = row_.values(step);
    char time[64];
    std::snprintf(time, sizeof time, "%.9g", step.time * units::time_in_ps);
    table_.write(step.number, time, values);
    trajectory_.write_observables(step.number, step.time, values);
    drift_.add(step.time, step.conserved());
  }
  if (is_due(step.number, dynamics.trajectory_steps))  // the writer refuses a step without vectors
    trajectory_.write_frame({.step = step.number,
                             .time = step.time,
                             .cell = step.cell.vectors,
                             .inside = wrapped(step.cell.vectors, !job_.isolated, step.positions),
                             .velocities = step.velocities,
                             .forces = step.forces});
  say(step, log);
  for (const std::string& warning : watch_.see(step)) log.warning(warning);
  latest_ = step;
  latest_->positions = latest_->velocities = latest_->forces = {};
  written_before_.store(std::min(next_multiple(step.number + 1, dynamics.energy_steps),
                                 next_multiple(step.number + 1, dynamics.trajectory_steps)),
                        std::memory_order_relaxed);
}

void DynamicsOutput::say(const DynamicsStep& step, RunLog& log) const {
  if (step.was_reset)
    log.line("step " + std::to_string(step.number) +
             ": orbitals made orthonormal, deviation of overlaps " + quantity(step.deviation, ""));
  const std::int64_t apart = std::max<std::int64_t>(1, job_.dynamics.steps / lines_in_log);
  if (!is_due(step.number, apart)) return;
  std::string line = "step " + std::to_string(step.number) + ": energy " +
                     quantity(step.energies.total(), "hartree") + ", temperature " +
                     quantity(step.temperature * units::hartree_in_kelvin, "K");
  if (job_.dynamics.kind == DynamicsKind::car_parrinello)
    line += ", fictitious kinetic energy " + quantity(step.fictitious_kinetic, "hartree");
  if (moves_cell(job_.dynamics))
    line += ", pressure " + quantity(step.pressure * units::pressure_in_bar, "bar") + ", volume " +
            quantity(step.cell.volume() * units::volume_in_nm3, "nm3");
  line += ", conserved " + quantity(step.conserved(), "hartree") + ", " +
          std::to_string(step.iterations) + " iterations, " + quantity(step.seconds, "s");
  log.line(line);
}

void DynamicsOutput::sync() {
  table_.sync();
  trajectory_.sync();
}

void DynamicsOutput::describe(Progress& progress) const noexcept {
  progress.energy_drift = drift_per_atom(drift_, job_.ions());
  progress.trouble = watch_.trouble();
  if (!latest_) return;
  progress.temperature_kelvin = latest_->temperature * units::hartree_in_kelvin;
  progress.total_energy = latest_->energies.total();
  progress.conserved_energy = latest_->conserved();
  if (moves_cell(job_.dynamics)) {
    progress.pressure = latest_->pressure * units::pressure_in_bar;
    progress.volume = latest_->cell.volume() * units::volume_in_nm3;
  }
  if (job_.dynamics.kind == DynamicsKind::car_parrinello)
    progress.fictitious_kinetic = latest_->fictitious_kinetic;
  else
    progress.residual = latest_->residual;
}

}  // namespace fg::ab_initio
