// SPDX-License-Identifier: BSD-3-Clause
//
// Real convolutions in pencils, with a client that solves the Poisson equation: the waves and the
// potential are those of the definition of the transform, with the same bits on any PEs; misuse is
// an error, and what is no client is none for the compiler.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/fft/poisson_pencils.hpp"

namespace fg::test {
namespace {

class Pencils : public ::testing::TestWithParam<int> {
 protected:
  template <class Real>
  static void expect_solution() {
    for (PoissonCase is : poisson_cases()) {
      SCOPED_TRACE("grid " + std::to_string(is.grid[0]) + " x " + std::to_string(is.grid[1]));
      std::vector<Real> of_one_pe;
      for (const std::uint64_t seed : {0, 3}) {
        is.scattered = seed;
        PoissonRun<Real> run({.pes = GetParam()}, is);
        run.run();
        run.check();
        if (of_one_pe.empty()) {
          PoissonRun<Real> one({.pes = 1}, is);
          one.run();
          of_one_pe = one.results();
        }
        EXPECT_EQ(run.results(), of_one_pe);
      }
    }
  }
};

TEST_P(Pencils, SolveThePoissonEquationWithTheSameBits) {
  expect_solution<double>();
}
TEST_P(Pencils, SolveThePoissonEquationInSinglePrecisionWithTheSameBits) {
  expect_solution<float>();
}

INSTANTIATE_TEST_SUITE_P(Pes, Pencils, ::testing::Values(1, 2, 3, 4, 8),
                         ::testing::PrintToStringParamName());

TEST(PencilsThatMove, GoOn) {
  PoissonRun<double> run({.pes = 3}, poisson_cases()[1]);
  run.run();
  const auto first = run.results();
  const auto elsewhere = [&](auto array, std::uint64_t seed) {
    Runtime::Placement placement{array.core(), {}};
    for (int i = 0; i < array.size(); ++i)
      placement.pes.push_back(maps::hashed(std::array{i}, {array.size()}, 3, seed));
    return placement;
  };
  const auto& [z, y, x] = run.setup->pencils;
  run.runtime.relocate(std::vector{elsewhere(z, 1), elsewhere(y, 2), elsewhere(x, 3)});
  for (int s = 0; s < run.setup->sources.size(); ++s)
    run.setup->sources.object_at(s).results.clear();
  run.run();
  run.check();
  EXPECT_EQ(run.results(), first);
}

// ----- misuse -----

/// The message of the error with which a run ends after these rounds have come to pencil (0, 0),
/// each from the first source.
std::string error_after(const PoissonCase& is, const std::vector<std::int64_t>& rounds) {
  PoissonRun<double> run({.pes = 1}, is);
  const auto& source = run.setup->sources.object_at(0);
  for (const std::int64_t round : rounds)
    run.setup->pencils.z[{0, 0}].send<&PoissonPencil<double>::points>(source.block(round));
  try {
    run.runtime.run_until_quiescent();
  } catch (const InternalError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MisusedPencils, RefuseAnotherRoundBeforeThePresentOneIsWhole) {
  const std::string text = error_after(poisson_cases()[1], {4, 5});
  EXPECT_NE(text.find("round 4 with 1 of "), std::string::npos) << text;
  EXPECT_NE(text.find("round 5"), std::string::npos) << text;
}

TEST(MisusedPencils, RefuseMoreMessagesThanTheyAwait) {
  // One pencil in two awaits one message, and then waits for the other pencil.
  PoissonCase is = poisson_cases()[1];
  is.grid = {1, 2};
  is.boxes = {{{0, 0, 0}, is.mesh}};
  const std::string text = error_after(is, {4, 4});
  EXPECT_NE(text.find("with 1 of 1 messages"), std::string::npos) << text;
}

TEST(MisusedPencils, RefuseAClientThatSendsAPencilNothing) {
  PoissonCase is = poisson_cases()[1];
  is.boxes = {{{0, 0, 0}, {1, 1, 1}}};
  try {
    PoissonRun<double>({.pes = 1}, is);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("pencil 0, 1"), std::string::npos) << error.what();
  }
}

// ----- what a client needs -----

using Whole = PoissonClient<double>;
static_assert(fft::PencilClient<Whole>);

struct WithoutHead : Whole {
  struct Head {
    std::vector<int> numbers;  // cannot travel
  };
  static Head head(const Message&) { return {}; }
};
static_assert(!fft::ClientHeadTravels<WithoutHead> && !fft::PencilClient<WithoutHead>);

struct OfIntegers : Whole {
  using Real = int;
};
static_assert(!fft::ClientHasTypes<OfIntegers> && !fft::PencilClient<OfIntegers>);

struct WithoutRound : Whole {
  static void round(const Message&) {}
};
static_assert(!fft::ClientDescribesRounds<WithoutRound> && !fft::PencilClient<WithoutRound>);

struct WithoutPoints : Whole {
  struct Points {
    Points(const Whole&, PencilIndex) {}
  };
};
static_assert(!fft::ClientHasPoints<WithoutPoints> && !fft::PencilClient<WithoutPoints>);

struct WithoutWaves : Whole {
  struct Waves {
    Waves(const Whole&, PencilIndex) {}
  };
};
static_assert(!fft::ClientChangesWaves<WithoutWaves> && !fft::PencilClient<WithoutWaves>);

static_assert(!fft::PencilClient<int>);

}  // namespace
}  // namespace fg::test
