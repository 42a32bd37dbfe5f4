// SPDX-License-Identifier: BSD-3-Clause
//
// The lines of one pencil of each kind: pieces in, transform, pieces out, without the messages.
// Points are real, so two lines along z make one complex line. Only the waves kz = 0 .. nz/2 are
// kept (fft/lines/real_pairs.hpp). Parts of a pencil are those of fft/pencil_geometry.hpp. The wave
// along z is the slowest index of a piece. So a piece consists of a few long rows:
//   z <-> y   [kz][row], row = the lines of the z-pencil (y slow, x fast), padded to an even number
//   y <-> x   [kz][y][x]
// Transforms are not normalised, and the pairs double all waves: forward gives 2 sum_r f(r)
// exp(-ikr). What x-pencils do with the waves includes the factor 1/2. It also includes 1/(nx ny
// nz) if backward shall restore the points.
//
// Lines along y are read and written where the pieces are. Other numbers lie in memory of the
// thread (fft/thread_scratch.hpp). They are few at a time, so that they stay in the nearest caches.
// A thread's first transform takes that memory, and may throw std::bad_alloc. A `read`, a `write`,
// and the function that changes the waves must not use it.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fft/lines/line_transform.hpp"
#include "fft/pencil_geometry.hpp"
#include "fft/thread_scratch.hpp"

namespace fg::fft {

/// Numbers in a piece between z-pencil (i, z) and y-pencil (i, y), in both directions.
std::size_t zy_piece(const PencilGeometry& geometry, int i, int z, int y) noexcept;
/// Numbers in a piece between y-pencil (y, j) and x-pencil (x, j), in both directions.
std::size_t yx_piece(const PencilGeometry& geometry, int j, int y, int x) noexcept;

/// The pieces of a pencil with each of its partners.
template <class Real>
using Pieces = std::span<std::complex<Real>* const>;
template <class Real>
using ConstPieces = std::span<const std::complex<Real>* const>;

/// Real lines along z, two in one complex transform. They are stored elsewhere, for example as sums
/// in fixed point, and read and written a pair at a time. BlockRows says where points are.
template <class Real>
class ZPencilLines {
 public:
  using Complex = std::complex<Real>;
  ZPencilLines(const PencilGeometry& geometry, PencilIndex index);

  /// Calls read(a, b, line) for each pair of lines, which writes a + ib to `line`. With an odd
  /// number of lines the last `b` is the number of lines, for a line of zeros. The pieces, one
  /// for each y-pencil, get the waves, doubled.
  template <class Read>
  void forward(Read&& read, Pieces<Real> to_y) {
    for (int first = 0; first < pairs_; first += together) {
      const int count = std::min(together, pairs_ - first);
      Complex* line = points();
      for (int p = first; p < first + count; ++p, line += length()) read(p, p + pairs_, line);
      to_waves(first, count);
    }
    for (std::size_t j = 0; j < to_y.size(); ++j) give(static_cast<int>(j), to_y[j]);
  }

  /// Calls write(line, a, b) for each pair of lines.
  template <class Write>
  void backward(ConstPieces<Real> from_y, Write&& write) {
    points();  // takes memory, if any has to be taken
    for (std::size_t j = 0; j < from_y.size(); ++j) take(static_cast<int>(j), from_y[j]);
    for (int first = 0; first < pairs_; first += together) {
      const int count = std::min(together, pairs_ - first);
      to_points(first, count);
      const Complex* line = points();
      for (int p = first; p < first + count; ++p, line += length()) write(line, p, p + pairs_);
    }
  }

 private:
  static constexpr int together = 32;  // pairs; a multiple of the lanes of all targets

  int length() const noexcept { return geometry_.mesh()[2]; }
  std::size_t numbers(int pairs) const noexcept {
    return static_cast<std::size_t>(pairs) * static_cast<std::size_t>(length());
  }
  Complex* points() const {  // [together][nz]
    return thread_scratch<Real>(numbers(together + pairs_));
  }
  Complex* waves() const { return points() + numbers(together); }  // [nz][pairs]
  const LineTransform<Real>& of(const LineTransform<Real> (&both)[2], int count) const noexcept {
    return both[count < together ? 1 : 0];
  }
  void to_waves(int first, int count) noexcept;
  void to_points(int first, int count) noexcept;
  void give(int j, Complex* piece) const noexcept;
  void take(int j, const Complex* piece) noexcept;

  PencilGeometry geometry_;
  int pairs_;
  LineTransform<Real> forward_[2], backward_[2];  // of `together` lines, and of the last ones
};

template <class Real>
class YPencilLines {
 public:
  using Complex = std::complex<Real>;
  YPencilLines(const PencilGeometry& geometry, PencilIndex index);

  void forward(ConstPieces<Real> from_z, Pieces<Real> to_x);
  void backward(ConstPieces<Real> from_x, Pieces<Real> to_z);

 private:
  /// The numbers of a plane of kz with parts of y, in pieces between z and y, and y and x.
  std::size_t row_of_z(int j) const noexcept;
  std::size_t row_of_x(int i) const noexcept;
  /// Where the rows of plane k are in pieces, seen from `first`: a place for each y.
  void find_in_z(ConstPieces<Real> pieces, int k, const Complex* first) noexcept;
  void find_in_x(ConstPieces<Real> pieces, int k, const Complex* first) noexcept;

  PencilGeometry geometry_;
  std::size_t width_;                       // x
  int planes_;                              // kz
  LineTransform<Real> forward_, backward_;  // of a plane
  std::vector<std::int64_t> in_z_, in_x_;
};

/// Lines along x, with the waves of a pencil between the transforms.
template <class Real>
class XPencilLines {
 public:
  using Complex = std::complex<Real>;
  XPencilLines(const PencilGeometry& geometry, PencilIndex index);

  void forward(ConstPieces<Real> from_y);
  /// [kz][kx][ky]: kz of geometry.kz_part, all kx, ky of geometry.y_part_of_x; from `forward` to
  /// `backward`.
  Complex* waves() { return lines() + aligned_plane(); }
  void backward(Pieces<Real> to_y);

 private:
  std::size_t aligned_plane() const noexcept { return (plane_ + 7) / 8 * 8; }
  Complex* lines() const {  // [y][x]
    return thread_scratch<Real>(aligned_plane() + plane_ * static_cast<std::size_t>(planes_));
  }

  PencilGeometry geometry_;
  int width_;                               // y
  int planes_;                              // kz
  std::size_t plane_;                       // numbers
  LineTransform<Real> forward_, backward_;  // of a plane
};

extern template class ZPencilLines<float>;
extern template class ZPencilLines<double>;
extern template class YPencilLines<float>;
extern template class YPencilLines<double>;
extern template class XPencilLines<float>;
extern template class XPencilLines<double>;

}  // namespace fg::fft
