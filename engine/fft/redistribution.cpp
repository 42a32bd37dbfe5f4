// SPDX-License-Identifier: BSD-3-Clause
#include "fft/redistribution.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace fg::fft {

Redistribution redistribute(std::span<const GridBox> from, std::span<const GridBox> to, int rank) {
  Redistribution result;
  const int ranks = static_cast<int>(from.size());
  const GridBox& mine_before = from[static_cast<std::size_t>(rank)];
  const GridBox& mine_after = to[static_cast<std::size_t>(rank)];
  result.kept = intersection(mine_before, mine_after);
  for (int step = 1; step < ranks; ++step) {
    const int other = (rank + step) % ranks;
    const GridBox out = intersection(mine_before, to[static_cast<std::size_t>(other)]);
    if (!out.empty()) result.sends.push_back({other, out});
    const GridBox in = intersection(from[static_cast<std::size_t>(other)], mine_after);
    if (!in.empty()) result.receives.push_back({other, in});
  }
  return result;
}

namespace {

/// The axes such that the last has the smallest stride in the target, for long runs of stores.
/// Neighbours are swapped; std::stable_sort would take memory from the system for each piece.
AxisOrder order_of(const Layout& layout) noexcept {
  AxisOrder order = row_major;
  for (const std::size_t i : {0, 1, 0})
    if (layout.stride[order[i]] < layout.stride[order[i + 1]]) std::swap(order[i], order[i + 1]);
  return order;
}

template <class From, class To>
void copy_line(const From* from, std::ptrdiff_t from_step, To* to, std::ptrdiff_t to_step,
               std::ptrdiff_t length) noexcept {
  if (from_step != 1 || to_step != 1)
    for (std::ptrdiff_t c = 0; c < length; ++c)
      to[c * to_step] = static_cast<To>(from[c * from_step]);
  else if constexpr (std::is_same_v<From, To>)
    std::copy_n(from, length, to);
  else
    std::transform(from, from + length, to, [](const From& n) { return static_cast<To>(n); });
}

/// Calls line(source, from_step, target, to_step, length) for each line of the piece.
template <class From, class To, class Line>
void for_each_line(const GridBox& piece, const From* from, const Layout& from_layout, To* to,
                   const Layout& to_layout, Line line) noexcept {
  if (piece.empty()) return;
  const auto [i, j, k] = order_of(to_layout);
  from += from_layout.at(piece.low);
  to += to_layout.at(piece.low);
  const std::ptrdiff_t from_step = from_layout.stride[k], to_step = to_layout.stride[k];
  std::ptrdiff_t length = piece.size(k);
  int rows = piece.size(j), planes = piece.size(i);
  // Rows that follow one another on both sides are one row.
  const auto joins = [&](int axis) {
    return from_step == 1 && to_step == 1 && from_layout.stride[axis] == length &&
           to_layout.stride[axis] == length;
  };
  if (joins(j)) length *= std::exchange(rows, 1);
  if (rows == 1 && joins(i)) length *= std::exchange(planes, 1);
  for (int a = 0; a < planes; ++a)
    for (int b = 0; b < rows; ++b)
      line(from + a * from_layout.stride[i] + b * from_layout.stride[j], from_step,
           to + a * to_layout.stride[i] + b * to_layout.stride[j], to_step, length);
}

}  // namespace

template <class From, class To>
void copy_piece(const GridBox& piece, const From* from, const Layout& from_layout, To* to,
                const Layout& to_layout) noexcept {
  for_each_line(piece, from, from_layout, to, to_layout, copy_line<From, To>);
}

template <class Through, class T>
void copy_rounded(const GridBox& piece, const T* from, const Layout& from_layout, T* to,
                  const Layout& to_layout) noexcept {
  for_each_line(piece, from, from_layout, to, to_layout,
                [](const T* source, std::ptrdiff_t from_step, T* target, std::ptrdiff_t to_step,
                   std::ptrdiff_t length) {
                  // Through memory: GCC 12 leaves out some conversions to float and back.
                  std::array<Through, 64> rounded;
                  for (std::ptrdiff_t first = 0; first < length; first += 64) {
                    const std::ptrdiff_t count = std::min<std::ptrdiff_t>(64, length - first);
                    copy_line(source + first * from_step, from_step, rounded.data(), 1, count);
                    copy_line(rounded.data(), 1, target + first * to_step, to_step, count);
                  }
                });
}

template void copy_piece(const GridBox&, const float*, const Layout&, float*,
                         const Layout&) noexcept;
template void copy_piece(const GridBox&, const float*, const Layout&, double*,
                         const Layout&) noexcept;
template void copy_piece(const GridBox&, const double*, const Layout&, float*,
                         const Layout&) noexcept;
template void copy_piece(const GridBox&, const double*, const Layout&, double*,
                         const Layout&) noexcept;
template void copy_piece(const GridBox&, const std::complex<float>*, const Layout&,
                         std::complex<float>*, const Layout&) noexcept;
template void copy_piece(const GridBox&, const std::complex<float>*, const Layout&,
                         std::complex<double>*, const Layout&) noexcept;
template void copy_piece(const GridBox&, const std::complex<double>*, const Layout&,
                         std::complex<float>*, const Layout&) noexcept;
template void copy_piece(const GridBox&, const std::complex<double>*, const Layout&,
                         std::complex<double>*, const Layout&) noexcept;
template void copy_rounded<float>(const GridBox&, const double*, const Layout&, double*,
                                  const Layout&) noexcept;
template void copy_rounded<std::complex<float>>(const GridBox&, const std::complex<double>*,
                                                const Layout&, std::complex<double>*,
                                                const Layout&) noexcept;

}  // namespace fg::fft
