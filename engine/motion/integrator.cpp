// SPDX-License-Identifier: BSD-3-Clause
#include "motion/integrator.hpp"

#include "base/units.hpp"
#include "motion/kinetic.hpp"
#include "motion/langevin.hpp"
#include "motion/verlet.hpp"

namespace fg {

namespace {

class VelocityVerlet final : public Integrator {
 public:
  explicit VelocityVerlet(const IntegratorSettings& s)
      : timestep_(s.timestep), thermometer_(s.thermometer) {}

  ConstraintStatus complete(MovingAtoms& atoms,
                            const PatchConstraints& constraints) const noexcept override {
    return verlet_second_half(atoms, constraints, timestep_);
  }
  ConstraintStatus advance(MovingAtoms& atoms, const PatchConstraints& constraints, std::int64_t,
                           double&) const noexcept override {
    return verlet_first_half(atoms, constraints, timestep_);
  }
  double kinetic_energy(MovingAtoms& atoms, const PatchConstraints&) const noexcept override {
    return fg::kinetic_energy(atoms);
  }
  double measured_kinetic_energy(MovingAtoms& atoms,
                                 const PatchConstraints& constraints) const noexcept override {
    if (thermometer_ == Thermometer::full_steps) return kinetic_energy(atoms, constraints);
    return 0.5 * (kinetic_energy_after_half_kick(atoms, constraints, timestep_) +
                  kinetic_energy_after_half_kick(atoms, constraints, -timestep_));
  }
  double sharpest_kinetic_energy(MovingAtoms& atoms,
                                 const PatchConstraints& constraints) const noexcept override {
    return kinetic_energy(atoms, constraints);
  }
  VelocityStage between_steps() const noexcept override { return VelocityStage::half; }
  double lag() const noexcept override { return 0; }
  std::string description() const override { return "velocity Verlet"; }

 private:
  double timestep_;
  Thermometer thermometer_;
};

class LangevinMiddle final : public Integrator {
 public:
  explicit LangevinMiddle(const IntegratorSettings& s)
      : parameters_{.timestep = s.timestep,
                    .temperature = s.temperature,
                    .friction = s.friction,
                    .seed = s.seed,
                    .final_temperature = s.final_temperature,
                    .ramp_steps = s.ramp_steps} {}

  ConstraintStatus complete(MovingAtoms&, const PatchConstraints&) const noexcept override {
    return {};
  }
  ConstraintStatus advance(MovingAtoms& atoms, const PatchConstraints& constraints,
                           std::int64_t step, double& heat) const noexcept override {
    return langevin_middle_step(atoms, constraints, parameters_, step, heat);
  }
  double kinetic_energy(MovingAtoms& atoms,
                        const PatchConstraints& constraints) const noexcept override {
    return langevin_kinetic_energy(atoms, constraints);
  }
  double measured_kinetic_energy(MovingAtoms& atoms,
                                 const PatchConstraints& constraints) const noexcept override {
    return kinetic_energy(atoms, constraints);
  }
  double sharpest_kinetic_energy(MovingAtoms& atoms,
                                 const PatchConstraints& constraints) const noexcept override {
    return kinetic_energy_after_half_kick(atoms, constraints, parameters_.timestep);
  }
  VelocityStage between_steps() const noexcept override { return VelocityStage::full; }
  double lag() const noexcept override { return 0.5 * parameters_.timestep; }
  /// Velocities are kicked to half a step before the positions; those of step 0 are not.
  std::string description() const override {
    return "Langevin middle (BAOAB), friction " +
           std::to_string(parameters_.friction / units::time_in_ps) + " ps-1";
  }

 private:
  LangevinParameters parameters_;
};

}  // namespace

std::unique_ptr<const Integrator> make_integrator(const IntegratorSettings& settings) {
  if (settings.kind == IntegratorKind::langevin) return std::make_unique<LangevinMiddle>(settings);
  return std::make_unique<VelocityVerlet>(settings);
}

}  // namespace fg
