// SPDX-License-Identifier: BSD-3-Clause
//
// Kernels of several bonded terms at once against the plain kernels of single terms, on each SIMD
// target.
// Units: bohr, hartree, radians.
#include "forces/bonded/term_lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <tuple>
#include <vector>

#include "forces/bonded/term_table.hpp"
#include "forces/terms/terms.hpp"
#include "support/classical/bonded_samples.hpp"
#include "support/each_simd_target.hpp"
#include "support/same_on_each_target.hpp"

namespace fg::test {
namespace {

// Chains of random atoms have sines down to 1e-3 or so, which divide a few roundings.
constexpr double roundings = 2e-12;

/// Calls visit.operator()<Term>() for the kinds that have kernels of several terms.
template <class Visit>
void for_each_kind_of_lanes(const Visit& visit) {
  BondedTerms::for_each_kind([&]<class Term>() {
    if constexpr (TermOfLanes<Term>) visit.template operator()<Term>();
  });
}

/// Terms with atoms of their own.
template <class Term>
struct Chains {
  std::vector<Term> terms;
  std::vector<Vec3> positions;
  NearestDifference difference;

  explicit Chains(const Box& box) : difference(box) {}

  void add(Term term, const std::vector<Vec3>& atoms) {
    for (std::size_t k = 0; k < atoms.size(); ++k)
      term.atoms[k] = static_cast<std::int32_t>(positions.size() + k);
    positions.insert(positions.end(), atoms.begin(), atoms.end());
    terms.push_back(term);
  }
  /// Atoms of a chain are bonds of 1.5 to 3 bohr apart, and some of them are in other images.
  void add_random(int count, const Box& box, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> range(-1, 1);
    const std::vector<Term> kinds = samples<Term>();
    for (int i = 0; i < count; ++i) {
      std::vector<Vec3> atoms;
      Vec3 at{10 * range(random), 10 * range(random), 10 * range(random)};
      for (std::size_t k = 0; k < atoms_in<Term>; ++k) {
        Vec3 bond{range(random), range(random), range(random)};
        at += (1.5 + 0.75 * (1 + range(random))) / norm(bond) * bond;
        const double image = box.periodic ? std::round(range(random)) : 0.0;
        atoms.push_back(at + image * Vec3{box.tilt.xz, box.tilt.yz, box.edge.z});
      }
      add(kinds[static_cast<std::size_t>(i) % kinds.size()], atoms);
    }
  }
};

struct Found {
  std::vector<Vec3> forces;
  TermSums sums;
};

template <class Table, class Term>
Found evaluate(const Chains<Term>& chains, bool with_sums) {
  Table table;
  for (const Term& term : chains.terms) table.add(term, term.atoms, {});
  EXPECT_EQ(table.size(), chains.terms.size());
  Found found{.forces = std::vector<Vec3>(chains.positions.size()), .sums = {}};
  if (with_sums)
    table.template evaluate<true>(chains.difference, chains.positions, found.forces, found.sums);
  else
    table.template evaluate<false>(chains.difference, chains.positions, found.forces, found.sums);
  return found;
}

template <class Term>
void expect_as_one_by_one(const Chains<Term>& chains) {
  SCOPED_TRACE(Term::names_of_many);
  const Found plain = evaluate<TermsOneByOne<Term>>(chains, true);
  const Found lanes = evaluate<TermsInLanes<Term>>(chains, true);
  constexpr std::size_t n = atoms_in<Term>;
  double all = 0;
  for (std::size_t i = 0; i < chains.terms.size(); ++i) {
    double largest = 1e-6;
    for (std::size_t k = 0; k < n; ++k) largest = std::max(largest, norm(plain.forces[n * i + k]));
    all += largest;
    for (std::size_t k = 0; k < n; ++k)
      EXPECT_LE(norm(lanes.forces[n * i + k] - plain.forces[n * i + k]), roundings * largest)
          << "term " << i << ", atom " << k;
  }
  EXPECT_NEAR(lanes.sums.energy, plain.sums.energy, 10 * roundings * all);
  for (std::size_t c = 0; c < 6; ++c)
    EXPECT_NEAR(lanes.sums.virial[c], plain.sums.virial[c], 10 * roundings * all);
  EXPECT_EQ(evaluate<TermsInLanes<Term>>(chains, false).forces, lanes.forces);
}

class TermLanes : public EachSimdTarget {};
FG_ON_EACH_SIMD_TARGET(TermLanes);

TEST_P(TermLanes, AreTheSumsOfSingleTerms) {
  const Box boxes[] = {{.edge = {40, 35, 30}},
                       {.edge = {40, 35, 30}, .tilt = {.xy = 12, .xz = -7, .yz = 9}},
                       {.edge = {40, 35, 30}, .periodic = false}};
  for (const Box& box : boxes)
    for (const int count : {1, 7, 8, 9, 63, 64, 65, 200})
      for_each_kind_of_lanes([&]<class Term>() {
        Chains<Term> chains(box);
        chains.add_random(count, box, static_cast<std::uint64_t>(count));
        expect_as_one_by_one(chains);
      });
}

TEST_P(TermLanes, WithPortableBitsAreTheSumsOfSingleTerms) {
  const BitsOfRun bits(Bits::portable);
  const Box box{.edge = {40, 35, 30}, .tilt = {.xy = 12, .xz = -7, .yz = 9}};
  for_each_kind_of_lanes([&]<class Term>() {
    Chains<Term> chains(box);
    chains.add_random(200, box, 5);
    expect_as_one_by_one(chains);
  });
}

TEST(PortableTerms, HaveTheSameBitsOnEachTarget) {
  const Box box{.edge = {40, 35, 30}, .tilt = {.xy = 12, .xz = -7, .yz = 9}};
  for_each_kind_of_lanes([&]<class Term>() {
    SCOPED_TRACE(Term::names_of_many);
    Chains<Term> chains(box);
    chains.add_random(200, box, 6);
    same_on_each_target([&] {
      const Found found = evaluate<TermsInLanes<Term>>(chains, true);
      return std::tuple(found.forces, found.sums.energy, found.sums.virial);
    });
  });
}

TEST_P(TermLanes, DoNotDependOnTheirNeighbours) {
  const Box box{.edge = {40, 35, 30}};
  for_each_kind_of_lanes([&]<class Term>() {
    SCOPED_TRACE(Term::names_of_many);
    Chains<Term> all(box);
    all.add_random(70, box, 3);
    const Found together = evaluate<TermsInLanes<Term>>(all, true);
    constexpr std::size_t n = atoms_in<Term>;
    double energy = 0;
    for (std::size_t i = 0; i < all.terms.size(); ++i) {
      Chains<Term> one(box);
      one.add(all.terms[i], {all.positions.begin() + static_cast<std::ptrdiff_t>(n * i),
                             all.positions.begin() + static_cast<std::ptrdiff_t>(n * (i + 1))});
      const Found alone = evaluate<TermsInLanes<Term>>(one, true);
      for (std::size_t k = 0; k < n; ++k)
        EXPECT_EQ(alone.forces[k], together.forces[n * i + k]) << "term " << i;
      energy += alone.sums.energy;
    }
    EXPECT_EQ(energy, together.sums.energy);
  });
}

TEST_P(TermLanes, TakesAtomsAtOnePlaceAndInLine) {
  const Box box{.edge = {40, 35, 30}};
  Chains<HarmonicBond> bonds(box);
  bonds.add({.length = 2, .stiffness = 0.4}, {{1, 1, 1}, {1, 1, 1}});
  const Found bond = evaluate<TermsInLanes<HarmonicBond>>(bonds, true);
  EXPECT_EQ(bond.forces[0], Vec3{});
  EXPECT_DOUBLE_EQ(bond.sums.energy, 0.8);

  constexpr double pi = std::numbers::pi;
  Chains<HarmonicAngle> angles(box);
  for (const double angle : {pi, 1.9, 0.0}) {
    const HarmonicAngle term{.angle = angle, .stiffness = 0.15};
    angles.add(term, {{1, 1, 1}, {3, 1, 1}, {5, 1, 1}});  // straight
    angles.add(term, {{1, 1, 1}, {3, 1, 1}, {2, 1, 1}});  // folded
    angles.add(term, {{1, 1, 1}, {3, 1, 1}, {3, 4, 1}});  // right
    angles.add(term, {{1, 1, 1}, {3, 1, 1}, {4, 1 + 1e-3, 1}});
  }
  expect_as_one_by_one(angles);

  Chains<PeriodicTorsion> torsions(box);
  Chains<HarmonicTorsion> impropers(box);
  for (const double turn : {0.0, 1e-4, 0.5 * pi, 3.0, pi, -pi, -1.0, -1e-4}) {
    const std::vector<Vec3> atoms{
        {1, 3, 1}, {1, 1, 1}, {3, 1, 1}, {3, 1 + 2 * std::cos(turn), 1 + 2 * std::sin(turn)}};
    for (const PeriodicTorsion& term : samples<PeriodicTorsion>()) torsions.add(term, atoms);
    for (const HarmonicTorsion& term : samples<HarmonicTorsion>()) impropers.add(term, atoms);
  }
  const std::vector<Vec3> line{{1, 1, 1}, {3, 1, 1}, {5, 1, 1}, {7, 2, 1}};
  for (const PeriodicTorsion& term : samples<PeriodicTorsion>()) torsions.add(term, line);
  expect_as_one_by_one(torsions);
  expect_as_one_by_one(impropers);
}

}  // namespace
}  // namespace fg::test
