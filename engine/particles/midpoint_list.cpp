// SPDX-License-Identifier: BSD-3-Clause
//
// The pairs of quads whose midpoint is in a cell. Both quads may be in any of the patches that it
// needs. The lower one in the neighbourhood has the row.
#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/round_up.hpp"
#include "particles/midpoints.hpp"
#include "particles/pair_bits.hpp"
#include "particles/pair_list.hpp"

namespace fg {

template <class Real>
void PairListBuilder<Real>::find_exclusions_of_midpoints(const Neighbourhood<Real>& neighbourhood,
                                                         const MidpointCell& cell,
                                                         std::span<const MidpointSide> sides) {
  exclusions_.clear();
  const auto quad_of = [&](int partner, std::int32_t slot) {
    return neighbourhood.first_quad(partner) + slot / quad_size;
  };
  // `row` and `column` are slots of two partners, the first one of the lower number.
  const auto add = [&](int partner, std::int32_t row, int other, std::int32_t column) {
    const std::int32_t quad = quad_of(partner, row), with = quad_of(other, column);
    if (!candidates_.holds(quad) || !candidates_.holds(with)) return;
    const auto range = cell.between(sides[static_cast<std::size_t>(partner)].offset,
                                    sides[static_cast<std::size_t>(other)].offset);
    if (range && range->holds(candidates_.point(quad), candidates_.point(with)))
      exclusions_.push_back({quad, with, pair_bit(row % quad_size, column % quad_size)});
  };
  const int partners = neighbourhood.partners();
  candidate_ids_.clear();
  for (int p = 0; p < partners; ++p) {
    if (!candidates_.has_any(p)) continue;
    for (const auto& [id, slot] : neighbourhood.partner(p).block.by_id)
      if (candidates_.holds(quad_of(p, slot))) candidate_ids_.push_back({id, p, slot});
  }
  std::ranges::sort(candidate_ids_, [](const IdAt& a, const IdAt& b) {
    return a.id != b.id ? a.id < b.id : a.partner < b.partner;
  });
  std::vector<int> images;  // later partners that are images of this one
  for (int p = 0; p < partners; ++p) {
    if (!candidates_.has_any(p)) continue;
    const PatchBlockView<Real>& block = neighbourhood.partner(p).block;
    images.clear();
    for (int other = p + 1; other < partners; ++other)
      if (neighbourhood.partner(other).block.is(block)) images.push_back(other);
    for (const auto& [a, b] : block.inner_exclusions) {
      add(p, a, p, b);
      // Across the box's edge molecules meet their own images.
      for (const int other : images) {
        add(p, a, other, b);
        add(p, b, other, a);
      }
    }
    // The other atom has the same exclusion. So each is found from both sides, and added once.
    for (const auto& [id, slot] : block.outer_exclusions) {
      if (!candidates_.holds(quad_of(p, slot))) continue;
      auto at = std::ranges::lower_bound(candidate_ids_, id, {}, &IdAt::id);
      for (; at != candidate_ids_.end() && at->id == id; ++at)
        if (at->partner > p) add(p, slot, at->partner, at->slot);
    }
  }
  sort_exclusions();
}

template <class Real>
void PairListBuilder<Real>::find_boxes_of_candidates() {
  const std::span quads = candidates_.quads();
  for (int axis = 0; axis < 3; ++axis) {
    const auto copy = [&](const AlignedVector<Real>& all, AlignedVector<Real>& found, Real far) {
      found.assign(static_cast<std::size_t>(round_up(static_cast<std::int32_t>(quads.size()), 16)),
                   far);
      std::ranges::transform(quads, found.begin(), [&](std::int32_t quad) {
        return all[static_cast<std::size_t>(quad)];
      });
    };
    constexpr Real far = std::numeric_limits<Real>::max() / 4;
    copy(low_[axis], candidate_low_[axis], far);
    copy(high_[axis], candidate_high_[axis], -far);
  }
}

template <class Real>
void PairListBuilder<Real>::build_of_midpoints(const Neighbourhood<Real>& neighbourhood,
                                               const MidpointCell& cell,
                                               std::span<const MidpointSide> sides,
                                               const Vec3& widths, double cutoff, int group,
                                               PairList& list) {
  FG_CHECK(static_cast<int>(sides.size()) == neighbourhood.partners());
  candidates_.find(cell, sides, widths, cutoff);
  FG_CHECK(candidates_.all_quads() == neighbourhood.quads());
  find_exclusions_of_midpoints(neighbourhood, cell, sides);
  begin(neighbourhood, candidates_.held(), cutoff, group, list);
  find_boxes_of_candidates();
  const QuadBoxes<Real> of_candidates{
      {candidate_low_[0].data(), candidate_low_[1].data(), candidate_low_[2].data()},
      {candidate_high_[0].data(), candidate_high_[1].data(), candidate_high_[2].data()}};
  const std::span quads = candidates_.quads();
  const int partners = neighbourhood.partners();
  struct Meeting {
    int other;
    MidpointRange range;
  };
  std::vector<Meeting> meeting;  // partners from this one on that may have a midpoint with it here
  for (int p = 0; p < partners; ++p) {
    if (!candidates_.has_any(p)) continue;
    const PatchOffset& here = sides[static_cast<std::size_t>(p)].offset;
    meeting.clear();
    for (int other = p; other < partners; ++other) {
      if (!candidates_.has_any(other)) continue;
      const PatchOffset& there = sides[static_cast<std::size_t>(other)].offset;
      if (const auto range = cell.between(here, there)) meeting.push_back({other, *range});
    }
    const auto within = cell.between(here, here);
    for (std::int32_t i = candidates_.first(p); i < candidates_.first(p + 1); ++i) {
      const std::int32_t row = quads[static_cast<std::size_t>(i)];
      if (neighbourhood.atoms_in(row) == 0) continue;
      const PatchPoint& point = candidates_.point(row);
      std::size_t near = 0;
      for (const auto& [other, range] : meeting) {
        if (!boxes_near(boxes(), row, quads_padded_ + other, cutoff2_)) continue;
        std::uint32_t* const found = near_.data() + near;
        const std::size_t count = find_near(of_candidates, i, std::max(i, candidates_.first(other)),
                                            candidates_.first(other + 1), cutoff2_, found);
        for (std::size_t k = 0; k < count; ++k) {
          const std::int32_t quad = quads[found[k]];
          near_[near] = static_cast<std::uint32_t>(quad);
          near += range.holds(point, candidates_.point(quad));
        }
      }
      add_row(neighbourhood, row, within && within->holds(point, point), near, list);
    }
  }
}

template void PairListBuilder<float>::build_of_midpoints(const Neighbourhood<float>&,
                                                         const MidpointCell&,
                                                         std::span<const MidpointSide>, const Vec3&,
                                                         double, int, PairList&);
template void PairListBuilder<double>::build_of_midpoints(const Neighbourhood<double>&,
                                                          const MidpointCell&,
                                                          std::span<const MidpointSide>,
                                                          const Vec3&, double, int, PairList&);

}  // namespace fg
