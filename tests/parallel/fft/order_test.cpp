// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms by chares with messages in orders that seeds draw: the bits are those of one rank, of
// boxes with both ways of sending, of spheres and of pencils.
#include <gtest/gtest.h>

#include "support/fft/chare_spheres.hpp"
#include "support/fft/chare_transforms.hpp"
#include "support/fft/poisson_pencils.hpp"
#include "support/random_orders.hpp"

namespace fg::test {
namespace {

RuntimeOptions machine_of(const RandomOrder& order) {
  return {.pes = order.pes, .pin = false, .delivery_seed = order.seed};
}

/// Calls `run` for each seed; a case that it chooses by the seed is compared by itself.
template <class Run>
void for_each_order(const Run& run) {
  for_each_seed([&](const RandomOrder& order) {
    SCOPED_TRACE(order.text());
    run(order);
  });
}

template <class Case>
const Case& chosen(const std::vector<Case>& cases, const RandomOrder& order) {
  return cases[order.seed % cases.size()];
}

TEST(AnyOrderOfTransforms, GivesTheBitsOfOneRank) {
  for (const auto sending : {fft::Sending::messages, fft::Sending::exchanges}) {
    const auto cases = transform_cases(sending);
    for_each_order([&](const RandomOrder& order) {
      TransformRun<double> run(machine_of(order), chosen(cases, order));
      run.run();
      run.run();
      TransformRun<float>(machine_of(order), chosen(cases, order)).run();
    });
  }
}

TEST(AnyOrderOfSpheres, GivesTheBitsOfOneRank) {
  const auto cases = sphere_cases();
  for_each_order([&](const RandomOrder& order) {
    SphereRun<double> run(machine_of(order), chosen(cases, order));
    run.run();
    run.run();
  });
}

TEST(AnyOrderOfPencils, GivesTheBitsOfOnePe) {
  const auto cases = poisson_cases();
  for_each_order([&](const RandomOrder& order) {
    PoissonRun<double> one({.pes = 1}, chosen(cases, order));
    one.run();
    PoissonRun<double> run(machine_of(order), chosen(cases, order));
    run.run();
    run.check();
    EXPECT_EQ(run.results(), one.results());
  });
}

}  // namespace
}  // namespace fg::test
