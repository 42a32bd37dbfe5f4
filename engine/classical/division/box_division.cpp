// SPDX-License-Identifier: BSD-3-Clause
#include "classical/division/box_division.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "base/units.hpp"
#include "records/log/run_log.hpp"

namespace fg::classical {

namespace {

// Widths over those for which a division was made.
constexpr double smallest_box = 0.9, largest_box = 1.3;
// Widths over those of the job. The points of the mesh are those of the job. At twice the spacing
// the error of order 4 is 16 times as large. A liquid has become a gas long before.
constexpr double most_growth = 2;
// A new division is chosen so that it lasts for a while.
constexpr double room_for_scaling = 1.03;

std::string in_nm(double length) {
  return quantity(length * units::bohr_in_nm, "nm");
}

std::string in_nm(const Vec3& lengths) {
  return in_nm(lengths.x) + " x " + in_nm(lengths.y) + " x " + in_nm(lengths.z);
}

}  // namespace

BoxDivision first_division(const Job& job) {
  return {.patches = job.settings.patch_grid, .box = job.box};
}

double frame_room(const Job& job) noexcept {
  return job.dynamics.barostat == BarostatKind::none ? 1 : 1 / smallest_box;
}

BoxDivisions::BoxDivisions(const System& system)
    : cutoff_(system.job().settings.cutoff),
      least_widths_(system.least_patch_widths()),
      most_(system.job().settings.patch_grid),
      start_(system.job().box.widths()) {}

bool BoxDivisions::fits(const BoxDivision& division, const Vec3& widths) const noexcept {
  const Vec3 before = division.box.widths();
  for (int axis = 0; axis < 3; ++axis)
    if (widths[axis] < division.patches[axis] * least_widths_[axis] || widths[axis] < 2 * cutoff_ ||
        widths[axis] < smallest_box * before[axis] || widths[axis] > largest_box * before[axis])
      return false;
  return true;
}

void BoxDivisions::follow(BoxDivision& division, const Box& box, std::int64_t step) const {
  const Vec3 widths = box.widths();
  refuse_too_large(box, step);
  if (fits(division, widths)) return;
  refuse_too_small(box, step);
  division.box = box;
  for (int axis = 0; axis < 3; ++axis)
    division.patches[axis] = std::clamp(
        static_cast<int>(widths[axis] / (least_widths_[axis] * room_for_scaling)), 1, most_[axis]);
}

void BoxDivisions::refuse_too_small(const Box& box, std::int64_t step) const {
  const Vec3 widths = box.widths();
  double needed = 2 * cutoff_, shortest = std::min({widths.x, widths.y, widths.z});
  for (int axis = 0; axis < 3; ++axis) needed = std::max(needed, least_widths_[axis]);
  if (!(shortest >= needed))
    throw NumericsError(
        {.what = "the barostat has made the box too small for the cutoff",
         .where = "step " + std::to_string(step),
         .value = "a box of " + in_nm(box.edge) + ", smallest width " + in_nm(shortest),
         .limit = "widths of at least " + in_nm(needed) +
                  ": twice the cutoff, and the reach of the pair list",
         .hint = "start from a larger or denser system, check [dynamics] pressure, or use a "
                 "shorter [forces] cutoff; a checkpoint saved before is intact"});
}

void BoxDivisions::refuse_too_large(const Box& box, std::int64_t step) const {
  const Vec3 widths = box.widths();
  bool grown = false;
  for (int axis = 0; axis < 3; ++axis) grown |= !(widths[axis] <= most_growth * start_[axis]);
  if (!grown) return;
  const double nm3 = units::bohr_in_nm * units::bohr_in_nm * units::bohr_in_nm;
  throw NumericsError(
      {.what = "the barostat lets the box grow without end: the system flies apart",
       .where = "step " + std::to_string(step),
       .value = "a box of " + in_nm(box.edge) + ", volume " + quantity(box.volume() * nm3, "nm3"),
       .limit = "twice the widths at the start of the job, " + in_nm(start_) +
                ", whose mesh and patches it keeps",
       .hint = "check [dynamics] pressure and temperature, and whether the system is held together "
               "at all: a gas needs constant volume; the checkpoint saved before is intact, and a "
               "new run that starts from it counts from its own box"});
}

}  // namespace fg::classical
