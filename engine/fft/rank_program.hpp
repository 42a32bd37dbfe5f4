// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of one rank in one direction of a transform: passes along an axis, moves and exchanges,
// and the arrays that the numbers go through: from the user's first array through two work arrays,
// by turns, to the user's second array.
#pragma once

#include <complex>
#include <cstddef>
#include <variant>
#include <vector>

#include "fft/layout.hpp"
#include "fft/line_transform.hpp"
#include "fft/plan.hpp"
#include "fft/real_lines.hpp"
#include "fft/redistribution.hpp"

namespace fg::fft {

/// How numbers travel: with all their bits, or rounded to float, which halves the bytes of doubles.
/// Then what stays on its rank is rounded too, so that the bits depend on where the exchanges of
/// the plan are and not on the boxes between. Each exchange adds a relative error of at most 2^-24
/// in the norm; numbers beyond 3e38 become infinite.
enum class Wire { exact, as_float };

/// What one rank sends to another, or gets from it, in one exchange.
struct Parcel {
  int rank;
  std::byte* data;
  std::size_t bytes;
};

/// How numbers lie in memory; field b of a batch begins b * distance elements after the first.
struct Storage {
  Layout layout;
  std::size_t distance = 0;

  friend bool operator==(const Storage&, const Storage&) noexcept = default;
};

enum class Where { from, to, first_work, second_work };

struct Slot {
  Where where;
  bool real;
  Storage storage;
};

/// The size of an element.
template <class Real>
constexpr std::size_t element_size(bool real) noexcept {
  return real ? sizeof(Real) : sizeof(std::complex<Real>);
}

/// The same as it travels.
template <class Real>
constexpr std::size_t size_on_wire(bool real, Wire wire) noexcept {
  return wire == Wire::as_float ? element_size<float>(real) : element_size<Real>(real);
}

template <class Real>
struct RankProgram {
  struct Pass {  // along one axis of one stage; `from` and `to` may be one array of one layout
    Slot from, to;
    std::vector<LineTransform<Real>> lines;   // at most one: none if the rank has no points
    std::vector<RealLines<Real>> real_lines;  // instead
    // The lines are those of one plane of these, which lie apart by so many elements. A pass and
    // the next one with as many planes go together, plane by plane, so that a plane stays in the
    // cache.
    int planes = 0;
    std::ptrdiff_t from_apart = 0, to_apart = 0;
  };
  struct Move {  // between two arrays of one box
    Slot from, to;
  };
  struct Exchange {
    Slot from, to;
    Redistribution pieces;
    std::vector<Parcel> sends, receives;  // their places are set with `place_parcels`
  };
  using Step = std::variant<Pass, Move, Exchange>;

  /// `from` and `to` describe the user's arrays, in the order of the direction.
  RankProgram(const TransformPlan& plan, int rank, int batch, Direction direction,
              const Storage& from, const Storage& to, Wire wire = Wire::exact);

  /// Raises `work`, `packed` and `arrived` to the bytes that the program needs there.
  struct Memory {
    std::size_t work[2] = {};
    std::size_t packed = 0, arrived = 0;
  };
  void need(Memory& memory, int batch) const noexcept;
  void place_parcels(std::byte* packed, std::byte* arrived) noexcept;

  std::vector<Step> steps;
};

extern template struct RankProgram<float>;
extern template struct RankProgram<double>;

}  // namespace fg::fft
