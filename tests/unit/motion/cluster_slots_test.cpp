// SPDX-License-Identifier: BSD-3-Clause
//
// Positions to clusters and forces back, against the plain ways atom by atom, for numbers of atoms
// that do not fill a cluster.
// Units: Hartree atomic units.
#include "motion/atoms/cluster_slots.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/fixed_point.hpp"
#include "support/classical/moving_systems.hpp"
#include "support/each_simd_target.hpp"

namespace fg::test {
namespace {

struct Case {
  explicit Case(const Census& census) : system(SystemMaker(5, 15.0).make(census)) {
    place_all(system);
    std::vector<Vec3> positions;
    for (int atom = 0; atom < system.size(); ++atom)
      positions.push_back(system.atoms.position_of(system.slot_of_atom[atom]));
    make_cluster_order(positions, std::vector<std::uint8_t>(positions.size(), 1), order);
    slots.set(order, system.slot_of_atom, system.atoms);
    plain = std::move(positions);
  }

  SmallSystem system;
  ClusterOrder order;
  ClusterSlots slots;
  std::vector<Vec3> plain;
};

const Census censuses[] = {{.free_atoms = 1},
                           {.free_atoms = 8},
                           {.waters = 3, .stars = {1, 0, 2, 0}},
                           {.waters = 40, .stars = {2, 3, 1, 1}, .triangles = 2, .free_atoms = 5}};

class Clusters : public EachSimdTarget {};
FG_ON_EACH_SIMD_TARGET(Clusters);

template <class Real>
void expect_packed_like_the_plain_way(const Census& census) {
  const Case of(census);
  const Vec3 centre{1.25, -3.7, 8.1};
  const std::size_t numbers = static_cast<std::size_t>(of.order.clusters()) * cluster_numbers;
  std::vector<Real> plain(numbers), packed(numbers);
  pack_positions<Real>(of.plain, of.order, centre, plain.data());
  of.slots.pack_positions(of.system.atoms, centre, packed.data());
  EXPECT_EQ(packed, plain);
}

TEST_P(Clusters, PositionsHaveTheBitsOfThePlainWay) {
  for (const Census& census : censuses) {
    expect_packed_like_the_plain_way<float>(census);
    expect_packed_like_the_plain_way<double>(census);
  }
}

TEST_P(Clusters, ForcesHaveTheBitsOfThePlainWay) {
  for (const Census& census : censuses) {
    Case of(census);
    std::vector<std::int64_t> sums(static_cast<std::size_t>(of.order.clusters()) * cluster_numbers);
    std::mt19937_64 random(7);
    // The sums have all sizes, so that a double does not hold every one of them.
    for (std::int64_t& sum : sums)
      sum = static_cast<std::int64_t>(random()) >> std::uniform_int_distribution(0, 60)(random);
    of.slots.give_forces(sums.data(), of.system.atoms);
    for (int atom = 0; atom < of.system.size(); ++atom) {
      const int place = of.order.slot_of_atom[atom];
      for (int axis = 0; axis < 3; ++axis) {
        const int at = number_of_slot(place) + axis * cluster_size;
        EXPECT_EQ(of.system.atoms.force_of(of.system.slot_of_atom[atom])[axis],
                  force_scale.to_double(sums[at]));
      }
    }
  }
}

TEST_P(Clusters, SlotsWithoutAnAtomGetNoForce) {
  Case of({.waters = 3, .free_atoms = 1});
  std::vector<std::int64_t> sums(static_cast<std::size_t>(of.order.clusters()) * cluster_numbers,
                                 1'000'000);
  of.slots.give_forces(sums.data(), of.system.atoms);
  const auto ids = of.system.atoms.ids();
  for (int slot = 0; slot < of.system.atoms.slots(); ++slot)
    if (ids[slot] < 0) {
      EXPECT_EQ(norm(of.system.atoms.force_of(slot)), 0) << slot;
    }
}

}  // namespace
}  // namespace fg::test
