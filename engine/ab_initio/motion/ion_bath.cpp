// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/motion/ion_bath.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "ab_initio/motion/ion_constraints.hpp"
#include "base/error.hpp"
#include "base/philox.hpp"
#include "base/shown.hpp"
#include "motion/velocity_rescaling.hpp"

namespace fg {

double kinetic_energy(const MovingIons& ions) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < ions.size(); ++i)
    sum += 0.5 * ions.masses[i] * dot(ions.velocities[i], ions.velocities[i]);
  return sum;
}

void IonBath::drift(std::int64_t, const MovingIons& ions) {
  for (std::size_t i = 0; i < ions.size(); ++i) ions.positions[i] += timestep_ * ions.velocities[i];
}

void IonBath::drift(std::int64_t step, const MovingIons& ions, IonConstraints& constraints) {
  const std::vector<Vec3> previous(ions.positions.begin(), ions.positions.end());
  drift(step, ions);
  constraints.apply_to_positions(previous, ions, timestep_);
}

void IonBath::restore(const IonBathState& state) {
  if (!state.chain.velocities.empty() || !state.chain.positions.empty())
    throw InputError({.what = "the saved bath is a chain of Nose and Hoover, and this one is not",
                      .hint = "continue with the settings that the run began with"});
  if (!std::isfinite(state.heat))
    throw InputError({.what = "the heat of the saved bath is not finite",
                      .hint = "continue from an earlier checkpoint"});
  heat_ = state.heat;
}

namespace {

void scale(double factor, std::span<Vec3> velocities) noexcept {
  for (Vec3& v : velocities) v = factor * v;
}

/// Rescaling would pass over an energy that is none, and the run would continue with it.
double finite_kinetic_energy(const MovingIons& ions, std::int64_t step) {
  const double energy = kinetic_energy(ions);
  if (!std::isfinite(energy))
    throw NumericsError({.what = "the kinetic energy of the ions is not finite",
                         .where = "step " + std::to_string(step),
                         .hint = "a shorter time step may help"});
  return energy;
}

double checked_timestep(double timestep) {
  if (!(timestep > 0) || !std::isfinite(timestep))
    throw InputError({.what = "the time step of a dynamics is not above 0",
                      .value = shown(timestep),
                      .limit = "above 0",
                      .hint = "give a time step"});
  return timestep;
}

void check_time_constant(double time_constant, double timestep) {
  if (!(time_constant >= timestep) || !std::isfinite(time_constant))
    throw InputError({.what = "the time constant of a heat bath is below the time step",
                      .value = shown(time_constant),
                      .limit = "at least " + shown(timestep),
                      .hint = "a bath that disturbs the motion little has some hundred steps"});
}

void check_temperature(double temperature, double least) {
  if (!(temperature >= least) || !std::isfinite(temperature))
    throw InputError({.what = "the temperature of a heat bath makes no sense",
                      .value = shown(temperature) + " hartree",
                      .limit = least > 0 ? "above 0" : "at least 0",
                      .hint = "give a temperature"});
}

class NoBath final : public IonBath {
 public:
  explicit NoBath(double timestep) noexcept : IonBath(timestep) {}
};

class NoseHooverBath final : public IonBath {
 public:
  NoseHooverBath(double timestep, const NoseHooverSettings& settings)
      : IonBath(timestep), chain_(settings) {}

  void begin(std::int64_t, const MovingIons& ions) override { half_step(ions); }
  void end(std::int64_t, const MovingIons& ions) override { half_step(ions); }
  double energy() const noexcept override { return chain_.energy(); }
  IonBathState state() const override { return {.chain = chain_.state(), .heat = 0}; }
  void restore(const IonBathState& state) override { chain_.restore(state.chain); }

 private:
  void half_step(const MovingIons& ions) {
    scale(chain_.advance(kinetic_energy(ions), 0.5 * timestep_), ions.velocities);
  }

  NoseHooverChain chain_;
};

class RescalingBath final : public IonBath {
 public:
  RescalingBath(double timestep, const VelocityRescaling& thermostat) noexcept
      : IonBath(timestep), thermostat_(thermostat) {}

  void end(std::int64_t step, const MovingIons& ions) override {
    const double before = finite_kinetic_energy(ions, step);
    const double factor = velocity_factor(thermostat_, before, step);
    scale(factor, ions.velocities);
    heat_ += (factor * factor - 1) * before;
  }

 private:
  VelocityRescaling thermostat_;
};

class LangevinBath final : public IonBath {
 public:
  LangevinBath(double timestep, const RandomBathSettings& settings) noexcept
      : IonBath(timestep),
        seed_(settings.seed),
        keep_(std::exp(-timestep / settings.time_constant)),
        // 1 - keep^2 without cancellation.
        spread_(
            std::sqrt(-std::expm1(-2 * timestep / settings.time_constant) * settings.temperature)) {
  }

  void drift(std::int64_t step, const MovingIons& ions) override {
    move(ions);
    heat_ += disturb(step, ions);
    move(ions);
  }

  void drift(std::int64_t step, const MovingIons& ions, IonConstraints& constraints) override {
    move(ions, constraints);
    constraints.apply_to_velocities(ions);
    // Heat is what friction and noise give to the motion that is left to the ions.
    const double along = kinetic_energy(ions);
    disturb(step, ions);
    constraints.apply_to_velocities(ions);
    heat_ += kinetic_energy(ions) - along;
    move(ions, constraints);
  }

 private:
  /// It acts for half a time step.
  void move(const MovingIons& ions) const noexcept {
    for (std::size_t i = 0; i < ions.size(); ++i)
      ions.positions[i] += 0.5 * timestep_ * ions.velocities[i];
  }
  void move(const MovingIons& ions, IonConstraints& constraints) const {
    const std::vector<Vec3> previous(ions.positions.begin(), ions.positions.end());
    move(ions);
    constraints.apply_to_positions(previous, ions, 0.5 * timestep_);
  }

  /// Friction and noise; the kinetic energy that they give.
  double disturb(std::int64_t step, const MovingIons& ions) const {
    const RandomStream stream{seed_, static_cast<std::uint64_t>(step), RandomPurpose::langevin};
    const double before = finite_kinetic_energy(ions, step);
    for (std::size_t i = 0; i < ions.size(); ++i) {
      Vec3& v = ions.velocities[i];
      const Vec3 noise = normal_triple_reference(stream, static_cast<std::int32_t>(i));
      v = keep_ * v + spread_ / std::sqrt(ions.masses[i]) * noise;
    }
    return kinetic_energy(ions) - before;
  }

  std::uint64_t seed_;
  double keep_, spread_;
};

}  // namespace

std::unique_ptr<IonBath> no_ion_bath(double timestep) {
  return std::make_unique<NoBath>(checked_timestep(timestep));
}

std::unique_ptr<IonBath> nose_hoover_ion_bath(double timestep, const NoseHooverSettings& settings) {
  check_time_constant(settings.time_constant, checked_timestep(timestep));
  return std::make_unique<NoseHooverBath>(timestep, settings);
}

std::unique_ptr<IonBath> rescaling_ion_bath(double timestep, const RandomBathSettings& settings,
                                            int degrees_of_freedom) {
  check_time_constant(settings.time_constant, checked_timestep(timestep));
  check_temperature(settings.temperature, std::numeric_limits<double>::min());
  if (degrees_of_freedom < 1)
    throw InputError({.what = "a heat bath that rescales velocities has no degree of freedom",
                      .value = std::to_string(degrees_of_freedom),
                      .limit = "at least 1",
                      .hint = "leave out the bath"});
  return std::make_unique<RescalingBath>(timestep,
                                         VelocityRescaling{.temperature = settings.temperature,
                                                           .time_constant = settings.time_constant,
                                                           .interval = timestep,
                                                           .degrees_of_freedom = degrees_of_freedom,
                                                           .seed = settings.seed});
}

std::unique_ptr<IonBath> langevin_ion_bath(double timestep, const RandomBathSettings& settings) {
  check_time_constant(settings.time_constant, checked_timestep(timestep));
  check_temperature(settings.temperature, 0);
  return std::make_unique<LangevinBath>(timestep, settings);
}

}  // namespace fg
