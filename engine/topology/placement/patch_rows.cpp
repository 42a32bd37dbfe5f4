// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/patch_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "base/error.hpp"
#include "topology/placement/hilbert_order.hpp"
#include "topology/placement/patch_points.hpp"
#include "topology/placement/pe_rows.hpp"
#include "topology/placement/shares.hpp"

namespace fg::topology {

namespace {

class Row {
 public:
  Row(std::span<const int> patches, std::span<const std::int64_t> loads, const PeRows& pes)
      : pes_(pes), patches_(patches), pe_of_(patches.size()) {
    for (const int patch : patches) row_.push_back(loads[static_cast<std::size_t>(patch)]);
  }

  /// Patches from `begin` to `end` of the row.
  void divide(std::size_t begin, std::size_t end, std::span<const int> rows) {
    if (rows.size() == 1) {
      for (std::size_t i = begin; i < end; ++i)
        pe_of_[static_cast<std::size_t>(patches_[i])] = pes_.number(rows[0]);
      return;
    }
    const std::size_t pes_below = pes_.middle(rows);
    PeSum below, above;
    for (std::size_t i = 0; i < rows.size(); ++i)
      (i < pes_below ? below : above).add(pes_.place(rows[i]));
    const auto here = std::span(row_).subspan(begin, end - begin);
    const std::int64_t load = std::accumulate(here.begin(), here.end(), std::int64_t{0});
    const std::int64_t cut = nearest_cut(here, fair_part(load, below, above), below.pes,
                                         static_cast<std::int64_t>(here.size()) - above.pes);
    const std::size_t middle = begin + static_cast<std::size_t>(cut);
    divide(begin, middle, rows.first(pes_below));
    divide(middle, end, rows.subspan(pes_below));
  }
  std::vector<int> take() { return std::move(pe_of_); }

 private:
  const PeRows& pes_;
  std::span<const int> patches_;
  std::vector<std::int64_t> row_;
  std::vector<int> pe_of_;
};

std::vector<int> divided(std::span<const int> patches, std::span<const std::int64_t> loads,
                         const PeRows& pes, std::span<const int> rows) {
  Row row(patches, loads, pes);
  row.divide(0, patches.size(), rows);
  return row.take();
}

std::vector<int> all_patches(std::size_t count) {
  std::vector<int> patches(count);
  std::iota(patches.begin(), patches.end(), 0);
  return patches;
}

}  // namespace

std::vector<int> row_patches(const std::array<int, 3>& sides, std::span<const std::int64_t> loads,
                             std::span<const PePlace> pes, const Coordinates& mesh,
                             const std::array<int, 3>& axes) {
  const Coordinates points = patch_points(sides);
  FG_CHECK(loads.size() == static_cast<std::size_t>(points.nodes()));
  if (loads.empty()) return {};
  const PeRows rows(pes, mesh, static_cast<int>(loads.size()));
  std::vector<int> patches = all_patches(loads.size());
  std::ranges::stable_sort(patches, [&](int a, int b) {
    for (const int axis : axes)
      if (points.at(a, axis) != points.at(b, axis)) return points.at(a, axis) < points.at(b, axis);
    return false;
  });
  return divided(patches, loads, rows, rows.rows());
}

std::vector<int> hilbert_patches(const std::array<int, 3>& sides,
                                 std::span<const std::int64_t> loads, std::span<const PePlace> pes,
                                 const Coordinates& mesh) {
  const Coordinates points = patch_points(sides);
  FG_CHECK(loads.size() == static_cast<std::size_t>(points.nodes()));
  if (loads.empty()) return {};
  const PeRows rows(pes, mesh, static_cast<int>(loads.size()));
  std::vector<int> patches = all_patches(loads.size());
  sort_in_hilbert_order(points, patches);
  std::vector<int> order(rows.rows().begin(), rows.rows().end());
  sort_in_hilbert_order(rows.points(), order);
  return divided(patches, loads, rows, order);
}

}  // namespace fg::topology
