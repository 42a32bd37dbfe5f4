// SPDX-License-Identifier: BSD-3-Clause
//
// Philox against the vectors published with it, and the SIMD normals against their plain reference.
#include "base/philox.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "support/each_simd_target.hpp"
#include "support/same_on_each_target.hpp"

namespace fg::test {
namespace {

// Origin: kat_vectors of Random123 1.14, D. E. Shaw Research, lines "philox4x32 10".
TEST(Philox, GivesThePublishedVectors) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

using NormalTriples = EachSimdTarget;

struct Normals {
  explicit Normals(std::size_t n) : x(n), y(n), z(n) {}
  std::array<float*, 3> axes() { return {x.data(), y.data(), z.data()}; }
  std::vector<float> x, y, z;
};

constexpr RandomStream stream{.seed = 0x123456789abcdefull, .step = (1ull << 40) + 5};

TEST_P(NormalTriples, AgreeWithTheReferenceOnAnySize) {
  for (std::size_t n = 0; n <= 70; ++n) {
    std::vector<std::int32_t> ids(n);
    for (std::size_t i = 0; i < n; ++i) ids[i] = static_cast<std::int32_t>(7919 * i) - 3;
    Normals got(n);
    normal_triples(stream, ids, got.axes());
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3 want = normal_triple_reference(stream, ids[i]);
      // A few roundings of single precision (6e-8) on numbers up to 6.7.
      EXPECT_NEAR(got.x[i], want.x, 2e-6) << ids[i];
      EXPECT_NEAR(got.y[i], want.y, 2e-6) << ids[i];
      EXPECT_NEAR(got.z[i], want.z, 2e-6) << ids[i];
    }
  }
}

TEST_P(NormalTriples, DoNotDependOnTheirNeighbours) {
  const std::int32_t id = 4711;
  Normals alone(1);
  normal_triples(stream, std::vector<std::int32_t>{id}, alone.axes());
  for (std::size_t place = 0; place < 37; ++place) {
    std::vector<std::int32_t> ids(37, 1);
    ids[place] = id;
    Normals many(ids.size());
    normal_triples(stream, ids, many.axes());
    EXPECT_EQ(many.x[place], alone.x[0]);
    EXPECT_EQ(many.y[place], alone.y[0]);
    EXPECT_EQ(many.z[place], alone.z[0]);
  }
}

FG_ON_EACH_SIMD_TARGET(NormalTriples);

TEST(PortableNormals, HaveTheSameBitsOnEachTarget) {
  std::vector<std::int32_t> ids(2003);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(7919 * i) - 3;
  same_on_each_target([&] {
    Normals got(ids.size());
    normal_triples(stream, ids, got.axes());
    return std::tuple(got.x, got.y, got.z);
  });
}

TEST(NormalStreams, DifferInSeedStepPurposeAndAtom) {
  const auto draw = [](RandomStream s, std::int32_t id) {
    return normal_triple_reference(s, id).x;
  };
  const double here = draw({1, 2, RandomPurpose::langevin}, 3);
  EXPECT_NE(here, draw({2, 2, RandomPurpose::langevin}, 3));
  EXPECT_NE(here, draw({1ull << 32 | 1, 2, RandomPurpose::langevin}, 3));
  EXPECT_NE(here, draw({1, 3, RandomPurpose::langevin}, 3));
  EXPECT_NE(here, draw({1, 1ull << 32 | 2, RandomPurpose::langevin}, 3));
  EXPECT_NE(here, draw({1, 2, RandomPurpose::initial_velocity}, 3));
  EXPECT_NE(here, draw({1, 2, RandomPurpose::langevin}, 4));
}

}  // namespace
}  // namespace fg::test
