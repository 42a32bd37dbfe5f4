// SPDX-License-Identifier: BSD-3-Clause
#include "fft/pencils/pencil_lines.hpp"

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "fft/lines/real_pairs.hpp"
#include "fft/pencils/line_rows.hpp"

namespace fg::fft {

std::size_t zy_piece(const PencilGeometry& geometry, int i, int z, int y) noexcept {
  const auto lines =
      static_cast<std::size_t>(geometry.x_part(i).size()) * geometry.y_part_of_z(z).size();
  return (lines + 1) / 2 * 2 * geometry.kz_part(y).size();
}

std::size_t yx_piece(const PencilGeometry& geometry, int j, int y, int x) noexcept {
  return static_cast<std::size_t>(geometry.kz_part(j).size()) * geometry.x_part(y).size() *
         geometry.y_part_of_x(x).size();
}

namespace {

LineBatch reversed(const LineBatch& b) {
  return {b.length, b.inner_count, b.outer_count, b.out, b.in};
}

}  // namespace

// ----- z -----

namespace {

/// The batch goes from `count` contiguous lines to columns of the waves of all pairs.
LineBatch z_batch(int length, int count, int pairs) {
  return {length, count, 1, {1, length, 0}, {pairs, 1, 0}};
}

/// The lines of the last part, if each has `together` of them.
int last_of(int pairs, int together) {
  return (pairs - 1) % together + 1;
}

}  // namespace

template <class Real>
ZPencilLines<Real>::ZPencilLines(const PencilGeometry& geometry, PencilIndex index)
    : geometry_(geometry),
      pairs_((geometry.x_part(index[0]).size() * geometry.y_part_of_z(index[1]).size() + 1) / 2),
      forward_{{z_batch(length(), together, pairs_), Direction::forward},
               {z_batch(length(), last_of(pairs_, together), pairs_), Direction::forward}},
      backward_{
          {reversed(z_batch(length(), together, pairs_)), Direction::backward},
          {reversed(z_batch(length(), last_of(pairs_, together), pairs_)), Direction::backward}} {}

template <class Real>
void ZPencilLines<Real>::to_waves(int first, int count) noexcept {
  of(forward_, count).execute(points(), waves() + first);
}

template <class Real>
void ZPencilLines<Real>::to_points(int first, int count) noexcept {
  of(backward_, count).execute(waves() + first, points());
}

template <class Real>
void ZPencilLines<Real>::give(int j, Complex* piece) const noexcept {
  const std::size_t pairs = pairs_;
  const Range kz = geometry_.kz_part(j);
  const Complex* const rows = waves();
  for (int k = kz.begin; k < kz.end; ++k, piece += 2 * pairs)
    split_row(rows + k * pairs, rows + wrap(-k, length()) * pairs, pairs, piece, piece + pairs);
}

template <class Real>
void ZPencilLines<Real>::take(int j, const Complex* piece) noexcept {
  const std::size_t pairs = pairs_;
  const Range kz = geometry_.kz_part(j);
  Complex* const rows = waves();
  for (int k = kz.begin; k < kz.end; ++k, piece += 2 * pairs)
    merge_row(piece, piece + pairs, pairs, rows + k * pairs, rows + wrap(-k, length()) * pairs);
}

// ----- y -----

namespace {

/// [y][x] to [ky][x].
LineBatch y_batch(int length, int width) {
  const LineLayout side_by_side{width, 1, 0};
  return {length, width, 1, side_by_side, side_by_side};
}

}  // namespace

template <class Real>
YPencilLines<Real>::YPencilLines(const PencilGeometry& geometry, PencilIndex index)
    : geometry_(geometry),
      width_(static_cast<std::size_t>(geometry.x_part(index[0]).size())),
      planes_(geometry.kz_part(index[1]).size()),
      forward_(y_batch(geometry.mesh()[1], geometry.x_part(index[0]).size()), Direction::forward),
      backward_(y_batch(geometry.mesh()[1], geometry.x_part(index[0]).size()), Direction::backward),
      in_z_(static_cast<std::size_t>(geometry.mesh()[1])),
      in_x_(static_cast<std::size_t>(geometry.mesh()[1])) {}

template <class Real>
std::size_t YPencilLines<Real>::row_of_z(int j) const noexcept {
  return width_ * static_cast<std::size_t>(geometry_.y_part_of_z(j).size());
}

template <class Real>
std::size_t YPencilLines<Real>::row_of_x(int i) const noexcept {
  return width_ * static_cast<std::size_t>(geometry_.y_part_of_x(i).size());
}

namespace {

/// The one with the lowest address, so that others are at no negative place.
template <class Number>
Number* first_of(std::span<Number* const> pieces) noexcept {
  return *std::min_element(pieces.begin(), pieces.end(), std::less<>());
}

/// The distance from the one to the other, in numbers; they may be in different arrays.
template <class Number>
std::int64_t places_between(const Number* first, const Number* second) noexcept {
  const auto bytes =
      reinterpret_cast<std::uintptr_t>(second) - reinterpret_cast<std::uintptr_t>(first);
  FG_DCHECK(bytes % sizeof(Number) == 0);
  return static_cast<std::int64_t>(bytes / sizeof(Number));
}

/// Rows one after the other from `begin` on: a place for each of `ys`.
void place_rows(Range ys, std::int64_t begin, std::size_t width, std::int64_t* places) noexcept {
  for (int y = ys.begin; y < ys.end; ++y, begin += static_cast<std::int64_t>(width))
    places[y] = begin;
}

}  // namespace

template <class Real>
void YPencilLines<Real>::find_in_z(ConstPieces<Real> pieces, int k, const Complex* first) noexcept {
  for (int j = 0; j < static_cast<int>(pieces.size()); ++j)
    place_rows(geometry_.y_part_of_z(j),
               places_between(first, pieces[j] + k * ((row_of_z(j) + 1) / 2 * 2)), width_,
               in_z_.data());
}

template <class Real>
void YPencilLines<Real>::find_in_x(ConstPieces<Real> pieces, int k, const Complex* first) noexcept {
  for (int i = 0; i < static_cast<int>(pieces.size()); ++i)
    place_rows(geometry_.y_part_of_x(i), places_between(first, pieces[i] + k * row_of_x(i)), width_,
               in_x_.data());
}

template <class Real>
void YPencilLines<Real>::forward(ConstPieces<Real> from_z, Pieces<Real> to_x) {
  const Complex* const in = first_of(from_z);
  Complex* const out = first_of(to_x);
  for (int k = 0; k < planes_; ++k) {
    find_in_z(from_z, k, in);
    find_in_x(to_x, k, out);
    forward_.execute(in, out, {in_z_.data(), in_x_.data()});
  }
}

template <class Real>
void YPencilLines<Real>::backward(ConstPieces<Real> from_x, Pieces<Real> to_z) {
  const Complex* const in = first_of(from_x);
  Complex* const out = first_of(to_z);
  for (int k = 0; k < planes_; ++k) {
    find_in_x(from_x, k, in);
    find_in_z(to_z, k, out);
    backward_.execute(in, out, {in_x_.data(), in_z_.data()});
    for (int j = 0; j < static_cast<int>(to_z.size()); ++j)
      if (const std::size_t row = row_of_z(j); row % 2 == 1)
        to_z[j][k * (row + 1) + row] = Complex(0);
  }
}

// ----- x -----

namespace {

/// [y][x] to [kx][y]: the transform also transposes.
LineBatch x_batch(int length, int width) {
  return {length, width, 1, {1, length, 0}, {width, 1, 0}};
}

}  // namespace

template <class Real>
XPencilLines<Real>::XPencilLines(const PencilGeometry& geometry, PencilIndex index)
    : geometry_(geometry),
      width_(geometry.y_part_of_x(index[0]).size()),
      planes_(geometry.kz_part(index[1]).size()),
      plane_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(geometry.mesh()[0])),
      forward_(x_batch(geometry.mesh()[0], width_), Direction::forward),
      backward_(reversed(x_batch(geometry.mesh()[0], width_)), Direction::backward) {}

template <class Real>
void XPencilLines<Real>::forward(ConstPieces<Real> from_y) {
  Complex* const here = lines();
  for (int k = 0; k < planes_; ++k) {
    for (int i = 0; i < static_cast<int>(from_y.size()); ++i) {
      const Range x = geometry_.x_part(i);
      const Complex* const piece = from_y[i] + std::ptrdiff_t{k} * width_ * x.size();
      copy_rows<Real>({reinterpret_cast<const Real*>(piece), 2 * x.size()}, width_, 2 * x.size(),
                      {reinterpret_cast<Real*>(here + x.begin), 2 * geometry_.mesh()[0]});
    }
    forward_.execute(here, waves() + k * plane_);
  }
}

template <class Real>
void XPencilLines<Real>::backward(Pieces<Real> to_y) {
  Complex* const here = lines();
  for (int k = 0; k < planes_; ++k) {
    backward_.execute(waves() + k * plane_, here);
    for (int i = 0; i < static_cast<int>(to_y.size()); ++i) {
      const Range x = geometry_.x_part(i);
      Complex* const piece = to_y[i] + std::ptrdiff_t{k} * width_ * x.size();
      copy_rows<Real>({reinterpret_cast<const Real*>(here + x.begin), 2 * geometry_.mesh()[0]},
                      width_, 2 * x.size(), {reinterpret_cast<Real*>(piece), 2 * x.size()});
    }
  }
}

template class ZPencilLines<float>;
template class ZPencilLines<double>;
template class YPencilLines<float>;
template class YPencilLines<double>;
template class XPencilLines<float>;
template class XPencilLines<double>;

}  // namespace fg::fft
