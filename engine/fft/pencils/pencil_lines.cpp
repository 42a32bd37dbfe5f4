// SPDX-License-Identifier: BSD-3-Clause
#include "fft/pencils/pencil_lines.hpp"

#include <algorithm>

#include "fft/pencils/line_rows.hpp"
#include "fft/real_pairs.hpp"

namespace fg::fft {

std::size_t zy_fragment(const PencilGeometry& geometry, int i, int z, int y) noexcept {
  const auto lines =
      static_cast<std::size_t>(geometry.x_part(i).size()) * geometry.y_part_of_z(z).size();
  return (lines + 1) / 2 * 2 * geometry.kz_part(y).size();
}

std::size_t yx_fragment(const PencilGeometry& geometry, int j, int y, int x) noexcept {
  return static_cast<std::size_t>(geometry.kz_part(j).size()) * geometry.x_part(y).size() *
         geometry.y_part_of_x(x).size();
}

// ----- z -----

namespace {

/// From contiguous lines to the order of waves; for the backward transform in and out are
/// exchanged.
LineBatch z_batch(int length, int pairs) {
  return {length, pairs, 1, {1, length, 0}, {pairs, 1, 0}};
}

LineBatch reversed(const LineBatch& b) {
  return {b.length, b.inner_count, b.outer_count, b.out, b.in};
}

}  // namespace

template <class Real>
ZPencilLines<Real>::ZPencilLines(const PencilGeometry& geometry, PencilIndex index)
    : geometry_(geometry),
      pairs_((geometry.x_part(index[0]).size() * geometry.y_part_of_z(index[1]).size() + 1) / 2),
      forward_(z_batch(geometry.mesh()[2], pairs_), Direction::forward),
      backward_(reversed(z_batch(geometry.mesh()[2], pairs_)), Direction::backward) {
  const std::size_t points = static_cast<std::size_t>(pairs_) * geometry.mesh()[2];
  points_.resize(points);
  waves_.resize(points);
}

template <class Real>
void ZPencilLines<Real>::to_waves() noexcept {
  forward_.execute(points_.data(), waves_.data());
}

template <class Real>
void ZPencilLines<Real>::to_points() noexcept {
  backward_.execute(waves_.data(), points_.data());
}

template <class Real>
void ZPencilLines<Real>::give(int j, Complex* fragment) const noexcept {
  const int nz = geometry_.mesh()[2];
  const std::size_t pairs = pairs_;
  const Range kz = geometry_.kz_part(j);
  for (int k = kz.begin; k < kz.end; ++k, fragment += 2 * pairs)
    split_row(waves_.data() + k * pairs, waves_.data() + wrap(-k, nz) * pairs, pairs, fragment,
              fragment + pairs);
}

template <class Real>
void ZPencilLines<Real>::take(int j, const Complex* fragment) noexcept {
  const int nz = geometry_.mesh()[2];
  const std::size_t pairs = pairs_;
  const Range kz = geometry_.kz_part(j);
  for (int k = kz.begin; k < kz.end; ++k, fragment += 2 * pairs)
    merge_row(fragment, fragment + pairs, pairs, waves_.data() + k * pairs,
              waves_.data() + wrap(-k, nz) * pairs);
}

// ----- y -----

namespace {

/// [kz][y][x] to [kz][ky][x], in place.
LineBatch y_batch(int length, int width, int planes) {
  const LineLayout side_by_side{width, 1, length * width};
  return {length, width, planes, side_by_side, side_by_side};
}

}  // namespace

template <class Real>
YPencilLines<Real>::YPencilLines(const PencilGeometry& geometry, PencilIndex index)
    : geometry_(geometry),
      x_(geometry.x_part(index[0])),
      kz_(geometry.kz_part(index[1])),
      forward_(y_batch(geometry.mesh()[1], x_.size(), kz_.size()), Direction::forward),
      backward_(y_batch(geometry.mesh()[1], x_.size(), kz_.size()), Direction::backward) {
  lines_.resize(static_cast<std::size_t>(kz_.size()) * geometry.mesh()[1] * x_.size());
}

template <class Real>
void YPencilLines<Real>::take_from_z(int j, const Complex* fragment) noexcept {
  const Range y = geometry_.y_part_of_z(j);
  const std::size_t row = static_cast<std::size_t>(y.size()) * x_.size();
  const std::size_t plane = static_cast<std::size_t>(geometry_.mesh()[1]) * x_.size();
  for (int k = 0; k < kz_.size(); ++k, fragment += (row + 1) / 2 * 2)
    std::copy_n(fragment, row, lines_.data() + k * plane + y.begin * x_.size());
}

template <class Real>
void YPencilLines<Real>::give_to_z(int j, Complex* fragment) const noexcept {
  const Range y = geometry_.y_part_of_z(j);
  const std::size_t row = static_cast<std::size_t>(y.size()) * x_.size();
  const std::size_t plane = static_cast<std::size_t>(geometry_.mesh()[1]) * x_.size();
  for (int k = 0; k < kz_.size(); ++k) {
    fragment = std::copy_n(lines_.data() + k * plane + y.begin * x_.size(), row, fragment);
    if (row % 2 == 1) *fragment++ = Complex(0);
  }
}

template <class Real>
void YPencilLines<Real>::forward() noexcept {
  forward_.execute(lines_.data(), lines_.data());
}

template <class Real>
void YPencilLines<Real>::backward() noexcept {
  backward_.execute(lines_.data(), lines_.data());
}

template <class Real>
void YPencilLines<Real>::give_to_x(int i, Complex* fragment) const noexcept {
  const Range y = geometry_.y_part_of_x(i);
  const std::size_t block = static_cast<std::size_t>(y.size()) * x_.size();
  const std::size_t plane = static_cast<std::size_t>(geometry_.mesh()[1]) * x_.size();
  for (int k = 0; k < kz_.size(); ++k, fragment += block)
    std::copy_n(lines_.data() + k * plane + y.begin * x_.size(), block, fragment);
}

template <class Real>
void YPencilLines<Real>::take_from_x(int i, const Complex* fragment) noexcept {
  const Range y = geometry_.y_part_of_x(i);
  const std::size_t block = static_cast<std::size_t>(y.size()) * x_.size();
  const std::size_t plane = static_cast<std::size_t>(geometry_.mesh()[1]) * x_.size();
  for (int k = 0; k < kz_.size(); ++k, fragment += block)
    std::copy_n(fragment, block, lines_.data() + k * plane + y.begin * x_.size());
}

// ----- x -----

namespace {

/// [kz][y][x] to [kz][kx][y]: the transform also transposes.
LineBatch x_batch(int length, int width, int planes) {
  const int plane = length * width;
  return {length, width, planes, {1, length, plane}, {width, 1, plane}};
}

}  // namespace

template <class Real>
XPencilLines<Real>::XPencilLines(const PencilGeometry& geometry, PencilIndex index)
    : geometry_(geometry),
      y_(geometry.y_part_of_x(index[0])),
      kz_(geometry.kz_part(index[1])),
      forward_(x_batch(geometry.mesh()[0], y_.size(), kz_.size()), Direction::forward),
      backward_(reversed(x_batch(geometry.mesh()[0], y_.size(), kz_.size())), Direction::backward) {
  const int nx = geometry.mesh()[0];
  const std::size_t points = static_cast<std::size_t>(kz_.size()) * y_.size() * nx;
  by_line_.resize(points);
  by_wave_.resize(points);
}

template <class Real>
void XPencilLines<Real>::take(int i, const Complex* fragment) noexcept {
  const Range x = geometry_.x_part(i);
  const int rows = kz_.size() * y_.size(), nx = geometry_.mesh()[0];
  copy_rows<Real>({reinterpret_cast<const Real*>(fragment), 2 * x.size()}, rows, 2 * x.size(),
                  {reinterpret_cast<Real*>(by_line_.data() + x.begin), 2 * nx});
}

template <class Real>
void XPencilLines<Real>::give(int i, Complex* fragment) const noexcept {
  const Range x = geometry_.x_part(i);
  const int rows = kz_.size() * y_.size(), nx = geometry_.mesh()[0];
  copy_rows<Real>({reinterpret_cast<const Real*>(by_line_.data() + x.begin), 2 * nx}, rows,
                  2 * x.size(), {reinterpret_cast<Real*>(fragment), 2 * x.size()});
}

template <class Real>
void XPencilLines<Real>::forward() noexcept {
  forward_.execute(by_line_.data(), by_wave_.data());
}

template <class Real>
void XPencilLines<Real>::backward() noexcept {
  backward_.execute(by_wave_.data(), by_line_.data());
}

template class ZPencilLines<float>;
template class ZPencilLines<double>;
template class YPencilLines<float>;
template class YPencilLines<double>;
template class XPencilLines<float>;
template class XPencilLines<double>;

}  // namespace fg::fft
