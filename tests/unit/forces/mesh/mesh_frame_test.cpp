// SPDX-License-Identifier: BSD-3-Clause
//
// Which pencils and patches exchange blocks: those that the points of the frames say, one by one.
#include "forces/mesh/mesh_frame.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "fft/partition.hpp"

namespace fg::test {
namespace {

struct Case {
  std::array<int, 3> patches, mesh;
  std::array<int, 2> pencils;
  double reach;
};

MeshDivision division_of(const Case& one) {
  const Box box{.edge = {40, 60, 50}};
  return {.patches = PatchGrid(box, one.patches),
          .settings = {.box = box, .mesh = one.mesh, .order = 4, .alpha = 0.2},
          .pencils = fft::PencilGeometry(one.mesh, one.pencils),
          .reach = one.reach};
}

/// The pencils that own the points of a frame.
std::vector<fft::PencilIndex> owners_of_points(const MeshDivision& division,
                                               const PatchIndex& patch) {
  const fft::GridBox frame = frame_of(division, patch);
  const auto& mesh = division.settings.mesh;
  const auto [columns, rows] = division.pencils.grid();
  std::vector<fft::PencilIndex> owners;
  for (int x = frame.low[0]; x < frame.high[0]; ++x)
    for (int y = frame.low[1]; y < frame.high[1]; ++y)
      owners.push_back({fft::owner(mesh[0], columns, fft::wrap(x, mesh[0])),
                        fft::owner(mesh[1], rows, fft::wrap(y, mesh[1]))});
  std::ranges::sort(owners);
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  return owners;
}

TEST(MeshFrame, PatchesAndPencilsAgreeOnWhatTheyExchange) {
  for (const Case& one :
       {Case{{3, 4, 2}, {20, 30, 25}, {4, 5}, 1.5}, Case{{1, 2, 3}, {20, 30, 25}, {7, 3}, 0.1},
        Case{{5, 5, 5}, {36, 40, 36}, {1, 12}, 3.0}}) {
    const MeshDivision division = division_of(one);
    std::vector<int> spreaders(static_cast<std::size_t>(division.pencils.pencils()));
    for (int p = 0; p < division.patches.size(); ++p) {
      const PatchIndex patch = division.patches.unflat(p);
      const auto found = pencils_of(division, patch);
      EXPECT_EQ(found, owners_of_points(division, patch)) << p;
      for (const auto& [i, j] : found)
        ++spreaders[static_cast<std::size_t>(i * division.pencils.grid()[1] + j)];
    }
    for (int i = 0; i < division.pencils.grid()[0]; ++i)
      for (int j = 0; j < division.pencils.grid()[1]; ++j)
        EXPECT_EQ(spreaders_of(division, {i, j}),
                  spreaders[static_cast<std::size_t>(i * division.pencils.grid()[1] + j)]);
  }
}

}  // namespace
}  // namespace fg::test
