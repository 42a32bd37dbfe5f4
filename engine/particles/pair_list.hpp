// SPDX-License-Identifier: BSD-3-Clause
//
// Which quads (four atoms) of a home patch meet which quads of its neighbourhood. A row is one quad
// of the home patch with its partners: first those with exclusions or with themselves, which carry
// masks, then the free ones, which are nearly all. Free partners come in groups of `group`, the
// quads that one SIMD vector holds; the blank quad fills the last group.
// The scheme is the cluster pair list of Pall and Hess, Comput. Phys. Commun. 184, 2641 (2013),
// with 4 x 4 pairs as its unit, whatever the SIMD width.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "particles/neighbourhood.hpp"

namespace fg {

/// Partners are offsets into Neighbourhood::data(), in numbers.
struct PairRow {
  std::uint32_t home;           // offset of the home quad
  std::uint32_t lennard_jones;  // how many of its atoms have Lennard-Jones terms; they come first
  std::uint32_t masked_begin, masked_end;  // into PairList::masked
  std::uint32_t free_begin, free_end;      // into PairList::free; multiples of the group apart
};

/// Bit 4 * column + row (column: lane of the partner, row: lane of the home quad) of the low half:
/// the pair is not excluded. Of the high half: it is a pair at all.
struct MaskedPartner {
  std::uint32_t partner;
  std::uint32_t bits;
};

struct PairList {
  std::vector<PairRow> rows;
  std::vector<MaskedPartner> masked;  // in groups as well; blanks have no bits
  std::vector<std::uint32_t> free;
  std::int32_t group = 1;

  void clear() noexcept { rows.clear(), masked.clear(), free.clear(); }
};

/// Makes lists and keeps the storage that doing so needs.
template <class Real>
class PairListBuilder {
 public:
  /// All pairs of quads of which two atoms, one in each, are closer than `cutoff` [bohr]. Pairs
  /// within the home patch are listed once. `group` is the number of quads per SIMD vector.
  void build(const Neighbourhood<Real>& neighbourhood, bool within_home, double cutoff, int group,
             PairList& list);

  /// The part of `outer` that is closer than `cutoff` [bohr] at the present positions. Masked
  /// partners all stay.
  static void prune(const Neighbourhood<Real>& neighbourhood, const PairList& outer, double cutoff,
                    PairList& inner);

 private:
  struct Exclusion {
    std::int32_t home_quad, quad;
    std::uint32_t bit;
  };
  void find_exclusions(const Neighbourhood<Real>& neighbourhood, bool within_home);
  void find_boxes(const Neighbourhood<Real>& neighbourhood);

  std::vector<Exclusion> exclusions_;
  AlignedVector<Real> low_[3], high_[3];  // bounding boxes of quads, then of partners
  std::int32_t quads_padded_ = 0;         // where those of partners begin
  std::vector<std::uint32_t> near_;       // quads whose boxes are close to a row's
  std::vector<std::uint32_t> stamp_;      // [quads] last row that masks this quad
};

/// Marks the quads that a list touches. `quads` has one byte per quad, the blank one included.
void mark_touched(const PairList& list, std::span<std::uint8_t> quads) noexcept;

}  // namespace fg
