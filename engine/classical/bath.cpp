// SPDX-License-Identifier: BSD-3-Clause
#include "classical/bath.hpp"

#include <cmath>
#include <string>

#include "base/elementary.hpp"
#include "base/error.hpp"
#include "base/fixed_point.hpp"
#include "base/units.hpp"

namespace fg::classical {

namespace {

constexpr double most_strain = 0.1;

PressureSample sample_of(const EnergyTotals& totals) noexcept {
  PressureSample sample;
  for (int axis = 0; axis < 3; ++axis) {
    sample.motion[axis] = totals.motion[axis];
    sample.virial[axis] =
        totals.virial[axis] + totals.inner_virial[axis] + totals.dispersion_virial;
  }
  return sample;
}

}  // namespace

void measure_for_baths(Schedule& schedule, const Job& job) {
  if (const auto barostat = make_barostat(barostat_settings(job)))
    schedule.measure_before_coupling(barostat->lag(), job.settings.prune_interval, true);
  else
    schedule.measure_before_coupling(1, job.settings.rebuild_interval, false);
}

Bath::Bath(const System& system)
    : barostat_(make_barostat(barostat_settings(system.job()))),
      thermostat_(velocity_rescaling(system.job(), system.degrees_of_freedom())),
      settings_(system.job().settings),
      molecules_(system.molecules()),
      timestep_(system.job().dynamics.timestep),
      lag_(make_integrator(integrator_settings(system.job().dynamics))->lag()),
      divisions_(system) {}

void Bath::begin(const Schedule& schedule, const BathState& start) {
  schedule_ = schedule;
  decisions_.assign(1, {.step = schedule.first(), .scaling = {}, .state = start});
  sum_ = {};
  samples_ = 0;
}

void Bath::take(EnergyTotals& totals, std::span<const MoleculeCentre> centres) {
  const std::int64_t step = totals.step;
  if (decisions_.size() > 1 && decisions_.back().step <= step) decisions_.erase(decisions_.begin());
  Decision& present = decisions_.front();
  totals.box = present.state.box;
  totals.dispersion = settings_.dispersion_coefficient / totals.box.volume();
  totals.dispersion_virial = settings_.dispersion_virial / totals.box.volume();
  const PressureSample sample = sample_of(totals);
  if (present.step == step) settle_work(sample, present.state);
  if (schedule_.samples(step)) {
    sum_.motion += sample.motion;
    sum_.virial += sample.virial;
    ++samples_;
  }
  totals.work = present.state.work;
  totals.bath = -energy_scale.to_double(present.state.heat + totals.heat) - totals.work;
  if (schedule_.decides(step))
    decide(schedule_.next_coupling(step), totals, present.state, centres);
}

/// The potential energy along the scaling is the integral of the virial over the strain. By the
/// trapezium rule it needs the virial before and after the scaling.
void Bath::settle_work(const PressureSample& after, BathState& state) noexcept {
  state.work -= 0.5 * dot(state.strain, state.virial_before + after.virial);
  state.strain = {};
}

void Bath::decide(std::int64_t step, const EnergyTotals& totals, const BathState& present,
                  std::span<const MoleculeCentre> centres) {
  Decision next{.step = step, .scaling = {}, .state = present};
  if (thermostat_.time_constant > 0)
    next.scaling.velocity =
        velocity_factor(thermostat_, totals.terms[energy_term("kinetic")], step);
  if (barostat_) {
    scale_box(totals, next);
    move_on(centres, step - totals.step);
  }
  sum_ = {};
  samples_ = 0;
  decisions_.push_back(next);
}

/// Where molecules will be when they are scaled. Velocities may be behind the positions. The next
/// term is of third order in a time that is short beside the motion of whole molecules.
void Bath::move_on(std::span<const MoleculeCentre> centres, std::int64_t steps) {
  const double time = static_cast<double>(steps) * timestep_;
  centres_.assign(centres.begin(), centres.end());
  for (std::size_t m = 0; m < centres_.size(); ++m) {
    MoleculeCentre& centre = centres_[m];
    const Vec3 push = centre.force * (1 / molecules_.mass(static_cast<int>(m)));
    centre.position += centre.velocity * time + push * (0.5 * time * (time + 2 * lag_));
    centre.velocity += push * time;
  }
}

void Bath::scale_box(const EnergyTotals& totals, Decision& next) const {
  const Box before = next.state.box;
  const PressureSample mean{.motion = sum_.motion * (1.0 / samples_),
                            .virial = sum_.virial * (1.0 / samples_)};
  const Vec3 strain = barostat_->strain(next.state, mean, next.step);
  for (int axis = 0; axis < 3; ++axis) {
    if (!(std::abs(strain[axis]) < most_strain))
      throw NumericsError(
          {.what = "the box changes too fast: the pressure is beyond all bounds",
           .where = "step " + std::to_string(totals.step),
           .value = std::to_string(mean.pressure(before.volume())[axis] * units::pressure_in_bar) +
                    " bar along axis " + std::to_string(axis + 1),
           .limit = "a change of an edge below 10 % at once",
           .hint =
               "minimise and run at constant volume first; a stiff solid needs a smaller "
               "[dynamics] compressibility, such as \"5e-7 1/bar\" (water has 4.6e-5); or let the "
               "barostat be slower (barostat_time); a checkpoint saved before is intact"});
    next.scaling.length[axis] = elementary::exp(strain[axis]);
  }
  next.state.box = scaled(before, next.scaling.length);
  divisions_.follow(next.state.division, next.state.box, next.step);
  next.state.strain = strain;
  next.state.virial_before = sample_of(totals).virial;
}

}  // namespace fg::classical
