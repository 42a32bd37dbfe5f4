// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "base/simd_targets.hpp"
#include "electrons/matrices/row_products.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "electrons/matrices/inner_products.cpp"
#include "hwy/foreach_target.h"
// foreach_target must come first: the rest of the file is compiled once per target.
#include "electrons/matrices/row_loads-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

/// The numbers of a row that are worked on at once. The copies of so many rows on the right stay in
/// the second-level cache meanwhile.
constexpr std::size_t chunk = 512, columns_at_once = 32;
/// Registers that hold sums: enough that none waits for itself, few enough for the factors.
constexpr std::size_t tile_rows = most_lanes >= 8 ? 6 : 4, tile_columns = most_lanes >= 8 ? 4 : 2;

/// Adds the sums over a chunk of one tile, where `load_left(i, v)` and `load_right(k, v)` are
/// vector v of a row. What `fetched` points to, if anything, is asked for on the way.
template <std::size_t rows, std::size_t columns, class Left, class Right>
HWY_INLINE void add_tile(const InnerRow* a, std::size_t column, std::size_t vectors,
                         const Left& load_left, const Right& load_right, const double* fetched) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec all[rows][columns];
#pragma GCC unroll 8
  for (auto& row : all)
#pragma GCC unroll 8
    for (Vec& one : row) one = hn::Zero(d);
  const auto add = [&](std::size_t v) HWY_ATTR {
    Vec right[columns];
#pragma GCC unroll 8
    for (std::size_t k = 0; k < columns; ++k) right[k] = load_right(k, v);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < rows; ++i) {
      const Vec left = load_left(i, v);
#pragma GCC unroll 8
      for (std::size_t k = 0; k < columns; ++k) all[i][k] = hn::MulAdd(left, right[k], all[i][k]);
    }
  };
  if (fetched)
    for (std::size_t v = 0; v < vectors; ++v) {
      fetch(fetched + v * lanes);
      add(v);
    }
  else
    for (std::size_t v = 0; v < vectors; ++v) add(v);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < rows; ++i)
#pragma GCC unroll 8
    for (std::size_t k = 0; k < columns; ++k)
      a[i].sums[column + k] += hn::GetLane(hn::SumOfLanes(d, all[i][k]));
}

/// Few products of each number: rows are read where they are.
template <std::size_t columns>
HWY_INLINE void add_in_place(const InnerRow& a, const Rows& b, std::size_t k, std::size_t first,
                             std::size_t length) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  const double *const left = a.row + first, *const right = b.data + k * b.stride + first;
  const auto load = [=](const double* row, std::size_t v) HWY_ATTR {
    const std::size_t x = v * lanes;
    return load_up_to(d, row + x, length - x);
  };
  add_tile<1, columns>(
      &a, k, (length + lanes - 1) / lanes,
      [&](std::size_t, std::size_t v) HWY_ATTR { return load(left, v); },
      [&](std::size_t column, std::size_t v)
          HWY_ATTR { return load(right + column * b.stride, v); },
      nullptr);
}

void inner_in_place(std::span<const InnerRow> a, const Rows& b, std::size_t begin,
                    std::size_t end) {
  for (std::size_t first = begin; first < end; first += chunk) {
    const std::size_t count = std::min(chunk, end - first);
    for (const InnerRow& row : a) {
      std::size_t k = 0;
      for (; k + tile_columns <= b.count; k += tile_columns)
        add_in_place<tile_columns>(row, b, k, first, count);
      for (; k < b.count; ++k) add_in_place<1>(row, b, k, first, count);
    }
  }
}

/// What is needed after some rows of a chunk. It is the next rows, and a share of the rows on the
/// right in the next chunk. Each is fetched while a tile is computed.
struct Next {
  std::span<const InnerRow> rows;
  std::size_t first;
  const double* right;  // or null
  const double* of(std::size_t tile) const {
    if (tile < rows.size()) return rows[tile].row + first;
    return tile == rows.size() ? right : nullptr;
  }
};

/// Some rows, of which a copy is made first, by all copies on the right.
template <std::size_t rows>
HWY_INLINE void add_rows(const InnerRow* a, const double* right, std::size_t columns,
                         std::size_t first, std::size_t length, const Next& next, double* left) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d), vectors = (length + lanes - 1) / lanes;
  for (std::size_t i = 0; i < rows; ++i)
    copy_vectors(a[i].row + first, length, left + i * lanes, rows * lanes);
  const auto load_left = [=](std::size_t i, std::size_t v)
                             HWY_ATTR { return hn::Load(d, left + (v * rows + i) * lanes); };
  std::size_t k = 0, tile = 0;
  for (; k + tile_columns <= columns; k += tile_columns, right += tile_columns * vectors * lanes)
    add_tile<rows, tile_columns>(
        a, k, vectors, load_left,
        [=](std::size_t column, std::size_t v)
            HWY_ATTR { return hn::Load(d, right + (v * tile_columns + column) * lanes); },
        next.of(tile++));
  for (; k < columns; ++k, right += vectors * lanes)
    add_tile<rows, 1>(
        a, k, vectors, load_left,
        [=](std::size_t, std::size_t v) HWY_ATTR { return hn::Load(d, right + v * lanes); },
        next.of(tile++));
}

/// Copies of all rows on the right, tile after tile.
HWY_INLINE void copy_right(const Rows& b, std::size_t first, std::size_t length, double* to) {
  const std::size_t lanes = hn::Lanes(Tag()), vectors = (length + lanes - 1) / lanes;
  for (std::size_t k = 0; k < b.count;) {
    const std::size_t columns = k + tile_columns <= b.count ? tile_columns : 1;
    for (std::size_t i = 0; i < columns; ++i)
      copy_vectors(b.data + (k + i) * b.stride + first, length, to + i * lanes, columns * lanes);
    to += columns * vectors * lanes;
    k += columns;
  }
}

std::size_t rows_together(std::size_t left) {
  return left >= tile_rows ? tile_rows : left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

void inner_of_copies(std::span<const InnerRow> a, const Rows& b, std::size_t begin,
                     std::size_t end) {
  HWY_ALIGN double left[tile_rows * chunk];
  HWY_ALIGN double right[columns_at_once * chunk];
  for (std::size_t first = begin; first < end; first += chunk) {
    const std::size_t count = std::min(chunk, end - first);
    const bool is_last = first + count == end;
    copy_right(b, first, count, right);
    // A share of the rows on the right with each tile's rows, all of them if these are enough.
    const std::size_t groups = std::max<std::size_t>(a.size() / tile_rows, 1);
    for (std::size_t i = 0, group = 0; i < a.size(); ++group) {
      const std::size_t rows = rows_together(a.size() - i), next = i + rows;
      Next after{.rows = {}, .first = first, .right = nullptr};
      if (next < a.size()) {
        after.rows = a.subspan(next, rows_together(a.size() - next));
      } else if (!is_last) {
        after.rows = a.first(rows_together(a.size()));
        after.first = first + count;
      }
      if (const std::size_t k = group * b.count / groups; !is_last && k < b.count)
        after.right = b.data + k * b.stride + first + count;
      const InnerRow* const these = a.data() + i;
      if (rows == tile_rows)
        add_rows<tile_rows>(these, right, b.count, first, count, after, left);
      else if (rows == 4)
        add_rows<4>(these, right, b.count, first, count, after, left);
      else if (rows == 2)
        add_rows<2>(these, right, b.count, first, count, after, left);
      else
        add_rows<1>(these, right, b.count, first, count, after, left);
      i = next;
    }
  }
}

void inner(std::span<const InnerRow> a, const Rows& b, std::size_t begin, std::size_t end) {
  if (a.size() < tile_rows || b.count < tile_columns) return inner_in_place(a, b, begin, end);
  if (b.count <= columns_at_once) return inner_of_copies(a, b, begin, end);
  std::array<InnerRow, 64> some;
  for (std::size_t k = 0; k < b.count; k += columns_at_once) {
    const Rows columns{b.data + k * b.stride, std::min(columns_at_once, b.count - k), b.stride};
    for (std::size_t i = 0; i < a.size(); i += some.size()) {
      const std::size_t count = std::min(some.size(), a.size() - i);
      for (std::size_t x = 0; x < count; ++x) some[x] = {a[i + x].row, a[i + x].sums + k};
      inner_of_copies({some.data(), count}, columns, begin, end);
    }
  }
}

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::electrons {

HWY_EXPORT(inner);

void add_inner_products(std::span<const InnerRow> a, const Rows& b, std::size_t begin,
                        std::size_t end) noexcept {
  HWY_DYNAMIC_DISPATCH(inner)(a, b, begin, end);
}

void add_inner_products(const Rows& a, const Rows& b, std::size_t length, double* sums,
                        std::size_t stride) noexcept {
  std::array<InnerRow, 64> some;
  for (std::size_t first = 0; first < a.count; first += some.size()) {
    const std::size_t count = std::min(some.size(), a.count - first);
    for (std::size_t i = 0; i < count; ++i)
      some[i] = {a.data + (first + i) * a.stride, sums + (first + i) * stride};
    add_inner_products({some.data(), count}, b, 0, length);
  }
}

}  // namespace fg::electrons
#endif
