// SPDX-License-Identifier: BSD-3-Clause
//
// The pairs of quads whose midpoint is in a cell. Both quads may be in any of the patches that it
// needs. The lower one in the neighbourhood has the row.
#include <algorithm>

#include "base/error.hpp"
#include "particles/pair_bits.hpp"
#include "particles/pair_list.hpp"

namespace fg {

template <class Real>
void PairListBuilder<Real>::find_exclusions_of_midpoints(const Neighbourhood<Real>& neighbourhood,
                                                         const MidpointCell& cell,
                                                         std::span<const MidpointSide> sides) {
  exclusions_.clear();
  // `row` and `column` are slots of two partners, the first one of the lower number.
  const auto add = [&](int partner, std::int32_t row, int other, std::int32_t column) {
    const std::int32_t quad = neighbourhood.first_quad(partner) + row / quad_size;
    const std::int32_t with = neighbourhood.first_quad(other) + column / quad_size;
    const auto range = cell.between(sides[static_cast<std::size_t>(partner)].offset,
                                    sides[static_cast<std::size_t>(other)].offset);
    if (range && range->holds(points_[quad], points_[with]))
      exclusions_.push_back({quad, with, pair_bit(row % quad_size, column % quad_size)});
  };
  const int partners = neighbourhood.partners();
  all_ids_.clear();
  for (int p = 0; p < partners; ++p)
    for (const auto& [id, slot] : neighbourhood.partner(p).block.by_id)
      all_ids_.push_back({id, p, slot});
  std::ranges::sort(all_ids_, [](const IdAt& a, const IdAt& b) {
    return a.id != b.id ? a.id < b.id : a.partner < b.partner;
  });
  for (int p = 0; p < partners; ++p) {
    const PatchBlockView<Real>& block = neighbourhood.partner(p).block;
    for (const auto& [a, b] : block.inner_exclusions) {
      add(p, a, p, b);
      // Across the box's edge molecules meet their own images.
      for (int other = p + 1; other < partners; ++other)
        if (neighbourhood.partner(other).block.is(block)) {
          add(p, a, other, b);
          add(p, b, other, a);
        }
    }
    // The other atom has the same exclusion. So each is found from both sides, and added once.
    for (const auto& [id, slot] : block.outer_exclusions) {
      auto at = std::ranges::lower_bound(all_ids_, id, {}, &IdAt::id);
      for (; at != all_ids_.end() && at->id == id; ++at)
        if (at->partner > p) add(p, slot, at->partner, at->slot);
    }
  }
  sort_exclusions();
}

template <class Real>
void PairListBuilder<Real>::build_of_midpoints(const Neighbourhood<Real>& neighbourhood,
                                               const MidpointCell& cell,
                                               std::span<const MidpointSide> sides, double cutoff,
                                               int group, PairList& list) {
  FG_CHECK(static_cast<int>(sides.size()) == neighbourhood.partners());
  points_.clear();
  for (const MidpointSide& side : sides)
    for (std::size_t quad = 0; quad < side.references.size(); ++quad)
      points_.push_back(from_middle(side, quad));
  FG_CHECK(static_cast<std::int32_t>(points_.size()) == neighbourhood.quads());
  find_exclusions_of_midpoints(neighbourhood, cell, sides);
  begin(neighbourhood, cutoff, group, list);
  const int partners = neighbourhood.partners();
  struct Meeting {
    int other;
    MidpointRange range;
  };
  std::vector<Meeting> meeting;  // partners from this one on that may have a midpoint with it here
  for (int p = 0; p < partners; ++p) {
    const auto at = static_cast<std::size_t>(p);
    meeting.clear();
    for (int other = p; other < partners; ++other)
      if (const auto range =
              cell.between(sides[at].offset, sides[static_cast<std::size_t>(other)].offset))
        meeting.push_back({other, *range});
    const auto within = cell.between(sides[at].offset, sides[at].offset);
    for (std::int32_t row = neighbourhood.first_quad(p); row < neighbourhood.first_quad(p + 1);
         ++row) {
      if (neighbourhood.atoms_in(row) == 0) continue;
      std::size_t near = 0;
      for (const auto& [other, range] : meeting) {
        if (!boxes_near(boxes(), row, quads_padded_ + other, cutoff2_)) continue;
        std::uint32_t* const found = near_.data() + near;
        const std::size_t count =
            find_near(boxes(), row, std::max(row, neighbourhood.first_quad(other)),
                      neighbourhood.first_quad(other + 1), cutoff2_, found);
        for (std::size_t k = 0; k < count; ++k) {
          near_[near] = found[k];
          near += range.holds(points_[row], points_[found[k]]);
        }
      }
      add_row(neighbourhood, row, within && within->holds(points_[row], points_[row]), near, list);
    }
  }
}

template void PairListBuilder<float>::build_of_midpoints(const Neighbourhood<float>&,
                                                         const MidpointCell&,
                                                         std::span<const MidpointSide>, double, int,
                                                         PairList&);
template void PairListBuilder<double>::build_of_midpoints(const Neighbourhood<double>&,
                                                          const MidpointCell&,
                                                          std::span<const MidpointSide>, double,
                                                          int, PairList&);

}  // namespace fg
