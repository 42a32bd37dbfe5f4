// SPDX-License-Identifier: BSD-3-Clause
//
// The lines along z of one rank. They go from the packed waves of its columns to stretches of lines
// in other ranks' parcels, and back. A few lines at a time stay in the nearest cache, where they
// are padded with zeros, transformed, and cut. In a half sphere two real orbitals are transformed
// as one field a + i b:
//   Z(G) = a(G) + i b(G),   Z(-G) = a(G)* + i b(G)*
//   a(G) = (Z(G) + Z(-G)*) / 2,   b(G) = (Z(G) - Z(-G)*) / 2i
// Source: Press et al., Numerical Recipes (2007), section 12.3.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/lines/line_transform.hpp"
#include "fft/sphere/sphere_plan.hpp"

namespace fg::fft {

/// The points first, first + 1, ... of a line, in one of two arrays. These are rows of this rank,
/// and what goes to others and comes from them. The first field has `width` of them at `place`, the
/// next ones `apart` numbers further, and so on. Each next field is `width` numbers further.
struct Stretch {
  bool here;
  std::size_t place;
  int first, count;
  int width;
  std::size_t apart;
};

template <class Real>
class ColumnLines {
 public:
  using Complex = std::complex<Real>;

  /// Takes `batch` orbitals, `distance` numbers apart.
  ColumnLines(const SpherePlan& plan, int rank, int batch, std::size_t distance);

  /// Together the stretches of a line, by its index in the plan's `lines_of`, hold all its points.
  void add(std::size_t line, const Stretch& stretch);

  int fields() const noexcept { return fields_; }
  /// `here` and `away` are the two arrays of stretches.
  void to_points(const Complex* waves, int field, Complex* here, Complex* away) noexcept;
  void to_waves(Complex* waves, int field, const Complex* here, const Complex* away) noexcept;

 private:
  struct Entry {
    Column column;
    std::size_t wave;  // the place of its first wave
    std::size_t line;  // its first line
    bool mirrored;     // whether the next line is that of the waves -G
  };

  /// Stretches of neighbouring lines of a block, `step` numbers apart. What they have of the same z
  /// is one piece of memory, as a rule.
  struct Stretches {
    Stretch first;
    std::size_t line;  // of the block
    std::size_t lines, step;
  };
  struct Block {
    std::size_t begin, end;  // of entries
    std::size_t line;        // the first one
    std::vector<Stretches> stretches;
  };

  /// Calls visit(line of the block, first point, place, array, count, width).
  template <class Array, class Visit>
  static void for_each_piece(const Block& block, int field, Array* here, Array* away,
                             const Visit& visit);
  Complex* line(std::size_t k) noexcept { return block_.data() + k * length_; }
  void pad(const Entry& entry, const Complex* waves, Complex* line) const noexcept;
  void pad_pair(const Entry& entry, const Complex* a, const Complex* b, Complex* line) noexcept;
  void cut(const Entry& entry, const Complex* line, Complex* waves) const noexcept;
  void cut_pair(const Entry& entry, const Complex* line, Complex* a, Complex* b) noexcept;

  int batch_, fields_;
  bool half_;
  std::size_t distance_, length_;
  std::vector<Entry> entries_;
  std::vector<Block> blocks_;
  LineTransform<Real> forward_, backward_;
  AlignedVector<Complex> block_, none_;  // the lines; the waves of an orbital that is not there
};

extern template class ColumnLines<float>;
extern template class ColumnLines<double>;

}  // namespace fg::fft
