// SPDX-License-Identifier: BSD-3-Clause
//
// Heat baths of ions that lie in plain arrays, all of them in one object. A step of velocity Verlet
// from positions n to n + 1 asks its bath three times:
//   begin(n, ...)   before the first half of the kick;
//   drift(n, ...)   instead of x += v dt;
//   end(n, ...)     after the second half of the kick, when velocities are those of n + 1.
// A chain of Nose and Hoover (nose_hoover.hpp) acts at the beginning and at the end. Rescaling
// (velocity_rescaling.hpp) acts at the end. Langevin dynamics has friction and noise in the middle
// of the drift:
//   v <- c v + sqrt((1 - c^2) kT / m) noise,  with c = exp(-dt / time constant).
// Source of that place: Leimkuhler and Matthews, Appl. Math. Res. Express 2013, 34 ("BAOAB").
//
// With constraints (ion_constraints.hpp) positions are moved back onto the distances after each
// part of a drift. What friction and noise give to velocities along the constraints is taken out.
// Source: Leimkuhler and Matthews, Proc. R. Soc. A 472, 20160138 (2016).
//
// Random numbers are functions of (seed, ion, step). So a run that continues has the same ones as a
// run that was not stopped. Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ab_initio/motion/nose_hoover.hpp"
#include "base/vec3.hpp"

namespace fg {

struct MovingIons {
  std::span<const double> masses;  // [ions] in electron masses
  std::span<Vec3> positions, velocities;

  std::size_t size() const noexcept { return masses.size(); }
};

/// 1/2 sum m v^2, in the order of the ions.
double kinetic_energy(const MovingIons& ions) noexcept;

/// What a bath remembers, for checkpoints.
struct IonBathState {
  NoseHooverState chain;  // without links, if the bath has none
  double heat = 0;        // that rescaling or Langevin dynamics has given to the ions

  bool operator==(const IonBathState&) const = default;
};

class IonConstraints;

class IonBath {
 public:
  virtual ~IonBath() = default;

  /// Throw NumericsError if velocities are not finite.
  virtual void begin(std::int64_t, const MovingIons&) {}
  virtual void drift(std::int64_t step, const MovingIons& ions);
  /// The same where distances are kept. Throws NumericsError if they cannot be.
  virtual void drift(std::int64_t step, const MovingIons& ions, IonConstraints& constraints);
  virtual void end(std::int64_t, const MovingIons&) {}

  /// What has to be added to kinetic and potential energy for a conserved sum.
  virtual double energy() const noexcept { return -heat_; }

  virtual IonBathState state() const { return {.chain = {}, .heat = heat_}; }
  /// Throws InputError if the state is not one of this kind of bath.
  virtual void restore(const IonBathState& state);

 protected:
  explicit IonBath(double timestep) noexcept : timestep_(timestep) {}

  double timestep_;
  double heat_ = 0;
};

/// The makers of baths. All throw InputError if a setting makes no sense, such as a time constant
/// below the time step, which is above 0.

/// Without a bath: the drift alone.
std::unique_ptr<IonBath> no_ion_bath(double timestep);

std::unique_ptr<IonBath> nose_hoover_ion_bath(double timestep, const NoseHooverSettings& settings);

struct RandomBathSettings {
  double temperature = 0;    // k_B T
  double time_constant = 0;  // of the kinetic energy; of Langevin dynamics 1 / friction
  std::uint64_t seed = 0;
};

/// `degrees_of_freedom`: three for each ion, less three since the momentum of all is kept, and less
/// one for each distance that is kept.
std::unique_ptr<IonBath> rescaling_ion_bath(double timestep, const RandomBathSettings& settings,
                                            int degrees_of_freedom);

/// Does not keep the momentum of all ions, so it has three degrees of freedom for each.
std::unique_ptr<IonBath> langevin_ion_bath(double timestep, const RandomBathSettings& settings);

}  // namespace fg
