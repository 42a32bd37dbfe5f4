// SPDX-License-Identifier: BSD-3-Clause
//
// The exchange between lines along z, each with one rank, and boxes that are whole along y. Lines
// are written straight into parcels and read from where they arrive: there is no packing. A parcel
// is [line][field][z], the lines in the order of the rank that has them whole, z in the range of
// the other one's box.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/parcel.hpp"
#include "fft/sphere/column_lines.hpp"
#include "fft/sphere/sphere_plan.hpp"

namespace fg::fft {

template <class Real>
class ColumnExchange {
 public:
  using Complex = std::complex<Real>;

  /// Throws InputError if the rows are too many for 32-bit places.
  ColumnExchange(const SpherePlan& plan, int rank, int fields);

  /// With pieces of this rank's lines; with rows for its box. Backward the former are sent.
  const std::vector<Parcel>& of_lines() const noexcept { return of_lines_; }
  const std::vector<Parcel>& of_rows() const noexcept { return of_rows_; }

  void add_stretches_to(ColumnLines<Real>& lines) noexcept;

  /// Rows of z for all lines that cross this rank's box; field f is f * (range of z) numbers
  /// further.
  Complex* rows() noexcept { return reinterpret_cast<Complex*>(rows_.data()); }
  /// For each plane of the box the place of the row of each y, or -1.
  const std::vector<std::vector<std::int32_t>>& places() const noexcept { return places_; }

  std::size_t memory() const noexcept { return lines_.size() + rows_.size(); }

 private:
  struct Part {  // of one line, in one box
    std::size_t line;
    int rank;
    std::size_t index;  // of its parcel's lines
    Range z;
  };

  void set_lines(const SpherePlan& plan);
  void set_rows(const SpherePlan& plan);

  int rank_, fields_;
  std::vector<Part> parts_;
  std::vector<Parcel> of_lines_, of_rows_;
  std::vector<std::vector<std::int32_t>> places_;
  std::size_t kept_ = 0;  // bytes of this rank's own lines in its own box
  AlignedVector<std::byte> lines_, rows_;
};

extern template class ColumnExchange<float>;
extern template class ColumnExchange<double>;

}  // namespace fg::fft
