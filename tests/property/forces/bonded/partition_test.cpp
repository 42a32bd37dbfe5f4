// SPDX-License-Identifier: BSD-3-Clause
//
// Property: for any division of the box, exactly one patch computes each bonded term, from its own
// block alone, and the shares add up to the whole.
// Units: bohr, hartree.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "base/error.hpp"
#include "forces/bonded/bonded_workset.hpp"
#include "forces/bonded/term_assignment.hpp"
#include "particles/patch_grid.hpp"
#include "support/classical/bonded_samples.hpp"

namespace fg::test {
namespace {

struct ChainSystem {
  Box box{{60, 48, 54}};
  std::vector<Vec3> position;  // wrapped into the box
  BondedTerms terms;

  explicit ChainSystem(int atoms, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> range(-1, 1);
    Vec3 at{1, 1, 1};
    for (int i = 0; i < atoms; ++i) {
      const double x = range(random), y = range(random);
      Vec3 step{1.4 + 0.6 * x, 1.2 + 0.9 * y,
                1.3 + 0.8 * range(random)};  // walks randomly through the box
      at += step;
      Vec3 wrapped;
      for (int axis = 0; axis < 3; ++axis)
        wrapped[axis] = at[axis] - box.edge[axis] * std::floor(at[axis] / box.edge[axis]);
      position.push_back(wrapped);
    }
    BondedTerms::for_each_kind([&]<class Term>() {
      constexpr int count = atoms_in<Term>;
      const std::vector<Term> kind = samples<Term>();
      terms.shared<Term>() = shared_by_samples<Term>();
      for (int i = 0; i + count <= atoms; ++i) {
        Term term = kind[i % kind.size()];
        for (int k = 0; k < count; ++k) term.atoms[k] = i % 2 ? i + k : i + count - 1 - k;
        terms.of<Term>().push_back(term);
      }
    });
    for (int i = 0; i + 2 < atoms; ++i)  // only left out of the pair sum
      terms.of<ExceptionPair>().push_back({.atoms = {i, i + 2}});
  }
};

struct Whole {
  std::vector<Vec3> force;
  BondedSums sums;
  int count = 0;
};

void expect_same(const BondedSums& a, const BondedSums& b) {
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.virial, b.virial);
}

Whole compute(const ChainSystem& system, const std::array<int, 3>& shape,
              const std::array<int, 3>& reach = {1, 1, 1}) {
  const int atoms = static_cast<int>(system.position.size());
  const TermIndex index(system.terms, atoms);
  const PatchGrid grid(system.box, shape);
  std::vector<std::vector<std::int32_t>> ids(grid.size());
  for (int i = 0; i < atoms; ++i) ids[grid.flat(grid.holding(system.position[i]))].push_back(i);
  for (auto& list : ids) list.insert(list.begin(), -1);  // a gap in the numbering

  Whole whole;
  whole.force.assign(atoms, {});
  for (int p = 0; p < grid.size(); ++p) {
    const PatchIndex own = grid.unflat(p);
    const auto block = bonded_block(own, shape, reach);
    std::vector<BlockPart> parts;
    std::vector<std::int32_t> all;
    for (const PatchIndex& patch : block) {
      const auto& list = ids[grid.flat(patch)];
      parts.push_back({patch, list});
      all.insert(all.end(), list.begin(), list.end());
    }
    BondedWorkset work(system.terms, index, own, shape, reach);
    work.rebuild(parts, system.box);
    std::vector<Vec3> x, f(all.size()), again(all.size());
    for (const int id : all) x.push_back(id < 0 ? Vec3{} : system.position[id]);
    const BondedSums sums = work.add_forces_and_sums(x, f);
    work.add_forces(x, again);
    EXPECT_EQ(f, again);  // the forces are the same with energies
    // Without the others: the same, and nothing acts on these.
    std::vector<Vec3> kept_x, of_kept, spread(all.size());
    const auto kept = work.leave_out_others();
    for (const std::int32_t place : kept) kept_x.push_back(x[place]);
    of_kept.resize(kept.size());
    expect_same(work.add_forces_and_sums(kept_x, of_kept), sums);
    for (std::size_t i = 0; i < kept.size(); ++i) spread[kept[i]] = of_kept[i];
    EXPECT_EQ(spread, f);
    for (std::size_t place = 0; place < all.size(); ++place)
      if (all[place] >= 0) whole.force[all[place]] += f[place];
    for (int i = 0; i < energy_term_count; ++i) whole.sums.energy[i] += sums.energy[i];
    for (int i = 0; i < 6; ++i) whole.sums.virial[i] += sums.virial[i];
    whole.count += work.size();
  }
  EXPECT_EQ(whole.count, index.size());
  return whole;
}

TEST(BondedPartition, SumsToTheWholeOnAnyGrid) {
  const ChainSystem system(300, 1);
  const Whole one = compute(system, {1, 1, 1});
  double largest = 1;
  for (const Vec3& force : one.force) largest = std::max(largest, norm(force));
  struct Cut {
    std::array<int, 3> shape, reach{1, 1, 1};
  };
  for (const auto& [shape, reach] :
       {Cut{{2, 1, 1}}, Cut{{2, 2, 2}}, Cut{{3, 2, 1}}, Cut{{4, 3, 3}}, Cut{{5, 4, 4}},
        Cut{{9, 7, 8}, {2, 2, 2}}, Cut{{3, 3, 4}, {2, 2, 2}}, Cut{{14, 5, 2}, {4, 3, 2}},
        Cut{{5, 6, 7}, {4, 4, 4}}}) {
    const Whole division = compute(system, shape, reach);
    // Sums of 300 to 600 terms of up to 0.5 hartree in another order.
    for (int i = 0; i < energy_term_count; ++i)
      EXPECT_NEAR(division.sums.energy[i], one.sums.energy[i], 1e-12) << energy_terms[i];
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(division.sums.virial[i], one.sums.virial[i], 1e-11);
    for (std::size_t i = 0; i < one.force.size(); ++i)
      EXPECT_LT(norm(division.force[i] - one.force[i]), 1e-14 * largest) << i;
  }
}

TEST(BondedPartition, VirialIsTheDerivativeByTheVolume) {
  ChainSystem system(100, 2);
  const auto energy = [&](double scale) {
    ChainSystem scaled = system;
    scaled.box.edge *= scale;
    for (Vec3& x : scaled.position) x *= scale;
    return compute(scaled, {1, 1, 1}).sums.total();
  };
  const double h = 1e-5;
  const double slope = (energy(1 + h) - energy(1 - h)) / (2 * h);
  const auto virial = compute(system, {1, 1, 1}).sums.virial;
  // dE / d ln(scale) = -sum r.f; truncation h^2, round-off of the energy over h.
  EXPECT_NEAR(virial[0] + virial[1] + virial[2], -slope, 1e-7 * (1 + std::abs(slope)));
}

/// The patches of a row of `count` that compute a term with atoms in these.
std::vector<int> owners(const std::vector<int>& of_atoms, int count, int reach = 1) {
  std::vector<int> owners;
  for (int own = 0; own < count; ++own) {
    const TermOwner owner({own, 0, 0}, {count, 1, 1}, {reach, 1, 1});
    const auto block = bonded_block({own, 0, 0}, {count, 1, 1}, {reach, 1, 1});
    BlockSides sides;
    const bool all = std::ranges::all_of(of_atoms, [&](int c) {
      if (std::ranges::find(block, std::array{c, 0, 0}) == block.end()) return false;
      sides = sides | owner.sides({c, 0, 0});
      return true;
    });
    if (all && owner.owns(sides)) owners.push_back(own);
  }
  return owners;
}

TEST(TermOwner, IsTheSharedOrTheLowerOfTwoAdjacent) {
  using Patches = std::vector<int>;
  EXPECT_EQ(owners({3, 3, 3}, 5), Patches{3});
  EXPECT_EQ(owners({3, 4, 3}, 5), Patches{3});
  EXPECT_EQ(owners({4, 3}, 5), Patches{3});
  EXPECT_EQ(owners({0, 4, 4, 0}, 5), Patches{4});  // across the box edge
  EXPECT_EQ(owners({1, 0}, 2), Patches{0});
  EXPECT_EQ(owners({0, 1}, 2), Patches{0});
  EXPECT_EQ(owners({1, 1}, 2), Patches{1});
  EXPECT_EQ(owners({0, 0}, 1), Patches{0});
  EXPECT_EQ(owners({2, 0}, 3), Patches{2});
  EXPECT_EQ(owners({0, 2}, 5), Patches{});
  EXPECT_EQ(owners({0, 1, 2}, 3), Patches{});
}

TEST(TermOwner, IsTheLowestOfThinPatches) {
  using Patches = std::vector<int>;
  EXPECT_EQ(owners({3, 5, 4}, 7, 2), Patches{3});
  EXPECT_EQ(owners({3, 5}, 7, 2), Patches{3});
  EXPECT_EQ(owners({0, 5}, 7, 2), Patches{5});  // across the box edge
  EXPECT_EQ(owners({0, 3}, 7, 2), Patches{});
  EXPECT_EQ(owners({0, 2}, 3, 2), Patches{2});  // one apart, across the edge
  EXPECT_EQ(owners({0, 1, 2}, 3, 2), Patches{0});
  EXPECT_EQ(owners({1, 3}, 4, 3), Patches{1});
}

/// Every set of patches that are close together has one owner.
TEST(TermOwner, IsOneOnAnyRow) {
  for (int reach = 1; reach <= BlockSides::most_reach; ++reach)
    for (int count = 1; count <= 11; ++count)
      for (unsigned set = 1; set < 1U << count; ++set) {
        std::vector<int> patches;
        for (int c = 0; c < count; ++c)
          if ((set >> c & 1U) != 0) patches.push_back(c);
        const bool close = std::ranges::any_of(patches, [&](int from) {
          return std::ranges::all_of(patches,
                                     [&](int c) { return (c - from + count) % count <= reach; });
        });
        EXPECT_EQ(owners(patches, count, reach).size(), close ? 1u : 0u)
            << set << " of " << count << ", " << reach;
      }
}

TEST(BondedWorkset, ATermThatIsTooWideIsMissingFromTheSum) {
  BondedTerms terms;
  terms.of<HarmonicAngle>().push_back({{0, 1, 2}, 1.8, 0.1});
  const TermIndex index(terms, 3);
  BondedWorkset work(terms, index, {0, 0, 0}, {3, 1, 1});
  const std::int32_t ids[3] = {0, 1, 2};
  const BlockPart whole[2] = {{{0, 0, 0}, {ids, 2}}, {{1, 0, 0}, {ids + 2, 1}}};
  work.rebuild(whole, {{30, 30, 30}});
  EXPECT_EQ(work.size(), 1);
  const BlockPart torn[2] = {{{0, 0, 0}, {ids, 1}}, {{1, 0, 0}, {ids + 1, 1}}};
  work.rebuild(torn, {{30, 30, 30}});
  EXPECT_EQ(work.size(), 0);
}

TEST(TermIndex, RefusesAtomsThatDoNotExist) {
  BondedTerms terms;
  terms.of<HarmonicBond>().push_back({{0, 7}, 2.0, 0.1});
  EXPECT_THROW(TermIndex(terms, 7), InputError);
}

}  // namespace
}  // namespace fg::test
