// SPDX-License-Identifier: BSD-3-Clause
#include "particles/pair_list.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/round_up.hpp"
#include "particles/pair_bits.hpp"

namespace fg {
namespace {

/// For a quad with itself: each pair once.
constexpr std::uint32_t upper_half() noexcept {
  std::uint32_t bits = 0;
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < column; ++row) bits |= pair_bit(row, column);
  return bits | bits << 16;
}

std::uint32_t offset_of(std::int32_t quad) noexcept {
  return static_cast<std::uint32_t>(quad) * quad::stride;
}

}  // namespace

template <class Real>
void PairListBuilder<Real>::find_exclusions(const Neighbourhood<Real>& neighbourhood,
                                            bool within_home) {
  exclusions_.clear();
  const PatchBlockView<Real>& home = neighbourhood.partner(0).block;
  const auto add = [this](std::int32_t home_slot, std::int32_t first_quad, std::int32_t slot) {
    exclusions_.push_back({home_slot / quad_size, first_quad + slot / quad_size,
                           pair_bit(home_slot % quad_size, slot % quad_size)});
  };
  if (within_home) {
    for (const auto& [a, b] : home.inner_exclusions) add(a, 0, b);
  }
  for (int p = 1; p < neighbourhood.partners(); ++p) {
    const PatchBlockView<Real>& block = neighbourhood.partner(p).block;
    const std::int32_t first = neighbourhood.first_quad(p);
    if (block.is(home)) {
      // An image of the home patch: across the box's edge molecules meet their own images here.
      for (const auto& [a, b] : home.inner_exclusions) add(a, first, b), add(b, first, a);
      continue;
    }
    auto entry = block.by_id.begin();
    for (const auto& [id, slot] : home.outer_exclusions) {
      while (entry != block.by_id.end() && entry->id < id) ++entry;
      if (entry == block.by_id.end()) break;
      if (entry->id == id) add(slot, first, entry->slot);
    }
  }
  sort_exclusions();
}

template <class Real>
void PairListBuilder<Real>::sort_exclusions() {
  std::sort(exclusions_.begin(), exclusions_.end(), [](const Exclusion& a, const Exclusion& b) {
    if (a.home_quad != b.home_quad) return a.home_quad < b.home_quad;
    return a.quad != b.quad ? a.quad < b.quad : a.bit < b.bit;
  });
}

template <class Real>
void PairListBuilder<Real>::find_boxes(const Neighbourhood<Real>& neighbourhood,
                                       std::span<const std::uint8_t> wanted) {
  // One box per quad, then, after a full number of vectors, one per partner. Quads without atoms
  // get a box that is far from everything.
  quads_padded_ = round_up(neighbourhood.quads(), 16);
  const std::size_t boxes = quads_padded_ + neighbourhood.partners();
  for (int axis = 0; axis < 3; ++axis) {
    low_[axis].assign(boxes, std::numeric_limits<Real>::max() / 4);
    high_[axis].assign(boxes, -std::numeric_limits<Real>::max() / 4);
  }
  for (int p = 0; p < neighbourhood.partners(); ++p) {
    const std::int32_t all = quads_padded_ + p;
    for (std::int32_t q = neighbourhood.first_quad(p); q < neighbourhood.first_quad(p + 1); ++q) {
      const int atoms = neighbourhood.atoms_in(q);
      if (atoms == 0 || (!wanted.empty() && wanted[static_cast<std::size_t>(q)] == 0)) continue;
      for (int axis = 0; axis < 3; ++axis) {
        const Real* const r = neighbourhood.data() + offset_of(q) + quad::x + 4 * axis;
        // The first atom replaces missing ones.
        const Real a = r[0], b = r[atoms > 1 ? 1 : 0], c = r[atoms > 2 ? 2 : 0],
                   d = r[atoms > 3 ? 3 : 0];
        low_[axis][q] = std::min(std::min(a, b), std::min(c, d));
        high_[axis][q] = std::max(std::max(a, b), std::max(c, d));
        low_[axis][all] = std::min(low_[axis][all], low_[axis][q]);
        high_[axis][all] = std::max(high_[axis][all], high_[axis][q]);
      }
    }
  }
}

template <class Real>
void PairListBuilder<Real>::begin(const Neighbourhood<Real>& neighbourhood,
                                  std::span<const std::uint8_t> wanted, double cutoff, int group,
                                  PairList& list) {
  find_boxes(neighbourhood, wanted);
  list.clear();
  list.group = group;
  const auto scaled = static_cast<Real>(cutoff * neighbourhood.length_scale());
  cutoff2_ = scaled * scaled;
  near_.resize(neighbourhood.quads() + pair_list_slack);
  stamp_.assign(neighbourhood.quads(), std::numeric_limits<std::uint32_t>::max());
  next_exclusion_ = 0;
}

template <class Real>
QuadBoxes<Real> PairListBuilder<Real>::boxes() const noexcept {
  return {{low_[0].data(), low_[1].data(), low_[2].data()},
          {high_[0].data(), high_[1].data(), high_[2].data()}};
}

template <class Real>
void PairListBuilder<Real>::build(const Neighbourhood<Real>& neighbourhood, bool within_home,
                                  double cutoff, int group, PairList& list) {
  find_exclusions(neighbourhood, within_home);
  begin(neighbourhood, {}, cutoff, group, list);
  const std::int32_t home_quads = neighbourhood.home_quads();
  for (std::int32_t home = 0; home < home_quads; ++home) {
    if (neighbourhood.atoms_in(home) == 0) continue;
    // Quads of the home patch before this one have the pair in their own rows.
    const std::int32_t first = within_home ? home : home_quads;
    std::size_t near = 0;
    for (int p = 0; p < neighbourhood.partners(); ++p) {
      if (!boxes_near(boxes(), home, quads_padded_ + p, cutoff2_)) continue;
      near += find_near(boxes(), home, std::max(first, neighbourhood.first_quad(p)),
                        neighbourhood.first_quad(p + 1), cutoff2_, near_.data() + near);
    }
    add_row(neighbourhood, home, within_home, near, list);
  }
}

template <class Real>
void PairListBuilder<Real>::add_row(const Neighbourhood<Real>& neighbourhood, std::int32_t home,
                                    bool with_itself, std::size_t near, PairList& list) {
  const std::uint32_t blank = offset_of(neighbourhood.blank_quad());
  const int group = list.group;
  PairRow row{.home = offset_of(home),
              .lennard_jones = neighbourhood.lennard_jones_in(home),
              .masked_begin = static_cast<std::uint32_t>(list.masked.size()),
              .masked_end = 0,
              .free_begin = static_cast<std::uint32_t>(list.free.size()),
              .free_end = 0};
  if (with_itself) {
    list.masked.push_back({row.home, upper_half()});
    stamp_[home] = home;
  }
  std::size_t& exclusion = next_exclusion_;
  while (exclusion < exclusions_.size() && exclusions_[exclusion].home_quad < home) ++exclusion;
  for (; exclusion < exclusions_.size() && exclusions_[exclusion].home_quad == home; ++exclusion) {
    const Exclusion& e = exclusions_[exclusion];
    if (!boxes_near(boxes(), home, e.quad, cutoff2_)) continue;
    const std::uint32_t partner = offset_of(e.quad);
    // Entered twice: not a pair at all, in the high half of the bits.
    const bool again = exclusion > 0 && exclusions_[exclusion - 1] == e;
    const std::uint32_t bit = again ? e.bit << 16 : e.bit;
    if (stamp_[e.quad] != static_cast<std::uint32_t>(home)) {
      stamp_[e.quad] = home;
      list.masked.push_back({partner, all_pairs});
      list.masked.back().bits &= ~bit;
    } else if (partner == row.home) {
      list.masked[row.masked_begin].bits &= ~bit;
    } else {
      list.masked.back().bits &= ~bit;
    }
  }

  // Partners that remain are kept by the distances of their atoms.
  std::size_t kept = 0;
  for (std::size_t k = 0; k < near; ++k) {
    const std::uint32_t q = near_[k];
    near_[kept] = offset_of(q);
    kept += stamp_[q] != static_cast<std::uint32_t>(home);
  }
  const std::size_t begin = list.free.size();
  list.free.resize(begin + kept + pair_list_slack);
  near = prune_row(neighbourhood.data(), row.home, near_.data(), kept, cutoff2_,
                   list.free.data() + begin);

  // Masked groups can be filled up with a free partner as well as with the blank quad.
  while ((list.masked.size() - row.masked_begin) % group != 0) {
    if (near > 0) {
      list.masked.push_back({list.free[begin + --near], all_pairs});
    } else {
      list.masked.push_back({blank, 0});
    }
  }
  while (near % group != 0) list.free[begin + near++] = blank;
  list.free.resize(begin + near);
  row.masked_end = static_cast<std::uint32_t>(list.masked.size());
  row.free_end = static_cast<std::uint32_t>(list.free.size());
  if (row.masked_end > row.masked_begin || row.free_end > row.free_begin) list.rows.push_back(row);
}

template <class Real>
void PairListBuilder<Real>::prune(const Neighbourhood<Real>& neighbourhood, const PairList& outer,
                                  double cutoff, PairList& inner) {
  const auto scaled = static_cast<Real>(cutoff * neighbourhood.length_scale());
  const std::uint32_t blank = offset_of(neighbourhood.blank_quad());
  inner.group = outer.group;
  inner.masked = outer.masked;
  inner.rows.clear();
  inner.free.resize(outer.free.size() + pair_list_slack);
  std::size_t end = 0;
  for (PairRow row : outer.rows) {
    const std::size_t begin = end;
    end += prune_row(neighbourhood.data(), row.home, outer.free.data() + row.free_begin,
                     row.free_end - row.free_begin, scaled * scaled, inner.free.data() + begin);
    while ((end - begin) % inner.group != 0) inner.free[end++] = blank;
    row.free_begin = static_cast<std::uint32_t>(begin);
    row.free_end = static_cast<std::uint32_t>(end);
    if (row.masked_end > row.masked_begin || end > begin) inner.rows.push_back(row);
  }
  inner.free.resize(end);
}

void mark_touched(const PairList& list, std::span<std::uint8_t> quads) noexcept {
  std::fill(quads.begin(), quads.end(), std::uint8_t{0});
  for (const PairRow& row : list.rows) quads[row.home / quad::stride] = 1;
  for (const MaskedPartner& m : list.masked) quads[m.partner / quad::stride] = 1;
  for (const std::uint32_t partner : list.free) quads[partner / quad::stride] = 1;
}

template class PairListBuilder<float>;
template class PairListBuilder<double>;

}  // namespace fg
