// SPDX-License-Identifier: BSD-3-Clause
//
// The waves of a cut-off in random cells are those that a search of the whole grid finds, each
// column goes to one rank, and ranks have about as many waves. What makes no sphere is refused.
#include "fft/sphere/wave_sphere.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "base/error.hpp"
#include "support/effort.hpp"
#include "support/fft/sphere_samples.hpp"

namespace fg::fft {
namespace {

using test::Draw;
using test::SphereSample;
using Index = std::array<int, 3>;

std::set<Index> waves_of(const WaveSphere& sphere) {
  std::set<Index> waves;
  for (const Column& c : sphere.columns())
    for (int z = c.first; z <= c.last; ++z) EXPECT_TRUE(waves.insert({c.x, c.y, z}).second);
  EXPECT_EQ(waves.size(), sphere.waves());
  return waves;
}

/// |G|^2 / G_max^2.
double ratio(const SphereSample& s, const Index& g) {
  double square = 0;
  for (int b = 0; b < 3; ++b) {
    double sum = 0;
    for (int a = 0; a < 3; ++a) sum += g[a] * s.vectors[a][b];
    square += sum * sum;
  }
  return square / (s.cutoff * s.cutoff);
}

TEST(WaveSphere, HoldsTheWavesOfTheCutoffAndNoOthers) {
  for (unsigned seed = 1; seed <= test::effort(200); ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    SphereSample sample = test::draw_sphere(draw);
    sample.kind = SphereKind::full;
    const std::set<Index> waves = waves_of(sample.sphere());
    // Two layers more than the grid has: they hold none.
    const auto most = [&](int a) { return (sample.grid[a] - 1) / 2 + 2; };
    for (int x = -most(0); x <= most(0); ++x)
      for (int y = -most(1); y <= most(1); ++y)
        for (int z = -most(2); z <= most(2); ++z) {
          const double r = ratio(sample, {x, y, z});
          if (std::abs(r - 1) < 1e-12) continue;  // rounding decides
          ASSERT_EQ(waves.contains({x, y, z}), r < 1) << x << " " << y << " " << z;
        }
    for (const Index& g : waves) ASSERT_TRUE(waves.contains({-g[0], -g[1], -g[2]}));
  }
}

TEST(HalfSphere, HasOneOfEachPairOfWavesAndTheOrigin) {
  for (unsigned seed = 1; seed <= test::effort(200); ++seed) {
    Draw draw(seed);
    SphereSample sample = test::draw_sphere(draw);
    sample.kind = SphereKind::full;
    const std::set<Index> full = waves_of(sample.sphere());
    sample.kind = SphereKind::half;
    const std::set<Index> half = waves_of(sample.sphere());
    EXPECT_EQ(2 * half.size() - 1, full.size());
    for (const Index& g : full) {
      const Index minus{-g[0], -g[1], -g[2]};
      EXPECT_EQ(half.contains(g), g >= minus) << "seed " << seed;
    }
  }
}

TEST(Columns, AreInAscendingOrderAndGoToOneRankEach) {
  for (unsigned seed = 1; seed <= test::effort(100); ++seed) {
    Draw draw(seed);
    const WaveSphere sphere = test::draw_sphere(draw).sphere();
    const auto columns = sphere.columns();
    int longest = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      longest = std::max(longest, columns[i].waves());
      if (i > 0) {
        EXPECT_LT(std::pair(columns[i - 1].x, columns[i - 1].y),
                  std::pair(columns[i].x, columns[i].y));
      }
    }
    const int ranks = draw.upto(12);
    const auto shares = share_columns(columns, ranks);
    std::set<int> seen;
    std::vector<int> waves;
    for (const auto& share : shares) {
      EXPECT_TRUE(std::is_sorted(share.begin(), share.end()));
      int sum = 0;
      for (const int c : share) {
        EXPECT_TRUE(seen.insert(c).second);
        sum += columns[static_cast<std::size_t>(c)].waves();
      }
      waves.push_back(sum);
    }
    EXPECT_EQ(seen.size(), columns.size());
    const auto [least, most] = std::minmax_element(waves.begin(), waves.end());
    EXPECT_LE(*most - *least, longest) << "seed " << seed;
  }
}

/// The whole text of the error.
std::string refusal(const Grid& grid, const ReciprocalVectors& vectors, double cutoff) {
  try {
    const WaveSphere sphere(grid, vectors, cutoff, SphereKind::full);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.parts().hint.empty());
    return std::string(error.what()) + error.parts().value + error.parts().limit +
           error.parts().hint;
  }
  return "accepted";
}

TEST(WaveSphere, RefusesWhatIsNoSphere) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const ReciprocalVectors cube{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (const double cutoff : {-1.0, nan, infinity})
    EXPECT_NE(refusal({9, 9, 9}, cube, cutoff).find("cut-off"), std::string::npos);
  for (const ReciprocalVectors& vectors :
       {ReciprocalVectors{}, ReciprocalVectors{{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}},
        ReciprocalVectors{{{1, 0, 0}, {0, nan, 0}, {0, 0, 1}}},
        ReciprocalVectors{{{1, 0, 0}, {0, infinity, 0}, {0, 0, 1}}}})
    EXPECT_NE(refusal({9, 9, 9}, vectors, 1).find("span no cell"), std::string::npos);
  // |index| <= 4 needs 9 points.
  EXPECT_EQ(refusal({9, 9, 9}, cube, 4), "accepted");
  const std::string text = refusal({9, 8, 9}, cube, 4);
  EXPECT_NE(text.find("along y"), std::string::npos) << text;
  EXPECT_NE(text.find("indices up to 4"), std::string::npos) << text;
  EXPECT_NE(text.find("indices up to 3"), std::string::npos) << text;
  EXPECT_NE(text.find("at least 9 points"), std::string::npos) << text;
  EXPECT_NE(refusal({9, 9, 9}, cube, 1e9).find("too large for the grid along x"),
            std::string::npos);
  EXPECT_NE(refusal({9, 9, 0}, cube, 0).find("at least one point"), std::string::npos);
}

}  // namespace
}  // namespace fg::fft
