// SPDX-License-Identifier: BSD-3-Clause
#include "classical/job/pair_settings.hpp"

namespace fg::classical {

PairSettings pair_settings(const JobSettings& settings) {
  const auto coulomb = [&] {
    switch (settings.electrostatics) {
      case Electrostatics::pme:
        return Coulomb::ewald;
      case Electrostatics::reaction_field:
        return Coulomb::reaction_field;
      case Electrostatics::plain:
        break;
    }
    return Coulomb::plain;
  };
  return {.cutoff = settings.cutoff,
          .switch_distance = settings.switch_distance,
          .switching = settings.switching,
          .coulomb = coulomb(),
          .ewald_coefficient = settings.ewald_coefficient,
          .reaction_field_dielectric = settings.reaction_field_dielectric,
          .list_cutoff = settings.list_cutoff,
          .inner_list_cutoff = settings.inner_list_cutoff,
          .bits = settings.bits};
}

HalfShell half_shell(const JobSettings& settings) {
  const auto& [x, y, z] = settings.reach;
  return HalfShell({x, y, z});
}

HalfShellRuns pair_runs(const JobSettings& settings) {
  return {half_shell(settings), settings.pair_computes};
}

}  // namespace fg::classical
