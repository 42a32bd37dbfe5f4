// SPDX-License-Identifier: BSD-3-Clause
#include "classical/cuts.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "base/units.hpp"
#include "records/run_log.hpp"

namespace fg::classical {

namespace {

constexpr double smallest_box = 0.9;  // widths over those for which a cut was made
// A new cut is chosen so that it lasts for a while.
constexpr double room_for_scaling = 1.03;

std::string in_nm(double length) {
  return quantity(length * units::bohr_in_nm, "nm");
}

}  // namespace

Cut first_cut(const Job& job) {
  return {.patches = job.settings.patch_grid, .box = job.box};
}

double frame_room(const Job& job) noexcept {
  return job.dynamics.barostat == BarostatKind::none ? 1 : 1 / smallest_box;
}

Cuts::Cuts(const System& system)
    : cutoff_(system.job().settings.cutoff),
      least_width_(system.least_patch_width()),
      most_(system.job().settings.patch_grid) {}

bool Cuts::fits(const Cut& cut, const Box& box) const noexcept {
  const Vec3 widths = box.widths(), before = cut.box.widths();
  for (int axis = 0; axis < 3; ++axis)
    if (widths[axis] < cut.patches[axis] * least_width_ || widths[axis] < 2 * cutoff_ ||
        widths[axis] < smallest_box * before[axis])
      return false;
  return true;
}

Cut Cuts::next(const Box& box, std::int64_t step) const {
  const Vec3 widths = box.widths();
  const double needed = std::max(least_width_, 2 * cutoff_);
  const double shortest = std::min({widths.x, widths.y, widths.z});
  if (!(shortest >= needed))
    throw NumericsError(
        {.what = "the barostat has made the box too small for the cutoff",
         .where = "step " + std::to_string(step),
         .value = "a box of " + in_nm(box.edge.x) + " x " + in_nm(box.edge.y) + " x " +
                  in_nm(box.edge.z) + ", smallest width " + in_nm(shortest),
         .limit = "widths of at least " + in_nm(needed) +
                  ": twice the cutoff, and the reach of the pair list",
         .hint = "start from a larger or denser system, check [dynamics] pressure, or use a "
                 "shorter [forces] cutoff; a checkpoint saved before is intact"});
  Cut cut{.patches = {}, .box = box};
  for (int axis = 0; axis < 3; ++axis)
    cut.patches[axis] = std::clamp(
        static_cast<int>(widths[axis] / (least_width_ * room_for_scaling)), 1, most_[axis]);
  return cut;
}

}  // namespace fg::classical
