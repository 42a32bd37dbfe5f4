// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/simd_targets.hpp"
#include "electrons/matrices/row_products.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "electrons/matrices/sums_of_rows.cpp"
#include "hwy/foreach_target.h"
// foreach_target must come first: the rest of the file is compiled once per target.
#include "electrons/matrices/row_loads-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

/// Registers that hold sums: enough that none waits for itself, few enough for the factors.
constexpr std::size_t tile_sums = most_lanes >= 8 ? 8 : 4, tile_vectors = 2;
/// Numbers of all rows that stay in the second-level cache, and the rows that are summed at once.
/// They include many numbers of each row.
constexpr std::size_t cached = 32768, rows_at_once = 256;
constexpr std::size_t line = 8;  // numbers in a line of the cache

/// Asks for numbers of all rows before they are needed, row by row, a line with each call. The
/// processor does not see by itself that so many rows are read side by side.
class Fetcher {
 public:
  explicit Fetcher(std::span<const double* const> rows) : rows_(rows), row_(rows.size()) {}

  /// Numbers `begin` to `end` of each row are next.
  void start(std::size_t begin, std::size_t end) {
    begin_ = at_ = begin;
    end_ = end;
    row_ = begin < end ? 0 : rows_.size();
  }
  HWY_INLINE void fetch_line() {
    if (row_ == rows_.size()) return;
    fetch(rows_[row_] + at_);
    at_ += line;
    if (at_ < end_) return;
    at_ = begin_;
    ++row_;
  }

 private:
  std::span<const double* const> rows_;
  std::size_t row_, begin_ = 0, end_ = 0, at_ = 0;
};

/// Stores `left` sums at most.
HWY_INLINE void store_sums(Vec sums, double scale, std::size_t left, Sum sum, double* to) {
  const Tag d;
  const Vec factor = hn::Set(d, scale);
  if (left >= hn::Lanes(d)) {
    const Vec all =
        sum == Sum::adds ? hn::MulAdd(factor, sums, hn::LoadU(d, to)) : hn::Mul(factor, sums);
    hn::StoreU(all, d, to);
  } else if (left > 0) {
    HWY_ALIGN double part[most_lanes];
    hn::Store(
        sum == Sum::adds ? hn::MulAdd(factor, sums, load_part(d, to, left)) : hn::Mul(factor, sums),
        d, part);
    std::copy_n(part, left, to);
  }
}

/// Sums of `count` rows, where `load(i, v)` is vector v of row i; `left` numbers are needed.
template <std::size_t sums, std::size_t vectors, class Load>
HWY_INLINE void combine_tile(std::size_t count, const Load& load, Fetcher& fetcher,
                             const Weights& weights, std::size_t left, Sum sum, double* to,
                             std::size_t to_stride) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec all[sums][vectors];
#pragma GCC unroll 8
  for (auto& row : all)
#pragma GCC unroll 8
    for (Vec& one : row) one = hn::Zero(d);
  const double* weight = weights.data;
  for (std::size_t i = 0; i < count; ++i, weight += weights.stride) {
    fetcher.fetch_line();
    Vec right[vectors];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < vectors; ++v) right[v] = load(i, v);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < sums; ++k) {
      const Vec factor = hn::Set(d, weight[k]);
#pragma GCC unroll 8
      for (std::size_t v = 0; v < vectors; ++v) all[k][v] = hn::MulAdd(factor, right[v], all[k][v]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t k = 0; k < sums; ++k)
#pragma GCC unroll 8
    for (std::size_t v = 0; v < vectors; ++v)
      store_sums(all[k][v], weights.scale, left - std::min(left, v * lanes), sum,
                 to + k * to_stride + v * lanes);
}

/// All sums of a few vectors of each row.
template <std::size_t vectors, class Load>
HWY_INLINE void combine_vectors(std::size_t count, const Load& load, Fetcher& fetcher,
                                const Weights& weights, std::size_t left, Sum sum, double* to,
                                std::size_t to_stride) {
  std::size_t k = 0;
  const auto add = [&]<std::size_t sums>() HWY_ATTR {
    const Weights columns{weights.data + k, sums, weights.stride, weights.scale};
    combine_tile<sums, vectors>(count, load, fetcher, columns, left, sum, to + k * to_stride,
                                to_stride);
    k += sums;
  };
  while (k + tile_sums <= weights.count) add.template operator()<tile_sums>();
  while (k + 2 <= weights.count) add.template operator()<2>();
  if (k < weights.count) add.template operator()<1>();
}

/// Few products of each number: rows are read where they are.
void combine_in_place(std::span<const double* const> from, const Weights& weights,
                      std::size_t first, std::size_t count, Sum sum, double* to,
                      std::size_t to_stride, Fetcher& fetcher) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d), width = tile_vectors * lanes, end = first + count;
  std::size_t x = first;
  for (; x + width <= end; x += width)
    combine_vectors<tile_vectors>(
        from.size(),
        [&](std::size_t i, std::size_t v)
            HWY_ATTR { return hn::LoadU(d, from[i] + x + v * lanes); },
        fetcher, weights, end - x, sum, to + x, to_stride);
  for (; x < end; x += lanes)
    combine_vectors<1>(
        from.size(),
        [&](std::size_t i, std::size_t) HWY_ATTR { return load_up_to(d, from[i] + x, end - x); },
        fetcher, weights, end - x, sum, to + x, to_stride);
}

/// Fills it up with zeros to `padded` numbers.
HWY_INLINE void copy_row(const double* row, std::size_t length, std::size_t padded, double* to) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  copy_vectors(row, length, to, lanes);
  for (std::size_t x = (length + lanes - 1) / lanes * lanes; x < padded; x += lanes)
    hn::Store(hn::Zero(d), d, to + x);
}

/// Works on copies of the rows. Vectors that lie across two lines of the cache cost twice as much
/// to read. Rows lie in as many pages. One copy serves many products. Copies lie `stride` numbers
/// apart.
void combine_copies(std::span<const double* const> from, const Weights& weights, std::size_t first,
                    std::size_t count, Sum sum, double* to, std::size_t to_stride, Fetcher& fetcher,
                    double* copies, std::size_t stride) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d), width = tile_vectors * lanes;
  const std::size_t padded = (count + width - 1) / width * width;
  for (std::size_t i = 0; i < from.size(); ++i)
    copy_row(from[i] + first, count, padded, copies + i * stride);
  for (std::size_t x = 0; x < count; x += width)
    combine_vectors<tile_vectors>(
        from.size(),
        [=](std::size_t i, std::size_t v)
            HWY_ATTR { return hn::Load(d, copies + i * stride + x + v * lanes); },
        fetcher, weights, count - x, sum, to + first + x, to_stride);
}

void combine_some(std::span<const double* const> from, const Weights& weights, std::size_t length,
                  Sum sum, double* to, std::size_t to_stride) {
  const std::size_t lanes = hn::Lanes(Tag()), width = tile_vectors * lanes;
  HWY_ALIGN double copies[cached];
  // A vector between the copies, so that they do not all begin in the same set of the cache.
  const std::size_t rows = std::max<std::size_t>(from.size(), 1);
  const std::size_t chunk = (cached / rows - lanes) / width * width;
  Fetcher fetcher(from);
  for (std::size_t first = 0; first < length; first += chunk) {
    const std::size_t count = std::min(chunk, length - first), next = first + count;
    fetcher.start(next, std::min(length, next + chunk));
    if (weights.count < 2 * tile_sums)
      combine_in_place(from, weights, first, count, sum, to, to_stride, fetcher);
    else
      combine_copies(from, weights, first, count, sum, to, to_stride, fetcher, copies,
                     chunk + lanes);
  }
}

void combine(std::span<const double* const> from, const Weights& weights, std::size_t length,
             Sum sum, double* to, std::size_t to_stride) {
  std::size_t i = 0;
  do {
    const Weights share{weights.data + i * weights.stride, weights.count, weights.stride,
                        weights.scale};
    combine_some(from.subspan(i, std::min(rows_at_once, from.size() - i)), share, length,
                 i == 0 ? sum : Sum::adds, to, to_stride);
    i += rows_at_once;
  } while (i < from.size());
}

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::electrons {

HWY_EXPORT(combine);

void combine_rows(std::span<const double* const> from, const Weights& weights, std::size_t length,
                  Sum sum, double* to, std::size_t to_stride) noexcept {
  HWY_DYNAMIC_DISPATCH(combine)(from, weights, length, sum, to, to_stride);
}

}  // namespace fg::electrons
#endif
