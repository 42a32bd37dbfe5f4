// SPDX-License-Identifier: BSD-3-Clause
//
// The lines along y and x of one rank. Lines along y go between rows of columns, which lie anywhere
// in one array, and planes of x that are whole along y. Lines along x go between these planes and
// points, which a large array gets row by row past the caches. Lines and planes that are not there
// are zero and are passed over.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/lines/line_transform.hpp"

namespace fg::fft {

/// `width` lines side by side in each plane.
template <class Real>
class YLines {
 public:
  using Complex = std::complex<Real>;

  /// `rows` has, for each plane, the place of the row of each y in the array of columns, or -1.
  /// Planes are [y][width] and lie `apart` numbers apart.
  YLines(int length, int width, std::ptrdiff_t apart, std::vector<std::vector<std::int64_t>> rows);

  void to_points(const Complex* columns, Complex* planes) const noexcept;
  void to_waves(const Complex* planes, Complex* columns) const noexcept;

 private:
  std::ptrdiff_t apart_;
  std::vector<std::vector<std::int64_t>> rows_;
  LineTransform<Real> forward_, backward_;
};

/// Whether points go past the caches, where their array allows it: if they do not fit there anyway.
enum class PointStores { cached, streamed };

template <class Real>
class XLines {
 public:
  using Complex = std::complex<Real>;

  /// `lines.out` is the layout of the points. The stride of `lines.in` is not used, since element x
  /// of a line is at planes[x], or zero if that is -1.
  XLines(const LineBatch& lines, std::vector<std::int64_t> planes, PointStores stores);

  void to_points(const Complex* planes, Complex* points) noexcept;
  void to_waves(const Complex* points, Complex* planes) const noexcept;

 private:
  bool can_stream_to(const Complex* points) const noexcept;

  LineBatch lines_;
  std::vector<std::int64_t> planes_;
  LineTransform<Real> forward_, backward_, backward_of_row_;
  AlignedVector<Complex> row_;  // of one y: [x][z]; empty if points are not streamed
};

extern template class YLines<float>;
extern template class YLines<double>;
extern template class XLines<float>;
extern template class XLines<double>;

}  // namespace fg::fft
