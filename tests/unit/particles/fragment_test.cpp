// SPDX-License-Identifier: BSD-3-Clause
//
// Fragments: their kinds, the order of their atoms, their reach, and what is refused.
// Units: Hartree atomic units.
#include "particles/fragment.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace fg::test {
namespace {

struct Input {
  Topology topology;
  std::vector<std::int32_t> fragment;
  std::vector<double> mass;
  std::vector<Vec3> position;

  int atom(int fragment_number, double m, Vec3 x = {}) {
    fragment.push_back(fragment_number);
    mass.push_back(m);
    position.push_back(x);
    return static_cast<int>(mass.size()) - 1;
  }
  int water(int number, double r_oh, double r_hh) {
    const int h1 = atom(number, 1), o = atom(number, 16), h2 = atom(number, 1);
    topology.waters.push_back({{o, h1, h2}, r_oh, r_hh});
    return h1;
  }
  FragmentTable table() const { return {topology, fragment, mass, position}; }
};

std::vector<int> atoms_of(const FragmentTable& table, int fragment) {
  const auto atoms = table.atoms(fragment);
  return {atoms.begin(), atoms.end()};
}

std::string refusal(const Input& input) {
  try {
    static_cast<void>(input.table());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FragmentTable, SortsFragmentsByKind) {
  Input in;
  in.atom(70, 40);                // free
  in.water(5, 1.8, 2.9);          // H, O, H in the input
  in.water(6, 1.8 + 1e-12, 2.9);  // differs only in its last digits
  in.water(7, 1.9, 3.0);          // another model
  const int h = in.atom(-3, 1), c = in.atom(-3, 12), h2 = in.atom(-3, 1);
  in.topology.constraints = {{{c, h2}, 2.1}, {{h, c}, 2.0}};
  const FragmentTable table = in.table();
  ASSERT_EQ(table.size(), 5);
  EXPECT_EQ(table.kind(0), FragmentKind::free);
  EXPECT_EQ(table.kind(1), FragmentKind::water);
  EXPECT_EQ(table.kind(2), FragmentKind::water);
  EXPECT_EQ(table.kind(3), FragmentKind::general);
  EXPECT_EQ(table.kind(4), FragmentKind::star);
  EXPECT_EQ(atoms_of(table, 1), (std::vector{2, 1, 3}));  // O first
  EXPECT_EQ(atoms_of(table, 4), (std::vector{c, h, h2}));
  EXPECT_EQ(table.of_atom(h2), 4);
  ASSERT_EQ(table.constraints(4).size(), 2u);
  EXPECT_EQ(table.constraints(4)[0].a, 0);
  EXPECT_EQ(table.constraints(4)[0].b, 1);
  EXPECT_EQ(table.constraints(4)[0].distance, 2.0);
  EXPECT_EQ(table.water(), (WaterGeometry{1.8, 2.9, 16, 1}));
  EXPECT_EQ(table.constraint_count(), 11);
}

TEST(FragmentTable, CountsARepeatedConstraintOnce) {
  Input in;
  in.water(1, 1.8, 2.9);
  in.topology.constraints = {{{1, 0}, 1.8}, {{1, 2}, 1.8}, {{2, 0}, 2.9}};
  EXPECT_EQ(in.table().constraint_count(), 3);
  EXPECT_EQ(in.table().kind(0), FragmentKind::water);
}

TEST(FragmentTable, ReachesAlongConstraintsOrPastTheStart) {
  Input in;
  for (int i = 0; i < 3; ++i) in.atom(1, 12, {2.0 * i, 0, 0});
  in.topology.constraints = {{{0, 1}, 2.0}, {{1, 2}, 2.5}};
  EXPECT_DOUBLE_EQ(in.table().reach(), 2.5);  // the star's centre comes first
  in.topology.constraints.clear();
  EXPECT_DOUBLE_EQ(in.table().reach(), 6.0);  // 1.5 times 4
}

TEST(FragmentTable, RefusesWhatCannotHoldAndNamesTheAtoms) {
  Input across;
  across.atom(1, 12);
  across.atom(2, 1);
  across.topology.constraints = {{{0, 1}, 2.0}};
  EXPECT_NE(refusal(across).find("atoms 1 and 2"), std::string::npos);

  Input twice;
  twice.atom(1, 12);
  twice.atom(1, 1);
  twice.topology.constraints = {{{0, 1}, 2.0}, {{1, 0}, 2.1}};
  EXPECT_NE(refusal(twice).find("different length"), std::string::npos);

  Input missing;
  missing.atom(1, 12);
  missing.topology.constraints = {{{0, 4}, 2.0}};
  EXPECT_NE(refusal(missing).find("atom 5"), std::string::npos);

  Input empty;
  empty.atom(1, 12);
  empty.atom(1, 1);
  empty.topology.constraints = {{{0, 1}, 0.0}};
  EXPECT_NE(refusal(empty).find("no length"), std::string::npos);
}

/// A site of these parents, in the middle of the first two.
VirtualSite between(int site, std::array<std::int32_t, 4> parents) {
  return {.site = site, .parents = parents, .weights = {0.5, 0.5, 0, 0}};
}

TEST(FragmentTable, PutsVirtualSitesAfterTheAtoms) {
  Input in;
  const int m = in.atom(3, 0, {0, 0, 0.2});  // before its parents
  const int h1 = in.water(3, 1.8, 2.9);
  const int c = in.atom(9, 12), lone = in.atom(9, 0, {1, 0, 0}), n = in.atom(9, 14, {2, 0, 0});
  in.topology.virtual_sites = {between(m, {h1, h1 + 1, h1 + 2, -1}), between(lone, {c, n, -1, -1})};
  const FragmentTable table = in.table();
  ASSERT_EQ(table.size(), 2);
  EXPECT_EQ(table.kind(0), FragmentKind::water);
  EXPECT_EQ(atoms_of(table, 0), (std::vector{h1 + 1, h1, h1 + 2, m}));
  EXPECT_EQ(table.kind(1), FragmentKind::free);
  EXPECT_EQ(atoms_of(table, 1), (std::vector{c, n, lone}));
  ASSERT_EQ(table.sites(1).size(), 1u);
  EXPECT_EQ(table.sites(1)[0], 1);
  EXPECT_EQ(table.constraint_count(), 3);
  EXPECT_DOUBLE_EQ(table.reach(), 3.0);  // 1.5 times the distance of the parents
}

TEST(FragmentTable, BeginsWithTheMiddleOfTheParents) {
  Input in;
  for (const double x : {0.0, 2.0, 4.5}) in.atom(0, 12, {x, 0, 0});
  const int site = in.atom(0, 0, {2.0, 1, 0});
  in.topology.virtual_sites = {between(site, {1, 0, 2, -1})};
  const FragmentTable table = in.table();
  EXPECT_EQ(atoms_of(table, 0), (std::vector{1, 0, 2, site}));
  EXPECT_DOUBLE_EQ(table.reach(), 1.5 * 2.5);
}

TEST(FragmentTable, RefusesSitesThatNothingPlaces) {
  const auto with = [](const std::function<void(Input&)>& change) {
    Input in;
    for (int i = 0; i < 3; ++i) in.atom(0, 12, {1.0 * i, 0, 0});
    in.atom(0, 0);
    in.atom(0, 0);
    in.topology.virtual_sites = {between(3, {0, 1, -1, -1}), between(4, {1, 2, -1, -1})};
    change(in);
    return refusal(in);
  };
  EXPECT_EQ(with([](Input&) {}), "");
  EXPECT_NE(with([](Input& in) { in.fragment[2] = 1; }).find("two fragments"), std::string::npos);
  EXPECT_NE(with([](Input& in) {
              in.topology.virtual_sites[1].parents[1] = 3;
            }).find("atom 5 depends on another one, atom 4"),
            std::string::npos);
  EXPECT_NE(with([](Input& in) { in.topology.virtual_sites[1].site = 3; }).find("twice"),
            std::string::npos);
  EXPECT_NE(with([](Input& in) {
              in.topology.constraints = {{{1, 3}, 2.0}};
            }).find("holds a virtual site"),
            std::string::npos);
}

}  // namespace
}  // namespace fg::test
