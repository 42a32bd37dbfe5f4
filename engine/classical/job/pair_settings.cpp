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
          .bits = settings.bits,
          .assignment = settings.pairs};
}

HalfShell half_shell(const System& system) {
  const Job& job = system.job();
  const auto& [x, y, z] = job.settings.reach;
  const PatchOffset reach{x, y, z};
  if (!job.box.orthorhombic()) return HalfShell(reach);
  // A barostat may make patches as thin as the lists allow.
  const bool moves = job.dynamics.barostat != BarostatKind::none;
  const Vec3 widths = moves ? system.least_patch_widths() : system.grid().widths();
  return {reach, {widths.x, widths.y, widths.z}, system.partner_distance()};
}

PairRuns pair_runs(const System& system) {
  const JobSettings& settings = system.job().settings;
  const auto& [x, y, z] = settings.reach;
  if (settings.pairs == PairAssignment::midpoint) return PairRuns::of_midpoints({x, y, z});
  return {half_shell(system), settings.pair_computes};
}

}  // namespace fg::classical
