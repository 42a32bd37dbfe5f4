// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/simd_targets.hpp"
#include "electrons/row_products.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "electrons/sums_of_rows.cpp"
#include "hwy/foreach_target.h"
// foreach_target must come first: the rest of the file is compiled once per target.
#include "electrons/row_loads-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

/// The numbers of a row that are worked on at once, so that all rows stay in the cache.
constexpr std::size_t chunk = 256;
/// Registers that hold sums: enough that none waits for itself, few enough for the factors.
constexpr std::size_t tile_sums = most_lanes >= 8 ? 8 : 4, tile_vectors = 2;
constexpr std::size_t ahead = 4 * tile_vectors;  // vectors that are fetched before they are needed

/// `left`: numbers of the only vector, if it is not full.
template <std::size_t sums, std::size_t vectors, bool partial>
HWY_INLINE void combine_tile(std::span<const double* const> from, const Weights& weights,
                             std::size_t x, std::size_t left, Sum sum, double* to,
                             std::size_t to_stride) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  const auto load = [&](const double* at) HWY_ATTR {
    if constexpr (partial)
      return load_part(d, at, left);
    else
      return hn::LoadU(d, at);
  };
  Vec all[sums][vectors];
  for (auto& row : all)
    for (Vec& one : row) one = hn::Zero(d);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double* const weight = weights.data + i * weights.stride;
    // The processor does not see by itself that so many rows are read side by side.
    for (std::size_t v = 0; v < vectors; ++v) __builtin_prefetch(from[i] + x + (v + ahead) * lanes);
    Vec right[vectors];
    for (std::size_t v = 0; v < vectors; ++v) right[v] = load(from[i] + x + v * lanes);
    for (std::size_t k = 0; k < sums; ++k) {
      const Vec factor = hn::Set(d, weight[k]);
      for (std::size_t v = 0; v < vectors; ++v) all[k][v] = hn::MulAdd(factor, right[v], all[k][v]);
    }
  }
  for (std::size_t k = 0; k < sums; ++k)
    for (std::size_t v = 0; v < vectors; ++v) {
      double* const at = to + k * to_stride + x + v * lanes;
      const Vec scale = hn::Set(d, weights.scale);
      const Vec result =
          sum == Sum::adds ? hn::MulAdd(scale, all[k][v], load(at)) : hn::Mul(scale, all[k][v]);
      if constexpr (partial) {
        HWY_ALIGN double part[most_lanes];
        hn::Store(result, d, part);
        std::copy_n(part, left, at);
      } else {
        hn::StoreU(result, d, at);
      }
    }
}

template <std::size_t sums>
HWY_INLINE void combine_tiles(std::span<const double* const> from, const Weights& weights,
                              std::size_t first, std::size_t count, Sum sum, double* to,
                              std::size_t to_stride) {
  const std::size_t lanes = hn::Lanes(Tag());
  const std::size_t end = first + count;
  std::size_t x = first;
  for (; x + tile_vectors * lanes <= end; x += tile_vectors * lanes)
    combine_tile<sums, tile_vectors, false>(from, weights, x, 0, sum, to, to_stride);
  for (; x + lanes <= end; x += lanes)
    combine_tile<sums, 1, false>(from, weights, x, 0, sum, to, to_stride);
  if (x < end) combine_tile<sums, 1, true>(from, weights, x, end - x, sum, to, to_stride);
}

void combine(std::span<const double* const> from, const Weights& weights, std::size_t length,
             Sum sum, double* to, std::size_t to_stride) {
  for (std::size_t first = 0; first < length; first += chunk) {
    const std::size_t count = std::min(chunk, length - first);
    const auto columns = [&](std::size_t k, std::size_t of) {
      return Weights{weights.data + k, of, weights.stride, weights.scale};
    };
    std::size_t k = 0;
    for (; k + tile_sums <= weights.count; k += tile_sums)
      combine_tiles<tile_sums>(from, columns(k, tile_sums), first, count, sum, to + k * to_stride,
                               to_stride);
    for (; k < weights.count; ++k)
      combine_tiles<1>(from, columns(k, 1), first, count, sum, to + k * to_stride, to_stride);
  }
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
