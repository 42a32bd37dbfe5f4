// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/job/dynamics_advice.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "base/units.hpp"
#include "electrons/orbitals/orbital_frequencies.hpp"

namespace fg::ab_initio {

namespace {

using electrons::SwingingOrbitals;

/// A share of the estimated limit, good to a tenth; swings of so few steps are already disturbed.
constexpr double near_limit = 0.7;
/// A share of the cutoff: in a cell of a few atoms no wave may be nearer to it.
constexpr double sure_wave = 0.8;
/// A gap that many solids and liquids do not have [hartree]: 3 eV.
constexpr double large_gap = 3 / units::hartree_in_ev;

SwingingOrbitals swinging(const DynamicsSettings& settings, const KnownOrbitals& orbitals) {
  return {.mass = {.mass = settings.fictitious_mass, .cutoff = settings.mass_cutoff},
          .occupation = orbitals.occupation,
          .cutoff = std::max(orbitals.cutoff, orbitals.largest)};
}

std::string femtoseconds(double time) {
  return shown(time * units::time_in_fs, 3) + " fs";
}
std::string inverse_centimetres(double frequency) {
  return shown(frequency * units::hartree_in_inverse_cm, 3) + " 1/cm";
}
std::string electron_volts(double energy) {
  return shown(energy * units::hartree_in_ev, 3) + " eV";
}

}  // namespace

void check_timestep(const DynamicsSettings& settings, const KnownOrbitals& orbitals) {
  if (settings.kind != DynamicsKind::car_parrinello) return;
  SwingingOrbitals swing = swinging(settings, orbitals);
  swing.cutoff = sure_wave * orbitals.cutoff;
  const double highest = highest_orbital_frequency(swing);
  const double longest = electrons::longest_timestep(highest);
  if (!(settings.timestep <= longest))
    throw InputError({.what = "the time step is too long for the fastest orbitals",
                      .value = femtoseconds(settings.timestep),
                      .limit = "at most " + femtoseconds(longest) +
                               " with this fictitious mass; a fifth of it is usual",
                      .hint = "a shorter time step, a larger fictitious mass, or a smaller cutoff "
                              "of the mass"});
}

void check_estimated_timestep(const DynamicsSettings& settings, const KnownOrbitals& orbitals) {
  const double lowest = std::min(0.0, orbitals.eigenvalues.front());
  const double longest =
      electrons::longest_timestep(highest_orbital_frequency(swinging(settings, orbitals), lowest));
  if (std::abs(settings.timestep) <= surely_unstable * longest) return;
  throw NumericsError({.what = "the time step is too long for the fastest orbitals",
                       .where = "ground state of the start",
                       .value = femtoseconds(settings.timestep),
                       .limit = femtoseconds(longest) + ", as the orbital energies give it",
                       .hint = "a shorter time step, a larger fictitious mass, or a smaller cutoff "
                               "of the mass"});
}

DynamicsAdvice advise(const DynamicsSettings& settings, const KnownOrbitals& orbitals,
                      std::span<const double> masses) {
  DynamicsAdvice advice;
  if (settings.kind != DynamicsKind::car_parrinello) return advice;
  const SwingingOrbitals swing = swinging(settings, orbitals);
  const bool known = !orbitals.eigenvalues.empty();
  const double lowest = known ? std::min(0.0, orbitals.eigenvalues.front()) : 0;
  const double highest = highest_orbital_frequency(swing, lowest);
  const double longest = electrons::longest_timestep(highest);
  advice.lines.emplace_back("fastest orbitals", (known ? "about " : "above ") +
                                                    inverse_centimetres(highest) +
                                                    "; potentials near nuclei make them faster");
  advice.lines.emplace_back("longest time step", (known ? "about " : "below ") +
                                                     femtoseconds(longest) + ", this run has " +
                                                     femtoseconds(settings.timestep));
  if (settings.timestep > near_limit * longest)
    advice.warnings.push_back("the time step, " + femtoseconds(settings.timestep) +
                              ", is near the longest that the fastest orbitals allow, " +
                              femtoseconds(longest) + " or less; the run may become unstable");
  if (masses.empty() || settings.ions_rest) return advice;

  const double ions = electrons::highest_ion_frequency(masses);
  const double gap = gap_of_frequency(swing, ions);
  advice.lines.emplace_back("fastest ions",
                            "about " + inverse_centimetres(ions) +
                                ", by the lightest mass on a spring of 0.5 hartree/bohr^2");
  std::string slowest =
      "as fast as the fastest ions if the gap between the highest occupied and "
      "the lowest empty orbital is " +
      electron_volts(gap) + "; they should be faster";
  slowest += orbitals.finds_gap ? ". The gap follows from the empty orbitals of the ground state"
                                : ". The gap is not computed";
  if (known)
    slowest += "; the highest occupied orbital has " + electron_volts(orbitals.eigenvalues.back());
  advice.lines.emplace_back("slowest orbitals", slowest);
  if (gap > large_gap && !orbitals.finds_gap)
    advice.warnings.push_back(
        "with this fictitious mass the slowest orbitals are faster than the fastest ions only if "
        "the gap is above " +
        electron_volts(gap) +
        "; otherwise energy flows from ions to orbitals. A smaller mass, heavier hydrogen, or a "
        "bath of the orbitals may help");
  return advice;
}

DynamicsAdvice advise_of_gap(const DynamicsSettings& settings, const KnownOrbitals& orbitals,
                             double gap, std::span<const double> masses) {
  DynamicsAdvice advice;
  if (!(gap > 0)) {
    advice.warnings.push_back("there is no gap between occupied and empty orbitals (" +
                              electron_volts(gap) +
                              "): orbitals that move do not stay in their ground state; kind = "
                              "\"born-oppenheimer\" finds "
                              "it at each step");
    return advice;
  }
  const SwingingOrbitals swing = swinging(settings, orbitals);
  const double slowest = lowest_orbital_frequency(swing, gap);
  const double ions = settings.ions_rest ? 0 : electrons::highest_ion_frequency(masses);
  std::string text = "about " + inverse_centimetres(slowest) + " by the gap of " +
                     electron_volts(gap) + ", sqrt(f gap / mass)";
  if (ions > 0) text += "; " + shown(slowest / ions, 3) + " times the fastest ions";
  advice.lines.emplace_back("slowest orbitals", text);
  if (slowest < enough_apart * ions) {
    const double mass =
        settings.fictitious_mass * gap / gap_of_frequency(swing, enough_apart * ions);
    advice.warnings.push_back(
        "the slowest orbitals, " + inverse_centimetres(slowest) + " by the gap of " +
        electron_volts(gap) + ", are near the fastest ions or below, " + inverse_centimetres(ions) +
        ", so energy flows from ions to orbitals. A fictitious mass below " + shown(mass, 3) +
        " electron masses, heavier hydrogen, or a bath of the orbitals helps");
  }
  return advice;
}

}  // namespace fg::ab_initio
