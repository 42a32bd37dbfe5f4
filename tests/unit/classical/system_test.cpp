// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of a system before anything runs, and the placement of its atoms.
#include "classical/job/system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/error.hpp"
#include "support/classical/water_job.hpp"

namespace fg::classical {
namespace {

using test::water_job;

std::string refusal(const Job& job) {
  try {
    const System system(job);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

/// An atom about `share` of the box away from atom 0 along x.
std::int32_t far_atom(const Job& job, double share) {
  std::int32_t best = 1;
  const auto miss = [&](std::int32_t i) {
    const double d = job.atoms.position[i].x - job.atoms.position[0].x;
    return std::abs(std::abs(d - job.box.edge.x * std::round(d / job.box.edge.x)) -
                    share * job.box.edge.x);
  };
  for (std::int32_t i = 1; i < job.atoms.size(); ++i)
    if (miss(i) < miss(best)) best = i;
  return best;
}

TEST(System, RefusesATermThatIsWiderThanTwoPatchesAndNamesItsAtoms) {
  Job job = water_job({.per_axis = 12, .patches = {3, 3, 3}});
  ASSERT_EQ(refusal(job), "");
  const std::int32_t there = far_atom(job, 0.45);
  job.terms.of<HarmonicBond>().push_back({.atoms = {0, there}, .length = 20, .stiffness = 0.01});
  const std::string text = refusal(job);
  EXPECT_NE(text.find("a bond joins atoms that are too far apart"), std::string::npos) << text;
  EXPECT_NE(text.find(describe_atom(job, there)), std::string::npos) << text;
}

TEST(System, TakesALongTermWhereTwoPatchesCoverTheBox) {
  Job job = water_job();
  job.terms.of<HarmonicBond>().push_back({.atoms = {0, far_atom(job, 0.45)}, .length = 20});
  EXPECT_EQ(refusal(job), "");
}

TEST(System, TakesAnExceptionBeyondTheCutoff) {
  Job job = water_job();
  job.terms.of<ExceptionPair>().push_back({.atoms = {0, far_atom(job, 0.5)}});
  for (const auto electrostatics : {Electrostatics::pme, Electrostatics::reaction_field}) {
    job.settings.electrostatics = electrostatics;
    EXPECT_EQ(refusal(job), "");
  }
}

TEST(System, PlacesAnAtomInsideTheBoxWhereItIs) {
  const Job job = water_job();
  const System system(job);
  const Vec3 edge = job.box.edge;
  for (const Vec3& start : {Vec3{-1e-15, 1, 1}, Vec3{1, edge.y, 1}, Vec3{1, 1, -1e-300},
                            Vec3{-0.0, std::nextafter(edge.y, 0.0), 2 * edge.z}}) {
    const auto place = system.grid().place(start);
    const Vec3 there = start - system.grid().box().position(place.image);
    const auto again = system.grid().place(there);
    EXPECT_EQ(again.image, (Int3{0, 0, 0})) << there.x << " " << there.y << " " << there.z;
    EXPECT_EQ(again.patch, place.patch);
  }
}

TEST(System, PlacesAnAtomOfATiltedCellWhereItStays) {
  const Job job = water_job({.tilted = true});
  const System system(job);
  // Near the faces, where rounding decides on which side a moved atom ends.
  std::mt19937_64 random(9);
  std::uniform_int_distribution<int> face(-3, 3), roundings(-40, 40);
  std::uniform_real_distribution<double> inside(0, 1);
  for (int i = 0; i < 20000; ++i) {
    Vec3 s{inside(random), inside(random), inside(random)};
    s[i % 3] = face(random) + 1e-17 * std::pow(1.3, roundings(random));
    if (i % 2) s[(i + 1) % 3] = face(random);
    const Vec3 start = job.box.position(s);
    const auto place = system.grid().place(start);
    const Vec3 there = start - system.grid().box().position(place.image);
    const auto again = system.grid().place(there);
    ASSERT_EQ(again.image, (Int3{0, 0, 0})) << s.x << " " << s.y << " " << s.z;
    ASSERT_EQ(again.patch, place.patch);
    const Vec3 end = job.box.fractional(there);
    for (int axis = 0; axis < 3; ++axis) {
      ASSERT_GT(end[axis], -1e-11);
      ASSERT_LT(end[axis], 1 + 1e-11);
    }
  }
}

}  // namespace
}  // namespace fg::classical
