// SPDX-License-Identifier: BSD-3-Clause
//
// What the objects of a classical run do in a step, counted, and how long one of each takes. An
// estimate adds it up before a run (classical/division/work_estimate.hpp), and objects charge a
// simulated machine for it (charge_work.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fg {

/// What objects do in a step, counted. Every object has "object", which does not depend on numbers.
/// Patches have "message", the messages of pair forces, and atoms that they move. A pair compute
/// has pairs of atoms on its list, atoms of the patches that it needs, the patches that the list
/// touches, and rows of the list, each a quad with its partners. A midpoint cell also looks at
/// atoms for a new list, which counts in equal parts in all steps with this list. A spreader has
/// atoms that it puts on the mesh, and points of its grid. Bonded computes have terms. Pencils have
/// points of the mesh: along z, where grids are added up, and along y or x.
inline constexpr std::array<std::string_view, 13> kinds_of_work{
    "object",     "message",    "pair",         "pair-atom", "patch-atom",
    "mesh-atom",  "grid-point", "bonded-term",  "z-point",   "line-point",
    "list-patch", "list-row",   "midpoint-atom"};
enum WorkKind : std::uint8_t {
  of_object,
  of_message,
  of_pair,
  of_pair_atom,
  of_patch_atom,
  of_mesh_atom,
  of_grid_point,
  of_bonded_term,
  of_z_point,
  of_line_point,
  of_list_patch,
  of_list_row,
  of_midpoint_atom
};
using WorkCounts = std::array<std::int64_t, kinds_of_work.size()>;
/// How long one of each takes [ps], as fitted by bench/accuracy/work_estimate.py to measured times.
/// bench/results/work_estimate.json says on which machine. Places follow from the ratios alone.
/// Times of pair lists are from a later fit to a Xeon (list_costs.py and its result), rounded, on
/// the scale of the others.
inline constexpr WorkCounts work_picoseconds{1900000, 300000, 1800, 750,    65000,  37000, 750,
                                             28000,   3200,   1350, 390000, 175000, 360000};

/// The same in double precision: fewer numbers fit into a vector, and each is twice as long. The
/// ratios are those of the times of DHFR on one core of a Xeon with AVX-512.
inline constexpr WorkCounts work_picoseconds_in_double{
    work_picoseconds[of_object],         work_picoseconds[of_message],
    work_picoseconds[of_pair] * 3 / 2,   work_picoseconds[of_pair_atom] * 3 / 2,
    work_picoseconds[of_patch_atom],     work_picoseconds[of_mesh_atom] * 2,
    work_picoseconds[of_grid_point] * 2,
    work_picoseconds[of_bonded_term],  // always in double precision
    work_picoseconds[of_z_point] * 2,    work_picoseconds[of_line_point] * 2,
    work_picoseconds[of_list_patch],     work_picoseconds[of_list_row] * 3 / 2,
    work_picoseconds[of_midpoint_atom]};

template <class Real>
constexpr const WorkCounts& times_of_work() noexcept {
  return sizeof(Real) == sizeof(double) ? work_picoseconds_in_double : work_picoseconds;
}

/// The fit, for a reader who sees times that follow from it.
inline constexpr std::string_view work_fit =
    "fits to cores with AVX-512, an AMD EPYC and for pairs a Xeon, 2026-11-24 and 2026-11-30";

}  // namespace fg
