// SPDX-License-Identifier: BSD-3-Clause
#include "app/run_output.hpp"

#include <algorithm>

#include "base/units.hpp"
#include "motion/kinetic.hpp"

namespace fg::app {

RunOutput::RunOutput(const System& system, std::string folder, const State& start, bool resumed,
                     const DriftSums& drift)
    : system_(system),
      folder_(std::move(folder)),
      terms_(system),
      earlier_drift_(drift),
      first_(start.step),
      table_(folder_ + "/energies.csv", potential_term_names(),
             resumed ? std::optional(start.step - 1) : std::nullopt),
      trajectory_(folder_ + "/trajectory.h5", system.job(), potential_term_names(),
                  {.resume_after = resumed ? std::optional(start.step - 1) : std::nullopt}),
      digest_(job_digest(system.job())) {}

void RunOutput::write(const EnergyTotals& totals) {
  EnergyRow row{.step = totals.step,
                .time = static_cast<double>(totals.step) * system_.job().dynamics.timestep,
                .terms = terms_.of(totals)};
  row.potential = sum(row.terms);
  row.kinetic = totals[EnergyTerm::kinetic];
  row.total = row.potential + row.kinetic;
  row.temperature = temperature_of(row.kinetic, system_.degrees_of_freedom());
  table_.write(row);
  trajectory_.write_energies(row);
  rows_.push_back(std::move(row));
  save_if_whole();
}

void RunOutput::write(Frame frame) {
  switch (frame.purpose) {
    case FramePurpose::trajectory:
      trajectory_.write_frame(frame.step,
                              static_cast<double>(frame.step) * system_.job().dynamics.timestep,
                              frame.position, frame.image, frame.velocity);
      break;
    case FramePurpose::checkpoint:
      waiting_ = std::move(frame);
      save_if_whole();
      break;
    case FramePurpose::last:
      last_frame_ = std::move(frame);
      break;
  }
}

void RunOutput::finish() {
  if (waiting_) save(*waiting_);
  waiting_.reset();
  if (last_frame_) save(*last_frame_);
}

bool RunOutput::energies_whole_before(std::int64_t step) const noexcept {
  const auto interval = system_.job().dynamics.energy_interval;
  if (interval <= 0) return true;
  const std::int64_t last = (step - 1) / interval * interval;
  return last < first_ || (!rows_.empty() && rows_.back().step >= last);
}

void RunOutput::save_if_whole() {
  if (!waiting_ || !energies_whole_before(waiting_->step)) return;
  save(*waiting_);
  waiting_.reset();
}

DriftSums RunOutput::drift_before(std::int64_t step) const noexcept {
  DriftSums drift = earlier_drift_;
  for (const auto& row : rows_)
    if (row.step < step) drift.add(row.time, row.total);
  return drift;
}

void RunOutput::save(const Frame& frame) {
  // Within a run Verlet's velocities wait for the second half of their kick; at its end they do
  // not.
  const bool half = frame.purpose == FramePurpose::checkpoint &&
                    system_.job().dynamics.integrator == IntegratorKind::verlet;
  save_checkpoint(checkpoint_path(), {.step = frame.step,
                                      .stage = half ? VelocityStage::half : VelocityStage::full,
                                      .positions = frame.position,
                                      .velocities = frame.velocity,
                                      .images = frame.image,
                                      .box = system_.job().box,
                                      .seed = system_.job().dynamics.seed,
                                      .job_digest = digest_,
                                      .drift = drift_before(frame.step)});
  saved_step_ = frame.step;
}

double RunOutput::energy_drift() const noexcept {
  DriftSums drift = earlier_drift_;
  for (const auto& row : rows_) drift.add(row.time, row.total);
  return drift.slope() * units::hartree_in_kj_per_mol / units::time_in_ps / system_.atoms();
}

void RunOutput::describe(Progress& progress) const noexcept {
  progress.energy_drift = energy_drift();
  if (rows_.empty()) return;
  const auto& row = rows_.back();
  progress.temperature_kelvin = row.temperature * units::hartree_in_kelvin;
  progress.potential = row.potential * units::hartree_in_kj_per_mol;
  progress.kinetic = row.kinetic * units::hartree_in_kj_per_mol;
}

}  // namespace fg::app
