// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/plane_lines.hpp"

#include <utility>

#include "fft/sphere/stream_rows.hpp"

namespace fg::fft {

namespace {

LineBatch rows_of_plane(int length, int width) {
  return {length, width, 1, {width, 1, 0}, {width, 1, 0}};
}

/// The lines of one outer index, to a dense array.
LineBatch one_row(const LineBatch& lines) {
  return {lines.length, lines.inner_count, 1, lines.in, {lines.inner_count, 1, 0}};
}

LineBatch exchanged(const LineBatch& lines) {
  return {lines.length, lines.inner_count, lines.outer_count, lines.out, lines.in};
}

}  // namespace

template <class Real>
YLines<Real>::YLines(int length, int width, std::ptrdiff_t apart,
                     std::vector<std::vector<std::int64_t>> rows)
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
XLines<Real>::XLines(const LineBatch& lines, std::vector<std::int64_t> planes, PointStores stores)
    : lines_(lines),
      planes_(std::move(planes)),
      forward_(exchanged(lines), Direction::forward),
      backward_(lines, Direction::backward),
      backward_of_row_(one_row(lines), Direction::backward) {
  if (stores == PointStores::streamed)
    row_.resize(static_cast<std::size_t>(lines.length) *
                static_cast<std::size_t>(lines.inner_count));
}

/// Whether all rows of z begin and end with a cache line.
template <class Real>
bool XLines<Real>::can_stream_to(const Complex* points) const noexcept {
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(Complex));
  return !row_.empty() && lines_.out.inner == 1 && begins_line(lines_.out.stride * size) &&
         begins_line(lines_.out.outer * size) && begins_line(lines_.inner_count * size) &&
         begins_line(static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(points) %
                                                 simd_alignment));
}

template <class Real>
void XLines<Real>::to_points(const Complex* planes, Complex* points) noexcept {
  if (!can_stream_to(points)) return backward_.execute(planes, points, {planes_.data(), nullptr});
  const std::size_t bytes = static_cast<std::size_t>(lines_.inner_count) * sizeof(Complex);
  for (int y = 0; y < lines_.outer_count; ++y) {
    backward_of_row_.execute(planes, row_.data(), {planes_.data(), nullptr});
    stream_rows(row_.data(), points, static_cast<std::size_t>(lines_.length), bytes,
                lines_.out.stride * static_cast<std::ptrdiff_t>(sizeof(Complex)));
    planes += lines_.in.outer;
    points += lines_.out.outer;
  }
  end_streams();
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
