// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/job/baths.hpp"

#include "base/error.hpp"
#include "base/shown.hpp"
#include "motion/kinetic.hpp"

namespace fg::ab_initio {

int ion_degrees_of_freedom(const DynamicsSettings& settings, std::size_t ions) noexcept {
  if (settings.ions_rest) return 0;
  const auto centre =
      settings.ion_bath.kind == IonBathKind::langevin ? CentreOfMass::moves : CentreOfMass::held;
  return degrees_of_freedom(static_cast<int>(ions), static_cast<int>(settings.distances.size()),
                            centre);
}

std::unique_ptr<IonBath> make_ion_bath(const DynamicsSettings& settings, std::size_t ions) {
  const IonBathSettings& bath = settings.ion_bath;
  if (bath.kind == IonBathKind::none) return no_ion_bath(settings.timestep);
  const int freedom = ion_degrees_of_freedom(settings, ions);
  if (freedom == 0)
    throw InputError({.what = settings.ions_rest ? "the ions rest, but have a heat bath"
                                                 : "one ion alone has a heat bath",
                      .hint = "leave out the bath of the ions"});
  const RandomBathSettings random{bath.temperature, bath.time_constant, settings.seed};
  switch (bath.kind) {
    case IonBathKind::nose_hoover:
      return nose_hoover_ion_bath(settings.timestep,
                                  {.temperature = bath.temperature,
                                   .degrees_of_freedom = static_cast<double>(freedom),
                                   .time_constant = bath.time_constant,
                                   .links = bath.chain_length});
    case IonBathKind::rescaling:
      return rescaling_ion_bath(settings.timestep, random, freedom);
    case IonBathKind::langevin:
      return langevin_ion_bath(settings.timestep, random);
    case IonBathKind::none:
      break;
  }
  FG_CHECK(false);
}

std::optional<NoseHooverChain> make_electron_bath(const DynamicsSettings& settings,
                                                  std::size_t ions) {
  const ElectronBathSettings& bath = settings.electron_bath;
  if (bath.kind == ElectronBathKind::none) return std::nullopt;
  if (settings.kind != DynamicsKind::car_parrinello)
    throw InputError({.what = "there is a heat bath of orbitals, but they do not move on their own",
                      .limit = "car-parrinello dynamics alone can have it",
                      .hint = "leave out the bath of the orbitals"});
  if (!(bath.time_constant >= settings.timestep))
    throw InputError(
        {.what = "the time constant of the bath of the orbitals is below the time step",
         .value = shown(bath.time_constant),
         .limit = "at least " + shown(settings.timestep),
         .hint = "give one period of the orbitals or more"});
  return NoseHooverChain(nose_hoover_of_orbitals(bath.kinetic, 3 * static_cast<double>(ions),
                                                 bath.time_constant, bath.chain_length));
}

}  // namespace fg::ab_initio
