// SPDX-License-Identifier: BSD-3-Clause
#include "classical/conductor.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/fixed_point.hpp"
#include "base/units.hpp"
#include "motion/kinetic.hpp"
#include "records/log/run_log.hpp"

namespace fg::classical {

namespace {

// Lists made for a temperature are also sufficient slightly above it.
constexpr double warm_share = 1.2;
constexpr double false_alarm_sigma = 6;

}  // namespace

void Conductor::begin(const Schedule& schedule, const BathState& bath) {
  schedule_ = schedule;
  bath_.begin(schedule, bath);
  start_ = bath;
  stand_at_ = -1;
  stops_at_ = -1;
  breaks_at_ = -1;
  break_.reset();
  finished_ = false;
  paused_ = 0;
  memory_.begin(schedule.first());
}

void Conductor::pauses(std::int64_t) {
  ++paused_;
}

Conductor::Arrivals& Conductor::arrivals_of(std::vector<Arrivals>& open, std::int64_t step) {
  const auto found =
      std::find_if(open.begin(), open.end(), [&](const Arrivals& a) { return a.step == step; });
  return found != open.end() ? *found : open.emplace_back(Arrivals{.step = step});
}

void Conductor::watch_lists(const Arrivals& all) {
  const ListLimits& limits = setup_.lists;
  if (lists_outrun_ || all.step == schedule_.first()) return;
  const double temperature =
      temperature_of(energy_scale.to_double(all.kinetic_energy), limits.degrees_of_freedom);
  // The relative fluctuation of the temperature in a small system.
  const double share = std::sqrt(2.0 / std::max(limits.degrees_of_freedom, 1));
  const bool hot = limits.temperature > 0 &&
                   temperature > limits.temperature * (warm_share + false_alarm_sigma * share);
  const bool far = limits.displacement > 0 && all.displacement > limits.displacement;
  if (!hot && !far) return;
  lists_outrun_ = true;
  const auto kelvin = [](double t) { return quantity(t * units::hartree_in_kelvin, "K"); };
  const auto nm = [](double x) { return quantity(x * units::bohr_in_nm, "nm"); };
  setup_.output->warn(
      "atoms move more than the pair lists allow for, and energies are less exact from step " +
      std::to_string(all.step) + " on: " +
      (hot ? kelvin(temperature) + ", lists made for " + kelvin(limits.temperature)
           : "an atom went " + nm(all.displacement) + " between two rebuilds, lists allow " +
                 nm(limits.displacement)) +
      "; minimise first, or set a smaller [forces] rebuild_interval");
}

void Conductor::stands_at(Ref<const StandingMessage> message) {
  const std::int64_t step = message->step;
  auto& arrivals = arrivals_of(rebuilds_, step);
  arrivals.kinetic_energy += message->kinetic_energy;
  arrivals.displacement = std::max(arrivals.displacement, message->displacement);
  if (++arrivals.patches < setup_.patches) return;
  watch_lists(arrivals);
  std::erase_if(rebuilds_, [&](const Arrivals& a) { return a.step == step; });
  // The first patch, which reports every step, may be in another process.
  if (setup_.output->step.load(std::memory_order_relaxed) < step) setup_.output->step = step;

  if (schedule_.next_rebuild(step) > schedule_.last()) return;
  stand_at_ = step;
  announce_if_ready();
}

void Conductor::energies(EnergyTotals totals, std::span<const MoleculeCentre> centres) {
  bath_.take(totals, centres);
  if (schedule_.weighs())
    weighed_ = totals;
  else if (schedule_.energies(totals.step))
    setup_.output->push(totals);
  announce_if_ready();
}

void Conductor::announce_if_ready() {
  if (stand_at_ < 0) return;
  const auto next = schedule_.next_rebuild(stand_at_);
  if (schedule_.couples(next) && !bath_.knows(next)) return;
  stand_at_ = -1;
  auto plan = RebuildPlan::go_on;
  const bool stops = setup_.output->stop_wanted.load() || schedule_.stop_due(next);
  if (stops && next != schedule_.last() && !schedule_.tries_volume(next)) {
    plan = RebuildPlan::save_and_stop;
    stops_at_ = next;
  } else if (schedule_.tries_volume(next) ||
             (schedule_.couples(next) && bath_.latest().state.division != start_.division)) {
    plan = RebuildPlan::save_and_stop;
    breaks_at_ = next;
  } else if (next == schedule_.last()) {
    // The last step is completed and saved at its end; a stop just before it would leave it out.
  } else if (setup_.output->checkpoint_wanted.exchange(false)) {
    plan = RebuildPlan::save;
  } else if (memory_due(next)) {
    plan = RebuildPlan::keep;
    memory_.start(next);
  }
  const Bath::Decision& latest = bath_.latest();
  const std::size_t centres = schedule_.couples(next) ? bath_.centres().size() : 0;
  auto message = make_message<PlanMessage>(centres * sizeof(MoleculeCentre));
  message->plan = plan;
  message->centres = static_cast<std::int32_t>(centres);
  message->scaling = schedule_.couples(next) ? latest.scaling : Scaling();
  message->bath = latest.state;
  std::copy_n(bath_.centres().begin(), centres, message->trailing<MoleculeCentre>());
  setup_.voice.announce_plan(next, std::move(message));
}

bool Conductor::memory_due(std::int64_t step) const noexcept {
  return memory_.due(step, setup_.output->written_before.load(std::memory_order_relaxed));
}

void Conductor::kept(std::int64_t step) {
  memory_.kept(step);
}

void Conductor::not_kept(Ref<const KeepFailureMessage> message) {
  if (memory_.fail()) setup_.output->warn(warning_of(*message));
}

void Conductor::momentum(Ref<const MomentumMessage> message) {
  const auto step = message->step;
  auto& arrivals = arrivals_of(momenta_, step);
  for (int axis = 0; axis < 3; ++axis) arrivals.momentum[axis] += message->momentum[axis];
  if (++arrivals.patches < setup_.patches) return;
  Vec3 drift;
  for (int axis = 0; axis < 3; ++axis)
    drift[axis] = momentum_scale.to_double(arrivals.momentum[axis]) / setup_.system->total_mass();
  std::erase_if(momenta_, [&](const Arrivals& a) { return a.step == step; });
  setup_.voice.announce_drift(step + 1, drift);
}

void Conductor::frame(Ref<const FrameMessage> message) {
  auto open = std::find_if(frames_.begin(), frames_.end(), [&](const OpenFrame& f) {
    return f.frame.step == message->step && f.frame.purpose == message->purpose;
  });
  if (open == frames_.end()) {
    open = frames_.insert(frames_.end(), OpenFrame{});
    open->frame.step = message->step;
    open->frame.purpose = message->purpose;
    open->frame.position.resize(setup_.system->atoms());
    open->frame.velocity.resize(setup_.system->atoms());
    open->frame.force.resize(setup_.system->atoms());
    open->frame.image.resize(setup_.system->atoms());
    open->frame.bath = message->bath;
  }
  open->frame.bath.heat += message->heat;
  const auto* records = message->trailing<FrameRecord>();
  for (int i = 0; i < message->atoms; ++i) {
    const auto& record = records[i];
    open->frame.position[record.id] = record.position;
    open->frame.velocity[record.id] = record.velocity;
    open->frame.force[record.id] = record.force;
    open->frame.image[record.id] = record.image;
  }
  open->atoms += message->atoms;
  if (++open->patches < setup_.patches) return;
  if (open->atoms != setup_.system->atoms())
    throw InternalError({.what = "the patches hold more or fewer atoms than the job",
                         .where = "step " + std::to_string(message->step),
                         .value = std::to_string(open->atoms),
                         .limit = std::to_string(setup_.system->atoms()),
                         .hint = "please report it with the job; the last checkpoint is intact"});
  const bool saves = open->frame.purpose == FramePurpose::checkpoint;
  if (open->frame.purpose == FramePurpose::last || (saves && open->frame.step == stops_at_))
    finished_ = true;
  if (saves && open->frame.step == breaks_at_)
    break_ = std::move(open->frame);
  else
    setup_.output->push(std::move(open->frame));
  frames_.erase(open);
}

}  // namespace fg::classical
