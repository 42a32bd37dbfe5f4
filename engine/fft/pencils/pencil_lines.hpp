// SPDX-License-Identifier: BSD-3-Clause
//
// The lines of one pencil of each kind: fragments in, transform, fragments out, without the
// messages. Points are real, so two lines along z make one complex line, and only the waves kz = 0
// .. nz/2 are kept (fft/real_pairs.hpp). Parts of a pencil are those of fft/pencil_geometry.hpp.
// The wave along z is the slowest index of a fragment, so that it consists of a few long rows:
//   z <-> y   [kz][row], row = the lines of the z-pencil (y slow, x fast), padded to an even number
//   y <-> x   [kz][y][x]
// Transforms are not normalised, and the pairs double all waves: forward gives 2 sum_r f(r)
// exp(-ikr). What x-pencils do with the waves includes the factor 1/2, and 1/(nx ny nz) if backward
// shall restore the points.
#pragma once

#include <complex>
#include <cstddef>

#include "base/aligned_vector.hpp"
#include "fft/line_transform.hpp"
#include "fft/pencil_geometry.hpp"

namespace fg::fft {

/// Numbers in a fragment between z-pencil (i, z) and y-pencil (i, y), in both directions.
std::size_t zy_fragment(const PencilGeometry& geometry, int i, int z, int y) noexcept;
/// Numbers in a fragment between y-pencil (y, j) and x-pencil (x, j), in both directions.
std::size_t yx_fragment(const PencilGeometry& geometry, int j, int y, int x) noexcept;

/// Real lines along z, two in one complex transform. They are stored elsewhere, for example as sums
/// in fixed point (BlockRows says where points are), and read and written a pair at a time.
template <class Real>
class ZPencilLines {
 public:
  using Complex = std::complex<Real>;
  ZPencilLines(const PencilGeometry& geometry, PencilIndex index);

  /// Calls read(a, b, line) for each pair of lines, which writes a + ib to `line`. With an odd
  /// number of lines the last `b` is the number of lines, for a line of zeros.
  template <class Read>
  void forward(Read&& read) noexcept {
    for (int p = 0; p < pairs_; ++p) read(p, p + pairs_, line(p));
    to_waves();
  }
  /// The waves, doubled, that go to y-pencil j.
  void give(int j, Complex* fragment) const noexcept;

  void take(int j, const Complex* fragment) noexcept;
  /// Calls write(line, a, b) for each pair of lines.
  template <class Write>
  void backward(Write&& write) noexcept {
    to_points();
    for (int p = 0; p < pairs_; ++p) write(static_cast<const Complex*>(line(p)), p, p + pairs_);
  }

 private:
  Complex* line(int pair) noexcept {
    return points_.data() + static_cast<std::size_t>(pair) * geometry_.mesh()[2];
  }
  void to_waves() noexcept;
  void to_points() noexcept;

  PencilGeometry geometry_;
  int pairs_;
  LineTransform<Real> forward_, backward_;
  AlignedVector<Complex> points_;  // [pairs][nz]
  AlignedVector<Complex> waves_;   // [nz][pairs]
};

template <class Real>
class YPencilLines {
 public:
  using Complex = std::complex<Real>;
  YPencilLines(const PencilGeometry& geometry, PencilIndex index);

  void take_from_z(int j, const Complex* fragment) noexcept;
  void forward() noexcept;
  void give_to_x(int i, Complex* fragment) const noexcept;

  void take_from_x(int i, const Complex* fragment) noexcept;
  void backward() noexcept;
  void give_to_z(int j, Complex* fragment) const noexcept;

 private:
  PencilGeometry geometry_;
  Range x_, kz_;
  LineTransform<Real> forward_, backward_;
  AlignedVector<Complex> lines_;  // [kz][y][x], then [kz][ky][x]
};

/// Lines along x, with the waves of a pencil between the transforms.
template <class Real>
class XPencilLines {
 public:
  using Complex = std::complex<Real>;
  XPencilLines(const PencilGeometry& geometry, PencilIndex index);

  void take(int i, const Complex* fragment) noexcept;
  void forward() noexcept;
  /// [kz][kx][ky]: kz of geometry.kz_part, all kx, ky of geometry.y_part_of_x.
  Complex* waves() noexcept { return by_wave_.data(); }
  void backward() noexcept;
  void give(int i, Complex* fragment) const noexcept;

 private:
  PencilGeometry geometry_;
  Range y_, kz_;
  LineTransform<Real> forward_, backward_;
  AlignedVector<Complex> by_line_;  // [kz][y][x]
  AlignedVector<Complex> by_wave_;  // [kz][kx][y]
};

extern template class ZPencilLines<float>;
extern template class ZPencilLines<double>;
extern template class YPencilLines<float>;
extern template class YPencilLines<double>;
extern template class XPencilLines<float>;
extern template class XPencilLines<double>;

}  // namespace fg::fft
