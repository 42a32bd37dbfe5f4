// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/plane_lines.hpp"

#include <utility>

namespace fg::fft {

namespace {

LineBatch rows_of_plane(int length, int width) {
  return {length, width, 1, {width, 1, 0}, {width, 1, 0}};
}

LineBatch exchanged(const LineBatch& lines) {
  return {lines.length, lines.inner_count, lines.outer_count, lines.out, lines.in};
}

}  // namespace

template <class Real>
YLines<Real>::YLines(int length, int width, std::ptrdiff_t apart,
                     std::vector<std::vector<std::int32_t>> rows)
    : apart_(apart),
      rows_(std::move(rows)),
      forward_(rows_of_plane(length, width), Direction::forward),
      backward_(rows_of_plane(length, width), Direction::backward) {}

template <class Real>
void YLines<Real>::to_points(const Complex* columns, Complex* planes) const noexcept {
  for (const auto& rows : rows_) {
    backward_.execute(columns, planes, {rows.data(), nullptr});
    planes += apart_;
  }
}

template <class Real>
void YLines<Real>::to_waves(const Complex* planes, Complex* columns) const noexcept {
  for (const auto& rows : rows_) {
    forward_.execute(planes, columns, {nullptr, rows.data()});
    planes += apart_;
  }
}

template <class Real>
XLines<Real>::XLines(const LineBatch& lines, std::vector<std::int32_t> planes)
    : planes_(std::move(planes)),
      forward_(exchanged(lines), Direction::forward),
      backward_(lines, Direction::backward) {}

template <class Real>
void XLines<Real>::to_points(const Complex* planes, Complex* points) const noexcept {
  backward_.execute(planes, points, {planes_.data(), nullptr});
}

template <class Real>
void XLines<Real>::to_waves(const Complex* points, Complex* planes) const noexcept {
  forward_.execute(points, planes, {nullptr, planes_.data()});
}

template class YLines<float>;
template class YLines<double>;
template class XLines<float>;
template class XLines<double>;

}  // namespace fg::fft
