// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/patch_bisection.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "topology/placement/patch_points.hpp"
#include "topology/placement/pe_rows.hpp"
#include "topology/placement/shares.hpp"
#include "topology/placement/snake_order.hpp"

namespace fg::topology {

namespace {

class Bisection {
 public:
  Bisection(const std::array<int, 3>& sides, std::span<const std::int64_t> loads, const PeRows& pes,
            const PatchCuts& cuts)
      : loads_(loads), pes_(pes), cuts_(cuts), points_(patch_points(sides)), pe_of_(loads.size()) {
    const std::vector<int> patch_axes = longest_first(sides);
    const std::vector<int> mesh_axes = longest_first(pes.spans(pes.rows()));
    for (std::size_t i = 0; i < std::min<std::size_t>(3, mesh_axes.size()); ++i)
      partner_[static_cast<std::size_t>(patch_axes[i])] = mesh_axes[i];
    std::vector<int> patches(loads.size()), rows(pes.rows().begin(), pes.rows().end());
    std::iota(patches.begin(), patches.end(), 0);
    divide(patches, rows);
  }
  std::vector<int> take() { return std::move(pe_of_); }

 private:
  void divide(std::span<int> patches, std::span<int> rows) {
    if (rows.size() == 1) {
      for (const int patch : patches)
        pe_of_[static_cast<std::size_t>(patch)] = pes_.number(rows[0]);
      return;
    }
    const bool in_space =
        pes_.several_hosts(rows) || (cuts_.processes_in_space && pes_.several_processes(rows));
    std::vector<int> axes{0, 1, 2};
    if (in_space) {
      std::vector<int> spans = spans_of(points_, patches);
      for (std::size_t axis = 0; axis < 3; ++axis) spans[axis] *= cuts_.weights[axis];
      axes = longest_first(spans);
      sort_pes(rows, axes);
      sort_in_snake_order(points_, axes, patches);
    } else {
      std::ranges::sort(rows);
      std::ranges::sort(patches);
    }
    const std::size_t pes_below = pes_.middle(rows);
    PeSum below, above;
    for (std::size_t i = 0; i < rows.size(); ++i)
      (i < pes_below ? below : above).add(pes_.place(rows[i]));
    std::int64_t load = 0;
    for (const int patch : patches) load += load_of(patch);
    const std::int64_t wanted = fair_part(load, below, above);
    const auto count = static_cast<std::int64_t>(patches.size());
    std::vector<std::int64_t> row;
    for (const int patch : patches) row.push_back(load_of(patch));
    std::int64_t cut = nearest_cut(row, wanted, below.pes, count - above.pes);
    if (in_space && cuts_.planes)
      if (const std::int64_t plane = plane_cut(patches, axes, wanted, load, below, above);
          plane > 0)
        cut = plane;
    const auto patches_below = static_cast<std::size_t>(cut);
    divide(patches.first(patches_below), rows.first(pes_below));
    divide(patches.subspan(patches_below), rows.subspan(pes_below));
  }

  std::int64_t load_of(int patch) const { return loads_[static_cast<std::size_t>(patch)]; }

  /// By the dimensions that belong to the axes of the patches, then by the others, longest first.
  void sort_pes(std::span<int> rows, std::span<const int> axes) const {
    std::vector<int> dimensions;
    for (const int axis : axes)
      if (const int partner = partner_[static_cast<std::size_t>(axis)]; partner >= 0)
        dimensions.push_back(partner);
    for (const int d : longest_first(pes_.spans(rows)))
      if (std::ranges::find(dimensions, d) == dimensions.end()) dimensions.push_back(d);
    pes_.sort(rows, dimensions);
  }

  /// A cut between planes that is near enough to `wanted`, across the longest axis that has one.
  /// The patches are in snake order by `axes`. If another axis has the cut, they are put in the
  /// snake order of that axis. 0 if there is none.
  std::int64_t plane_cut(std::span<int> patches, std::span<const int> axes, std::int64_t wanted,
                         std::int64_t load, const PeSum& below, const PeSum& above) const {
    const auto count = static_cast<std::int64_t>(patches.size());
    for (const int axis : axes) {
      std::vector<int> sorted(patches.begin(), patches.end());
      std::vector<int> order{axis};
      std::ranges::copy_if(axes, std::back_inserter(order), [&](int a) { return a != axis; });
      sort_in_snake_order(points_, order, sorted);
      std::int64_t sum = 0, best = 0, nearest = std::min(wanted, load - wanted) / 20;
      for (std::int64_t i = 1; i <= count - above.pes; ++i) {
        const auto at = static_cast<std::size_t>(i);
        sum += load_of(sorted[at - 1]);
        if (i < below.pes || points_.at(sorted[at - 1], axis) == points_.at(sorted[at], axis))
          continue;
        const std::int64_t off = std::abs(sum - wanted);
        if (off > nearest || (off == nearest && best > 0)) continue;
        nearest = off;
        best = i;
      }
      if (best == 0) continue;
      std::ranges::copy(sorted, patches.begin());
      return best;
    }
    return 0;
  }

  std::span<const std::int64_t> loads_;
  const PeRows& pes_;
  PatchCuts cuts_;
  Coordinates points_;                      // of the patches
  std::array<int, 3> partner_{-1, -1, -1};  // the dimension of the mesh of each axis
  std::vector<int> pe_of_;
};

}  // namespace

std::vector<int> bisected_patches(const std::array<int, 3>& sides,
                                  std::span<const std::int64_t> loads, std::span<const PePlace> pes,
                                  const Coordinates& mesh, const PatchCuts& cuts) {
  FG_CHECK(loads.size() == static_cast<std::size_t>(sides[0] * sides[1] * sides[2]));
  if (loads.empty()) return {};
  const PeRows rows(pes, mesh, static_cast<int>(loads.size()));
  return Bisection(sides, loads, rows, cuts).take();
}

}  // namespace fg::topology
