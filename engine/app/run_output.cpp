// SPDX-License-Identifier: BSD-3-Clause
#include "app/run_output.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "app/files.hpp"
#include "base/error.hpp"
#include "base/units.hpp"
#include "motion/kinetic.hpp"

namespace fg::app {

namespace {

/// The first at or after a step; never, if there is no interval.
std::int64_t next_multiple(std::int64_t step, std::int64_t interval) noexcept {
  return interval > 0 ? (step + interval - 1) / interval * interval
                      : std::numeric_limits<std::int64_t>::max();
}

}  // namespace

RunOutput::RunOutput(const System& system, std::string folder, const State& start, bool resumed,
                     const DriftSums& drift, std::atomic<std::int64_t>& written_before)
    : system_(system),
      folder_(std::move(folder)),
      terms_(system),
      saved_drift_(drift),
      drift_(drift),
      first_(start.step),
      table_(folder_ + "/energies.csv", potential_term_names(),
             resumed ? std::optional(start.step - 1) : std::nullopt,
             system.job().dynamics.energy_interval),
      trajectory_(folder_ + "/trajectory.h5", system.job(), potential_term_names(),
                  {.resume_after = resumed ? std::optional(start.step - 1) : std::nullopt}),
      digest_(job_digest(system.job())),
      next_row_(next_multiple(start.step, system.job().dynamics.energy_interval)),
      next_frame_(next_multiple(start.step, system.job().dynamics.trajectory_interval)),
      written_before_(written_before) {
  latest_.step = -1;
  tell_written();
}

void RunOutput::tell_written() noexcept {
  written_before_.store(std::min(next_row_, next_frame_), std::memory_order_relaxed);
}

void RunOutput::write(const EnergyTotals& totals) {
  EnergyRow row{.step = totals.step,
                .time = static_cast<double>(totals.step) * system_.job().dynamics.timestep,
                .terms = terms_.of(totals)};
  row.potential = sum(row.terms);
  row.kinetic = totals[EnergyTerm::kinetic];
  row.total = row.potential + row.kinetic;
  row.temperature = temperature_of(row.kinetic, system_.degrees_of_freedom());
  drift_.add(row.time, row.total);
  latest_ = row;
  rows_.push_back(row);
  table_.write(row);
  trajectory_.write_energies(row);
  next_row_ = next_multiple(row.step + 1, system_.job().dynamics.energy_interval);
  tell_written();
  save_if_whole();
}

/// Without a periodic box there are no images: the molecule is written in one piece.
void RunOutput::unwrap(Frame& frame) const noexcept {
  for (std::size_t i = 0; i < frame.position.size(); ++i)
    frame.position[i] += system_.image_offset(std::exchange(frame.image[i], Int3{}));
}

void RunOutput::write(Frame frame) {
  switch (frame.purpose) {
    case FramePurpose::trajectory:
      if (!system_.job().settings.periodic) unwrap(frame);
      trajectory_.write_frame(frame.step,
                              static_cast<double>(frame.step) * system_.job().dynamics.timestep,
                              frame.position, frame.image, frame.velocity);
      next_frame_ = next_multiple(frame.step + 1, system_.job().dynamics.trajectory_interval);
      tell_written();
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

std::string RunOutput::rescue() {
  try {
    finish();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::vector<std::string> RunOutput::warnings() const {
  std::vector<std::string> all;
  for (const std::string& warning : {table_.warning(), trajectory_.warning()})
    if (!warning.empty()) all.push_back(warning);
  return all;
}

bool RunOutput::energies_whole_before(std::int64_t step) const noexcept {
  const auto interval = system_.job().dynamics.energy_interval;
  if (interval <= 0) return true;
  const std::int64_t last = (step - 1) / interval * interval;
  return last < first_ || latest_.step >= last;
}

void RunOutput::save_if_whole() {
  if (!waiting_ || !energies_whole_before(waiting_->step)) return;
  save(*waiting_);
  waiting_.reset();
}

DriftSums RunOutput::drift_before(std::int64_t step) const noexcept {
  DriftSums drift = saved_drift_;
  for (const auto& row : rows_)
    if (row.step < step) drift.add(row.time, row.total);
  return drift;
}

void RunOutput::forget_before(std::int64_t step) noexcept {
  saved_drift_ = drift_before(step);
  std::erase_if(rows_, [&](const EnergyRow& row) { return row.step < step; });
}

void RunOutput::save(const Frame& frame) {
  // Within a run Verlet's velocities wait for the second half of their kick; at its end they do
  // not.
  const bool half = frame.purpose == FramePurpose::checkpoint &&
                    system_.job().dynamics.integrator == IntegratorKind::verlet;
  // A checkpoint never outlives, in a power cut, what goes with it.
  sync_file(table_.path());
  sync_file(trajectory_.path());
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
  forget_before(frame.step);
}

double RunOutput::energy_drift() const noexcept {
  return drift_.slope() * units::hartree_in_kj_per_mol / units::time_in_ps / system_.atoms();
}

void RunOutput::describe(Progress& progress) const noexcept {
  progress.energy_drift = energy_drift();
  if (latest_.step < 0) return;
  const auto& row = latest_;
  progress.temperature_kelvin = row.temperature * units::hartree_in_kelvin;
  progress.potential = row.potential * units::hartree_in_kj_per_mol;
  progress.kinetic = row.kinetic * units::hartree_in_kj_per_mol;
}

}  // namespace fg::app
