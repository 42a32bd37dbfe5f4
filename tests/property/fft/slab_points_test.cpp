// SPDX-License-Identifier: BSD-3-Clause
//
// Points of slabs, turn by turn: they have the bits of a transform to points, and what is done with
// them comes back to the same waves; turns waste as few numbers as they can.
#include "fft/sphere/slab_points.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "base/error.hpp"
#include "support/effort.hpp"
#include "support/fft/numbered_points.hpp"
#include "support/fft/sphere_samples.hpp"

namespace fg::fft {
namespace {

using test::Draw;
using test::SphereArrays;
using test::SphereSample;

/// One rank's part of a transform that ends in rows, and its arrays.
template <class Real>
struct RowArrays {
  using Complex = std::complex<Real>;

  RowArrays(const std::shared_ptr<const SpherePlan>& plan, int rank, int batch)
      : part(RankSphere<Real>::to_rows(plan, rank, batch)),
        fields(fields_of(plan->sphere().kind(), batch)),
        slab(*plan, rank, fields),
        indices(plan->indices_of(rank)),
        point_bytes(ColumnRows(*plan, rank, fields, SphereEnd::rows, sizeof(Complex)).bytes()) {
    wave_bytes.resize(static_cast<std::size_t>(batch) * indices.size() * sizeof(Complex));
    auto* to = reinterpret_cast<Complex*>(wave_bytes.data());
    for (int orbital = 0; orbital < batch; ++orbital)
      for (const auto& wave : indices)
        *to++ = Complex(test::coefficient(wave, orbital, plan->sphere().kind()));
  }

  RankSphere<Real> part;
  int fields;
  SlabPoints<Real> slab;
  std::vector<std::array<int, 3>> indices;
  AlignedVector<std::byte> point_bytes;  // of rows
  std::vector<std::byte> wave_bytes;
};

/// Any factor of a point.
double factor_of(int x, int y, int z) {
  return 1 / (1.0 + x + 2 * y + 3 * z);
}

template <class Real>
void expect_points_of_one_rank(const SphereSample& sample, int ranks, int batch) {
  const Grid& grid = sample.grid;
  SCOPED_TRACE("grid " + std::to_string(grid[0]) + " x " + std::to_string(grid[1]) + " x " +
               std::to_string(grid[2]) + ", ranks " + std::to_string(ranks) + ", batch " +
               std::to_string(batch));
  const auto plan = std::make_shared<const SpherePlan>(sample.sphere(), slabs(grid, 2, ranks));
  std::vector<SphereArrays<Real>> one;
  one.emplace_back(std::make_shared<const SpherePlan>(sample.sphere(), std::vector{whole(grid)}), 0,
                   dense_storage(whole(grid)), batch);
  std::vector<RowArrays<Real>> many;
  for (int rank = 0; rank < ranks; ++rank) many.emplace_back(plan, rank, batch);
  test::transform(one, Direction::backward);
  test::transform(many, Direction::backward);

  std::size_t seen = 0, wrong = 0;
  for (auto& r : many) {
    auto* const rows = reinterpret_cast<std::complex<Real>*>(r.point_bytes.data());
    const int below = plan->points()[static_cast<std::size_t>(r.part.rank())].low[2];
    for (int field = 0; field < r.fields; ++field)
      for (int turn = 0; turn < r.slab.turns(); ++turn) {
        const Range z = r.slab.z(turn);
        const auto each = [&](int y, const auto& visit) {
          for (int x = 0; x < grid[0]; ++x)
            for (int k = z.begin; k < z.end; ++k)
              visit(x * r.slab.width() + k - z.begin, std::array{x, y, k + below});
        };
        r.slab.to_points(
            rows, turn,
            [&](int y, const std::complex<Real>* points) {
              each(y, [&](int place, const std::array<int, 3>& p) {
                ++seen;
                wrong += points[place] != one[0].point(field, p);
              });
            },
            field);
        const auto scale = [&](const std::array<int, 3>& p) {
          return static_cast<Real>(factor_of(p[0], p[1], p[2]));
        };
        if (field % 2 == 0)
          r.slab.there_and_back(
              rows, turn,
              [&](int y, std::complex<Real>* points) {
                each(y, [&](int place, const std::array<int, 3>& p) {
                  wrong += points[place] != one[0].point(field, p);
                  points[place] *= scale(p);
                });
              },
              field);
        else
          r.slab.to_rows(
              rows, turn,
              [&](int y, std::complex<Real>* points) {
                each(y, [&](int place, const std::array<int, 3>& p) {
                  points[place] = one[0].point(field, p) * scale(p);
                });
              },
              field);
      }
  }
  const int fields = fields_of(sample.kind, batch);
  EXPECT_EQ(seen, static_cast<std::size_t>(fields) * whole(grid).volume());
  EXPECT_EQ(wrong, 0U);

  for (int field = 0; field < fields; ++field)
    test::for_each_point(whole(grid), [&](const std::array<int, 3>& p) {
      one[0].point(field, p) *= static_cast<Real>(factor_of(p[0], p[1], p[2]));
    });
  test::transform(one, Direction::forward);
  test::transform(many, Direction::forward);
  std::vector<std::complex<Real>> expected(whole(grid).volume()), got(expected.size());
  for (int orbital = 0; orbital < batch; ++orbital) {
    for (std::size_t k = 0; k < one[0].indices.size(); ++k)
      expected[test::place_in(grid, one[0].indices[k])] = one[0].wave(orbital, k);
    for (auto& r : many) {
      const auto* const waves = reinterpret_cast<const std::complex<Real>*>(r.wave_bytes.data()) +
                                static_cast<std::size_t>(orbital) * r.indices.size();
      for (std::size_t k = 0; k < r.indices.size(); ++k)
        got[test::place_in(grid, r.indices[k])] = waves[k];
    }
    EXPECT_EQ(got, expected) << "orbital " << orbital;
  }
}

TEST(SlabPoints, HaveTheBitsOfATransformToPoints) {
  const auto cases = static_cast<unsigned>(test::effort(150));
  for (unsigned seed = 1; seed <= cases && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(seed);
    const SphereSample sample = test::draw_sphere(draw);
    const int ranks = draw.upto(6), batch = draw.upto(4);
    seed % 2 == 0 ? expect_points_of_one_rank<float>(sample, ranks, batch)
                  : expect_points_of_one_rank<double>(sample, ranks, batch);
  }
}

/// Planes too large for all z at once, and a number of z that is no multiple of the width.
TEST(SlabPoints, GoInSeveralTurns) {
  const SphereSample sample{
      {75, 90, 21}, {{{1, 0, 0}, {0, 0.8, 0}, {0, 0.1, 4}}}, 35, SphereKind::half};
  for (const int ranks : {1, 2}) {
    const SpherePlan plan(sample.sphere(), slabs(sample.grid, 2, ranks));
    EXPECT_EQ(SlabPoints<double>(plan, 0).turns(), ranks == 1 ? 3 : 2);
    EXPECT_EQ(SlabPoints<double>(plan, 0).width(), 8);
    expect_points_of_one_rank<double>(sample, ranks, 3);
    expect_points_of_one_rank<float>(sample, ranks, 2);
  }
}

TEST(SlabPoints, NeedSlabsAlongZ) {
  const SphereSample sample{{8, 9, 10}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, 2.5, SphereKind::half};
  for (const int axis : {0, 1}) {
    const auto plan =
        std::make_shared<const SpherePlan>(sample.sphere(), slabs(sample.grid, axis, 2));
    EXPECT_THROW(SlabPoints<double>(*plan, 0), InputError);
    EXPECT_THROW(RankSphere<double>::to_rows(plan, 0, 2), InputError);
  }
}

TEST(SlabTurns, HoldAllRowsAndWasteLittle) {
  constexpr int lanes = 8;
  constexpr std::size_t bytes = 16;
  for (const std::size_t column : {1, 700, 3280, 60000})
    for (int size = 1; size <= 130; ++size) {
      const SlabTurns turns = slab_turns(size, column, bytes, lanes);
      const auto fits = [&](int width) {
        return width == lanes ||
               static_cast<std::size_t>(width) * column * bytes <= bytes_of_planes;
      };
      ASSERT_EQ(turns.width % lanes, 0);
      ASSERT_TRUE(fits(turns.width)) << size;
      ASSERT_EQ(turns.z(0, size).begin, 0);
      ASSERT_EQ(turns.z(turns.turns - 1, size).end, size);
      for (int turn = 0; turn < turns.turns; ++turn) ASSERT_GT(turns.z(turn, size).size(), 0);
      // As few as the narrowest turns need.
      ASSERT_EQ(turns.turns * turns.width, (size + lanes - 1) / lanes * lanes) << size;
    }
  EXPECT_EQ(slab_turns(0, 100, bytes, lanes).turns, 0);
}

}  // namespace
}  // namespace fg::fft
