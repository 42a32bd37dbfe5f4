// SPDX-License-Identifier: BSD-3-Clause
#include "fft/redistribution.hpp"

#include <algorithm>
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
AxisOrder order_of(const Layout& layout) noexcept {
  AxisOrder order = row_major;
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return layout.stride[a] > layout.stride[b]; });
  return order;
}

}  // namespace

template <class T>
void copy_piece(const GridBox& piece, const T* from, const Layout& from_layout, T* to,
                const Layout& to_layout) noexcept {
  if (piece.empty()) return;
  const auto [i, j, k] = order_of(to_layout);
  from += from_layout.at(piece.low);
  to += to_layout.at(piece.low);
  const std::ptrdiff_t from_step = from_layout.stride[k], to_step = to_layout.stride[k];
  std::ptrdiff_t length = piece.size(k);
  int rows = piece.size(j), planes = piece.size(i);
  const bool adjacent = from_step == 1 && to_step == 1;
  // Rows that follow one another on both sides are one row.
  const auto joins = [&](int axis) {
    return adjacent && from_layout.stride[axis] == length && to_layout.stride[axis] == length;
  };
  if (joins(j)) length *= std::exchange(rows, 1);
  if (rows == 1 && joins(i)) length *= std::exchange(planes, 1);
  for (int a = 0; a < planes; ++a)
    for (int b = 0; b < rows; ++b) {
      const T* source = from + a * from_layout.stride[i] + b * from_layout.stride[j];
      T* target = to + a * to_layout.stride[i] + b * to_layout.stride[j];
      if (adjacent)
        std::copy_n(source, length, target);
      else
        for (std::ptrdiff_t c = 0; c < length; ++c) target[c * to_step] = source[c * from_step];
    }
}

template void copy_piece(const GridBox&, const float*, const Layout&, float*,
                         const Layout&) noexcept;
template void copy_piece(const GridBox&, const double*, const Layout&, double*,
                         const Layout&) noexcept;
template void copy_piece(const GridBox&, const std::complex<float>*, const Layout&,
                         std::complex<float>*, const Layout&) noexcept;
template void copy_piece(const GridBox&, const std::complex<double>*, const Layout&,
                         std::complex<double>*, const Layout&) noexcept;

}  // namespace fg::fft
