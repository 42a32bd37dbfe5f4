// SPDX-License-Identifier: BSD-3-Clause
//
// Property of the volumetric decomposition (Eleftheriou et al., IBM J. Res. Dev. 49, 457): lines
// are divided so that exchanges stay within rows and planes of the mesh of ranks, up to as many
// ranks as there are lines.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fft/plan.hpp"
#include "fft/redistribution.hpp"

namespace fg::fft {
namespace {

using Mesh = std::array<int, 3>;

Mesh place(const Mesh& mesh, int rank) {
  return {rank / mesh[2] / mesh[1], rank / mesh[2] % mesh[1], rank % mesh[2]};
}

/// The number of axes along which any exchange of a stage leaves a rank's own place.
int axes_crossed(const std::vector<GridBox>& from, const std::vector<GridBox>& to,
                 const Mesh& mesh) {
  std::array<bool, 3> crossed{};
  for (int rank = 0; rank < static_cast<int>(from.size()); ++rank)
    for (const Piece& piece : redistribute(from, to, rank).sends)
      for (std::size_t a = 0; a < 3; ++a)
        if (place(mesh, rank)[a] != place(mesh, piece.rank)[a]) crossed[a] = true;
  return crossed[0] + crossed[1] + crossed[2];
}

TransformPlan volumetric(const Grid& grid, const Mesh& mesh) {
  return TransformPlan({grid, Kind::complex, bricks(grid, mesh), bricks(grid, mesh), {}, mesh});
}

TEST(MeshLines, ExchangesStayWithinRowsAndPlanes) {
  for (const Mesh& mesh : {Mesh{2, 2, 2}, {4, 4, 4}, {4, 2, 8}, {3, 5, 2}, {1, 6, 4}})
    for (const Grid& grid : {Grid{16, 16, 16}, {9, 20, 14}, {5, 3, 7}}) {
      const TransformPlan plan = volumetric(grid, mesh);
      const auto& stages = plan.stages();
      for (std::size_t s = 0; s + 1 < stages.size(); ++s) {
        const bool between_lines = !stages[s].axes.empty() && !stages[s + 1].axes.empty();
        EXPECT_LE(axes_crossed(stages[s].after, stages[s + 1].before, mesh), between_lines ? 2 : 1);
      }
    }
}

TEST(MeshLines, EveryRankHasALineWithAsManyRanksAsLines) {
  // 32^3 on 8 x 8 x 16 = 32^2 ranks: one line of 32 points each in every stage.
  const TransformPlan plan = volumetric({32, 32, 32}, {8, 8, 16});
  ASSERT_EQ(plan.stages().size(), 5u);  // bricks, lines along z, y, x, bricks
  for (std::size_t s = 1; s < 4; ++s)
    for (const GridBox& box : plan.stages()[s].before) EXPECT_EQ(box.volume(), 32u);
}

TEST(MeshLines, TheRowOfABrickAreItsPartnersBeforeTheFirstTransform) {
  const Mesh mesh{8, 8, 8};
  const TransformPlan plan = volumetric({128, 128, 128}, mesh);
  const auto& stages = plan.stages();
  for (const int rank : {0, 77, 511})  // 7 others in a row of 8
    EXPECT_EQ(redistribute(stages[0].after, stages[1].before, rank).sends.size(), 7u);
}

TEST(MeshLines, OperationsAddUpToThoseOfAllLines) {
  // 5 n log2 n for each of 3 x 16 x 16 lines of 16 points.
  const TransformPlan plan = volumetric({16, 16, 16}, {2, 3, 2});
  double operations = 0;
  for (std::size_t s = 0; s < plan.stages().size(); ++s)
    for (int rank = 0; rank < plan.ranks(); ++rank) operations += plan.operations(s, rank);
  EXPECT_EQ(operations, 3 * 256 * 5.0 * 16 * 4);
}

TEST(MeshLines, AMeshThatDoesNotHoldTheRanksIsRefused) {
  const Grid grid{8, 8, 8};
  const auto refused = [&](const Mesh& mesh, std::optional<std::array<int, 2>> parts) {
    const TransformBoxes boxes{grid,  Kind::complex, slabs(grid, 0, 4), slabs(grid, 1, 4),
                               parts, mesh};
    EXPECT_THROW(TransformPlan{boxes}, InputError);
  };
  refused({2, 2, 2}, {});
  refused({-2, -2, 1}, {});
  refused({0, 4, 1}, {});
  refused({1 << 30, 1 << 30, 4}, {});
  refused({2, 2, 1}, {{2, 2}});
}

}  // namespace
}  // namespace fg::fft
