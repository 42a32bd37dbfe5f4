// SPDX-License-Identifier: BSD-3-Clause
//
// The exchange between lines along z, each with one rank, and boxes that are whole along y. Lines
// are written straight into parcels and read from where they arrive: there is no packing. A parcel
// is [turn][line][field][z]. Lines are in the order of the rank that has them whole, and z in the
// range of the other one's box. All z are in one turn. If transforms end in rows, a turn has its
// own z (slab_turns.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/parcel.hpp"
#include "fft/sphere/column_lines.hpp"
#include "fft/sphere/column_rows.hpp"
#include "fft/sphere/sphere_plan.hpp"

namespace fg::fft {

template <class Real>
class ColumnExchange {
 public:
  using Complex = std::complex<Real>;

  /// Throws InputError if the rows are too many for 32-bit places.
  ColumnExchange(const SpherePlan& plan, int rank, int fields, SphereEnd end);

  /// Parcels with pieces of this rank's lines, or with rows for its box. Backward lines are sent.
  const std::vector<Parcel>& of_lines() const noexcept { return of_lines_; }
  const std::vector<Parcel>& of_rows() const noexcept { return of_rows_; }

  void add_stretches_to(ColumnLines<Real>& lines) const;

  /// Rows of z for all lines that cross this rank's box; no array of them if transforms end there.
  Complex* rows() noexcept { return reinterpret_cast<Complex*>(rows_.data()); }
  /// From now on these are the rows.
  void set_rows(std::byte* rows) noexcept;
  /// What goes to other ranks, or comes from them.
  Complex* lines() noexcept { return reinterpret_cast<Complex*>(lines_.data()); }
  /// For each plane of the box the place of the row of each y, or -1.
  const std::vector<std::vector<std::int64_t>>& places() const noexcept { return places_; }

  std::size_t memory() const noexcept { return lines_.size() + rows_.size(); }

 private:
  struct Part {  // of one line, in one box
    std::size_t line;
    int rank;
    std::size_t index;   // of its parcel's lines
    std::size_t lines;   // of the parcel
    std::size_t before;  // numbers of parcels before this one
    Range z;
    int width;
  };

  void set_lines(const SpherePlan& plan, SphereEnd end);

  int rank_, fields_;
  std::vector<Part> parts_;
  std::vector<Parcel> of_lines_, of_rows_;
  std::vector<std::size_t> first_bytes_;  // of the parcels of rows
  std::vector<std::vector<std::int64_t>> places_;
  AlignedVector<std::byte> lines_, rows_;
};

extern template class ColumnExchange<float>;
extern template class ColumnExchange<double>;

}  // namespace fg::fft
