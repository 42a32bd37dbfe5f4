// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of one rank in one direction of a transform. They are passes along an axis, moves and
// exchanges, and have the arrays of the numbers. They go from the user's first array through two
// work arrays, by turns, to the user's second array. Between the passes along y and x an exchange
// is direct where the boxes allow it, as those of slabs and pencils do. Then the pass before it
// writes the parcels, and the pass after it reads them where they arrive.
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "fft/box_exchange.hpp"
#include "fft/cut_pieces.hpp"
#include "fft/lines/line_transform.hpp"
#include "fft/lines/real_lines.hpp"
#include "fft/plan.hpp"
#include "fft/storage.hpp"

namespace fg::fft {

/// In `plane` a pass leaves one plane of x for the next pass; `pieces` are those of a direct
/// exchange.
enum class Where { from, to, first_work, second_work, plane, pieces };

struct Slot {
  Where where;
  bool real;
  Storage storage;
};

template <class Real>
struct RankProgram {
  struct Pass {  // along one axis of one stage; `from` and `to` may be one array of one layout
    Slot from, to;
    std::vector<LineTransform<Real>> lines;   // at most one: none if the rank has no points
    std::vector<RealLines<Real>> real_lines;  // instead
    // The lines are those of one plane of these, which lie apart by so many elements. A pass and
    // the next one with as many planes go together, plane by plane. So a plane stays in the cache.
    int planes = 0;
    std::ptrdiff_t from_apart = 0, to_apart = 0;
    std::optional<CutPieces> from_pieces{}, to_pieces{};  // where `from` or `to` is `pieces`
  };
  struct Move {  // between two arrays of one box
    Slot from, to;
  };
  struct Exchange {
    Slot from, to;
    BoxExchange<Real> boxes;  // the places of its parcels are set with `place_parcels`
    bool direct;
  };
  using Step = std::variant<Pass, Move, Exchange>;

  /// `from` and `to` describe the user's arrays, in the order of the direction. `direct`: whether
  /// exchanges may be.
  RankProgram(const TransformPlan& plan, int rank, int batch, Direction direction,
              const Storage& from, const Storage& to, Wire wire, bool direct);

  /// Bytes of the arrays between the user's; `places`: how many elements a line of pieces has.
  struct Memory {
    std::size_t work[2] = {};
    std::size_t plane = 0, pieces = 0, packed = 0, arrived = 0;
    std::size_t places = 0;
  };
  /// Raises `memory` to what the program needs.
  void need(Memory& memory, int batch) const noexcept;
  void place_parcels(int batch, std::byte* pieces, std::byte* packed, std::byte* arrived) noexcept;

  std::vector<Step> steps;
};

extern template struct RankProgram<float>;
extern template struct RankProgram<double>;

}  // namespace fg::fft
