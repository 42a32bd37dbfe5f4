// SPDX-License-Identifier: BSD-3-Clause
#include "classical/job/pair_settings.hpp"

#include "particles/assignment/half_shell_pairs.hpp"
#include "particles/assignment/midpoint_cells.hpp"

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

PatchOffset reach_of(const Job& job) noexcept {
  const auto& [x, y, z] = job.settings.reach;
  return {x, y, z};
}

HalfShell half_shell(const System& system) {
  const Job& job = system.job();
  const PatchOffset reach = reach_of(job);
  if (!job.box.orthorhombic()) return HalfShell(reach);
  // A barostat may make patches as thin as the lists allow.
  const bool moves = job.dynamics.barostat != BarostatKind::none;
  const Vec3 widths = moves ? system.least_patch_widths() : system.grid().widths();
  return {reach, {widths.x, widths.y, widths.z}, system.partner_distance()};
}

std::shared_ptr<const PairDivision> pair_division(const System& system, const PatchGrid& grid) {
  const Job& job = system.job();
  switch (job.settings.pairs) {
    case PairAssignment::half_shell:
      return std::make_shared<HalfShellPairs>(
          grid, PairRuns(half_shell(system), job.settings.pair_computes));
    case PairAssignment::midpoint:
      break;
  }
  const PatchOffset reach = reach_of(job);
  return job.cells ? std::make_shared<MidpointCells>(grid, reach, *job.cells)
                   : std::make_shared<MidpointCells>(grid, reach);
}

}  // namespace fg::classical
