// SPDX-License-Identifier: BSD-3-Clause
#include "classical/run_output.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/units.hpp"
#include "motion/kinetic.hpp"
#include "records/checkpoints/output_reach.hpp"
#include "records/job/job_motion.hpp"

namespace fg::classical {

namespace {

std::optional<std::int64_t> kept_up_to(const State& start, const Resumption* resumed) {
  return resumed ? std::optional(start.step - 1) : std::nullopt;
}

}  // namespace

RunOutput::RunOutput(const System& system, std::string folder, const State& start,
                     const Resumption* resumed, std::atomic<std::int64_t>& written_before)
    : system_(system),
      folder_(std::move(folder)),
      terms_(system),
      saved_drift_(resumed ? resumed->checkpoint.drift : DriftSums()),
      drift_(saved_drift_),
      begin_(resumed ? resumed->checkpoint.outputs.begin : start.step),
      table_(folder_ + "/energies.csv", system.job().box.periodic, terms_.names(),
             kept_up_to(start, resumed)),
      trajectory_(folder_ + "/trajectory.h5", system.job(), terms_.names(),
                  {.velocities = system.job().dynamics.trajectory_velocities,
                   .resume_after = kept_up_to(start, resumed),
                   .with_journal = !resumed || resumed->with_journal}),
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
  row.kinetic = totals.terms[energy_term("kinetic")];
  row.total = row.potential + row.kinetic;
  row.conserved = row.total + totals.bath;
  row.temperature = temperature_of(row.kinetic, system_.degrees_of_freedom());
  row.volume = totals.box.volume();
  for (int c = 0; c < 6; ++c)
    row.pressure[c] = (totals.motion[c] + totals.virial[c] + totals.inner_virial[c] +
                       (c < 3 ? totals.dispersion_virial : 0)) /
                      row.volume;
  row.density = system_.total_mass() / row.volume;
  drift_.add(row.time, row.conserved);
  latest_ = row;
  work_ = totals.work;
  rows_.push_back(row);
  table_.write(row);
  trajectory_.write_energies(row);
  next_row_ = next_multiple(row.step + 1, system_.job().dynamics.energy_interval);
  tell_written();
  save_if_whole();
}

void RunOutput::write(Frame frame) {
  switch (frame.purpose) {
    case FramePurpose::trajectory:
      early_.emplace(frame.step, std::move(frame));
      write_early_frames();
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

/// Messages have no order, so that a frame may be whole before the one that comes first.
void RunOutput::write_early_frames() {
  for (auto at = early_.begin(); at != early_.end() && at->first == next_frame_;
       at = early_.erase(at)) {
    const Frame& frame = at->second;
    const Box& box = frame.bath.box;
    trajectory_.write_frame(
        {.step = frame.step,
         .time = static_cast<double>(frame.step) * system_.job().dynamics.timestep,
         .cell = box.vectors(),
         .inside = wrapped(box, frame.position, frame.image),
         .velocities = frame.velocity});
    next_frame_ = next_multiple(frame.step + 1, system_.job().dynamics.trajectory_interval);
    tell_written();
  }
  save_if_whole();
}

void RunOutput::finish() {
  save_if_whole();
  FG_CHECK(!waiting_ && early_.empty());
  if (!last_frame_) return;
  // The patches do not know the work of the last scaling. A run that continues from here, perhaps
  // between two scalings, could not find it any more.
  FG_CHECK(latest_.step == last_frame_->step);
  last_frame_->bath.work = work_;
  last_frame_->bath.strain = {};
  save(*last_frame_);
}

bool RunOutput::whole_before(std::int64_t step) const noexcept {
  return next_row_ >= step && next_frame_ >= step;
}

void RunOutput::save_if_whole() {
  if (!waiting_ || !whole_before(waiting_->step)) return;
  save(*waiting_);
  waiting_.reset();
}

DriftSums RunOutput::drift_before(std::int64_t step) const {
  DriftSums drift = saved_drift_;
  for (const auto& row : rows_)
    if (row.step < step) drift.add(row.time, row.conserved);
  return drift;
}

void RunOutput::forget_before(std::int64_t step) {
  saved_drift_ = drift_before(step);
  std::erase_if(rows_, [&](const EnergyRow& row) { return row.step < step; });
}

void RunOutput::save(const Frame& frame) {
  // During a run the velocities may lack a part of their kick; at its end they do not.
  const auto stage =
      frame.purpose == FramePurpose::checkpoint
          ? make_integrator(integrator_settings(system_.job().dynamics))->between_steps()
          : VelocityStage::full;
  FG_CHECK(whole_before(frame.step));
  // A checkpoint names what the files hold for certain, whatever happens next.
  table_.sync();
  trajectory_.sync();
  const auto& dynamics = system_.job().dynamics;
  const OutputPromise outputs{
      .begin = begin_,
      .rows = multiples_between(begin_, frame.step, dynamics.energy_interval),
      .frames = multiples_between(begin_, frame.step, dynamics.trajectory_interval)};
  save_checkpoint(checkpoint_path(), {.step = frame.step,
                                      .stage = stage,
                                      .positions = frame.position,
                                      .velocities = frame.velocity,
                                      .images = frame.image,
                                      .bath = frame.bath,
                                      .seed = system_.job().dynamics.seed,
                                      .job_digest = digest_,
                                      .drift = drift_before(frame.step),
                                      .outputs = outputs});
  saved_step_ = frame.step;
  forget_before(frame.step);
}

double RunOutput::energy_drift() const noexcept {
  return drift_per_atom(drift_, system_.atoms());
}

void RunOutput::describe(Progress& progress) const noexcept {
  progress.energy_drift = energy_drift();
  if (latest_.step < 0) return;
  const auto& row = latest_;
  progress.temperature_kelvin = row.temperature * units::hartree_in_kelvin;
  progress.potential = row.potential * units::hartree_in_kj_per_mol;
  progress.kinetic = row.kinetic * units::hartree_in_kj_per_mol;
  if (!system_.job().box.periodic) return;
  const auto& p = row.pressure;
  progress.pressure = (p[0] + p[1] + p[2]) / 3 * units::pressure_in_bar;
  progress.volume = row.volume * units::volume_in_nm3;
  progress.density = row.density * units::density_in_kg_per_m3;
}

}  // namespace fg::classical
