// SPDX-License-Identifier: BSD-3-Clause
//
// The heat baths that a job asks for. Units: Hartree atomic units.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "ab_initio/job/dynamics_settings.hpp"
#include "ab_initio/motion/ion_bath.hpp"
#include "ab_initio/motion/nose_hoover.hpp"

namespace fg::ab_initio {

/// The number of directions in which `ions` ions move. Each ion has three. Three are taken away
/// where the momentum of all is kept, as in all but Langevin dynamics. One is taken away for each
/// distance that is kept. 0 if the ions rest.
int ion_degrees_of_freedom(const DynamicsSettings& settings, std::size_t ions) noexcept;

/// Throws InputError if a setting makes no sense, or if there is nothing for a bath to act on.
std::unique_ptr<IonBath> make_ion_bath(const DynamicsSettings& settings, std::size_t ions);

/// Empty without a bath. Its `advance` takes the fictitious kinetic energy of all orbitals, for
/// half a time step. It is called before the first half of their kick, and after the second half.
/// Orbitals that follow the ions move in as many directions as the ions, three for each. The chain
/// divides the energy that is wanted by this number of degrees of freedom. With the number of all
/// coefficients, further links would get next to nothing. Throws InputError if a setting makes no
/// sense.
std::optional<NoseHooverChain> make_electron_bath(const DynamicsSettings& settings,
                                                  std::size_t ions);

}  // namespace fg::ab_initio
