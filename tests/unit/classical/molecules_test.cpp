// SPDX-License-Identifier: BSD-3-Clause
//
// Molecules of several fragments: who belongs to them, how they are made whole, and when there are
// none.
#include "classical/job/molecules.hpp"

#include <gtest/gtest.h>

namespace fg::classical {
namespace {

/// Atoms of mass 1, 2, 3, ..., each a fragment, bonded to the next one; `ring` also last to first.
struct Chain {
  Chain(std::vector<Vec3> at, Box in, bool ring = false) {
    job.box = in;
    const auto atoms = static_cast<std::int32_t>(at.size());
    job.atoms.position = std::move(at);
    for (std::int32_t i = 0; i < atoms; ++i) {
      job.atoms.mass.push_back(1.0 + i);
      job.atoms.fragment.push_back(i);
      if (i > 0) job.terms.of<HarmonicBond>().push_back({.atoms = {i - 1, i}});
    }
    if (ring) job.terms.of<HarmonicBond>().push_back({.atoms = {atoms - 1, 0}});
    fragments = FragmentTable(job.topology, job.atoms.fragment, job.atoms.mass, job.atoms.position);
    table = MoleculeTable(job, fragments);
  }
  std::vector<Vec3> whole() const {
    const std::vector<Int3> image(job.atoms.position.size());
    const auto shift = table.whole(fragments, job.box, job.atoms.position, image);
    std::vector<Vec3> result = job.atoms.position;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] += job.box.position(shift[static_cast<std::size_t>(fragments.of_atom(int(i)))]);
    return result;
  }

  Job job;
  FragmentTable fragments;
  MoleculeTable table;
};

const Box cube{.edge = {10, 10, 10}};
const Box tilted{.edge = {10, 9, 8}, .tilt = {.xy = 3, .xz = -2, .yz = 1}};

/// Steps of 2 bohr along x, folded into the cell.
std::vector<Vec3> row(int atoms, const Box& box) {
  std::vector<Vec3> at;
  for (int i = 0; i < atoms; ++i) {
    Vec3 r{1 + 2.0 * i, 1, 1};
    r -= box.position(box.image_of(r));
    at.push_back(r);
  }
  return at;
}

TEST(Molecules, AreWholeThoughTheyAreLongerThanTheCell) {
  for (const Box& box : {cube, tilted}) {
    const Chain chain(row(12, box), box);
    ASSERT_EQ(chain.table.size(), 1);
    EXPECT_EQ(chain.table.centres(), 1);
    EXPECT_DOUBLE_EQ(chain.table.mass(0), 78);  // 1 + 2 + ... + 12
    const auto whole = chain.whole();
    for (std::size_t i = 1; i < whole.size(); ++i) {
      EXPECT_NEAR(whole[i].x - whole[i - 1].x, 2, 1e-12);  // rounding of numbers near 30
      EXPECT_NEAR(whole[i].y, whole[0].y, 1e-12);
    }
  }
}

/// The chain closes through the boundary: it is bonded to its own image and has no centre.
TEST(Molecules, WithoutEndAreScaledByFragments) {
  const Chain endless(row(5, cube), cube, true);
  EXPECT_EQ(endless.table.size(), 0);
  EXPECT_EQ(endless.table.centres(), 5);
  for (int f = 0; f < 5; ++f) EXPECT_EQ(endless.table.of_fragment(f), -1);
  EXPECT_EQ(endless.whole(), endless.job.atoms.position);

  const std::vector<Vec3> square{{9, 9, 1}, {1, 9, 1}, {1, 1, 1}, {9, 1, 1}};
  const Chain ring(square, cube, true);
  EXPECT_EQ(ring.table.size(), 1);
  EXPECT_EQ(ring.table.centres(), 1);
}

TEST(Molecules, HaveTheCentreOfAllTheirShares) {
  const Chain chain(row(12, cube), cube);
  const auto whole = chain.whole();
  Vec3 centre;
  MoleculeShare sum;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const double share = chain.job.atoms.mass[i] / chain.table.mass(0);
    centre += whole[i] * share;
    MoleculeShare part;
    EXPECT_TRUE(part.add_place(share, whole[i], {0.5, -0.25, 0}));
    EXPECT_TRUE(part.add_velocity(share, {1e-4, 0, -1e-4}));
    sum.add(part);
  }
  const MoleculeCentre found = sum.centre();
  EXPECT_NEAR(norm(found.position - centre), 0, 1e-9);  // twelve roundings of 6e-11
  EXPECT_NEAR(norm(found.velocity - Vec3{1e-4, 0, -1e-4}), 0, 1e-12);
  EXPECT_EQ(found.force, (Vec3{6, -3, 0}));
  MoleculeShare lost;
  EXPECT_FALSE(lost.add_place(1, {1e9, 0, 0}, {}));
  EXPECT_FALSE(lost.add_velocity(1, {0, 1e9, 0}));
}

}  // namespace
}  // namespace fg::classical
