// SPDX-License-Identifier: BSD-3-Clause
//
// The pairs of quads (four atoms) of a home patch with its neighbourhood, or of a midpoint cell. A
// row is one quad with its partners. Partners with exclusions, and the quad itself, come first and
// carry masks. The free partners follow, which are nearly all. Free partners come in groups of
// `group`, the number of quads in one SIMD vector. The blank quad fills the last group. The scheme
// is the cluster pair list of Pall and Hess, Comput. Phys. Commun. 184, 2641 (2013), with 4 x 4
// pairs as its unit for any SIMD width.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "particles/midpoint_candidates.hpp"
#include "particles/neighbourhood.hpp"
#include "particles/pair_list_simd.hpp"

namespace fg {

/// Partners are offsets into Neighbourhood::data(), in numbers.
struct PairRow {
  std::uint32_t home;  // offset of the home quad
  // the number of its atoms with Lennard-Jones terms, which come first
  std::uint32_t lennard_jones;
  std::uint32_t masked_begin, masked_end;  // into PairList::masked
  std::uint32_t free_begin, free_end;      // into PairList::free; multiples of the group apart
};

/// Low half, bit 4 * column + row (column: lane of the partner, row: lane of the home quad): the
/// pair is not excluded. High half, same bits: the pair exists.
struct MaskedPartner {
  std::uint32_t partner;
  std::uint32_t bits;
};

struct PairList {
  std::vector<PairRow> rows;
  std::vector<MaskedPartner> masked;  // also in groups; blanks have no bits
  std::vector<std::uint32_t> free;
  std::int32_t group = 1;

  void clear() noexcept { rows.clear(), masked.clear(), free.clear(); }
};

/// Makes lists, and keeps its working storage.
template <class Real>
class PairListBuilder {
 public:
  /// All pairs of quads with an atom in each that are closer than `cutoff` [bohr]. Pairs within the
  /// home patch are listed once. `group` is the number of quads per SIMD vector.
  void build(const Neighbourhood<Real>& neighbourhood, bool within_home, double cutoff, int group,
             PairList& list);

  /// The same pairs of all partners with each other, where their midpoint is in a cell. Each row is
  /// a quad of any partner. `sides`: by partner. `widths`: between opposite faces of a patch
  /// [bohr].
  void build_of_midpoints(const Neighbourhood<Real>& neighbourhood, const MidpointCell& cell,
                          std::span<const MidpointSide> sides, const Vec3& widths, double cutoff,
                          int group, PairList& list);

  /// The part of `outer` that is closer than `cutoff` [bohr] at the present positions. All masked
  /// partners remain.
  static void prune(const Neighbourhood<Real>& neighbourhood, const PairList& outer, double cutoff,
                    PairList& inner);

 private:
  struct Exclusion {
    std::int32_t home_quad, quad;
    std::uint32_t bit;

    friend bool operator==(const Exclusion&, const Exclusion&) = default;
  };
  void find_exclusions(const Neighbourhood<Real>& neighbourhood, bool within_home);
  void find_exclusions_of_midpoints(const Neighbourhood<Real>& neighbourhood,
                                    const MidpointCell& cell, std::span<const MidpointSide> sides);
  void sort_exclusions();
  /// `wanted`: by quad, whether it gets a box, or empty for all. The others are far from
  /// everything.
  void begin(const Neighbourhood<Real>& neighbourhood, std::span<const std::uint8_t> wanted,
             double cutoff, int group, PairList& list);
  void find_boxes(const Neighbourhood<Real>& neighbourhood, std::span<const std::uint8_t> wanted);
  void find_boxes_of_candidates();
  QuadBoxes<Real> boxes() const noexcept;
  /// Adds the row of a quad with those of the first `near` quads in near_ that have an atom close
  /// to one of it, and with its exclusions. Rows are added in the order of their quads.
  void add_row(const Neighbourhood<Real>& neighbourhood, std::int32_t home, bool with_itself,
               std::size_t near, PairList& list);

  std::vector<Exclusion> exclusions_;
  std::size_t next_exclusion_ = 0;  // of the next row
  Real cutoff2_ = 0;                // in the neighbourhood's scale
  struct IdAt {
    std::int32_t id, partner, slot;
  };
  MidpointCandidates candidates_;
  std::vector<IdAt> candidate_ids_;                           // of their atoms, sorted by id
  AlignedVector<Real> candidate_low_[3], candidate_high_[3];  // their boxes
  AlignedVector<Real> low_[3], high_[3];  // bounding boxes of quads, then of partners
  std::int32_t quads_padded_ = 0;         // begin of the boxes of partners
  std::vector<std::uint32_t> near_;       // quads whose boxes are close to that of a row
  std::vector<std::uint32_t> stamp_;      // [quads] last row that masks this quad
};

/// Marks the quads that a list touches. `quads` has one byte per quad, the blank one included.
void mark_touched(const PairList& list, std::span<std::uint8_t> quads) noexcept;

}  // namespace fg
