// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms by chares of one process: the bits are those of one rank for any PEs, parts, boxes and
// ways of sending; nobody waits; misuse is an error.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/fft/chare_transforms.hpp"

namespace fg::test {
namespace {

using fft::Kind;
using fft::Sending;
using fft::slabs;
using fft::TransformArray;
using fft::TransformPlan;

class ChareTransforms : public ::testing::TestWithParam<std::tuple<int, Sending>> {};

TEST_P(ChareTransforms, HaveTheBitsOfOneRank) {
  const auto [pes, sending] = GetParam();
  for (const TransformCase& is : transform_cases(sending)) {
    SCOPED_TRACE("case " + std::to_string(is.pe_seed));
    TransformRun<double> run({.pes = pes}, is);
    run.run();
    run.run();  // numbers go on
  }
}

TEST_P(ChareTransforms, HaveTheBitsOfOneRankInSinglePrecision) {
  const auto [pes, sending] = GetParam();
  for (const TransformCase& is : transform_cases(sending)) {
    SCOPED_TRACE("case " + std::to_string(is.pe_seed));
    TransformRun<float>({.pes = pes}, is).run();
  }
}

TEST_P(ChareTransforms, GoOnAfterPartsHaveMoved) {
  const auto [pes, sending] = GetParam();
  TransformRun<double> run({.pes = pes}, transform_cases(sending)[4]);
  for (const std::uint64_t seed : {1, 2}) {
    run.run();
    run.scatter(seed);
  }
  run.run();
}

TEST_P(ChareTransforms, WaitForAPartWithoutPointsThatStartsLate) {
  // The others depend on nothing that the last part sends, and could be many transforms ahead.
  const auto [pes, sending] = GetParam();
  const fft::Grid grid{3, 4, 5};
  std::vector<GridBox> points = slabs(grid, 0, 3), waves(4);
  points.emplace_back();
  waves.back() = fft::whole(grid);
  const TransformCase is{.boxes = {grid, Kind::complex, points, waves},
                         .sending = sending,
                         .transforms = 7,
                         .routes = {Route::forward}};
  TransformRun<double> run({.pes = pes}, is);
  for (int part = 0; part < 3; ++part)
    run.clients.at_ordinal(part).send<&TransformClient<double>::begin>(std::int64_t{0});
  run.runtime.run_until_quiescent();
  EXPECT_EQ(run.clients.object_at(3).results, 0);
  run.clients.at_ordinal(3).send<&TransformClient<double>::begin>(std::int64_t{0});
  run.runtime.run_until_quiescent();
  for (int part = 0; part < 4; ++part) EXPECT_EQ(run.clients.object_at(part).results, 7);
}

INSTANTIATE_TEST_SUITE_P(All, ChareTransforms,
                         ::testing::Combine(::testing::Values(1, 2, 3, 4, 8),
                                            ::testing::Values(Sending::messages,
                                                              Sending::exchanges)),
                         [](const auto& info) {
                           const bool messages = std::get<1>(info.param) == Sending::messages;
                           return std::string(messages ? "Messages" : "Exchanges") + "Pes" +
                                  std::to_string(std::get<0>(info.param));
                         });

/// Its life starts a transform, does other work step by step, and only then lets the last part
/// start.
class Busy final : public Chare<Busy, 1> {
 public:
  using Number = std::complex<double>;

  Task life() {
    if (ordinal() > 0) start();
    co_await when<&Busy::ready>(0, 1);
  }
  void other_work(std::int64_t left) {
    ++worked;
    if (left > 0) return self().send<&Busy::other_work>(left - 1);
    worked_first = results == 0;
    start();
  }
  void ready(Ref<const FieldMessage> result) {
    ++results;
    first = result->trailing<Number>()[0];
  }

  TransformArray<double> transforms;
  int worked = 0, results = 0;
  bool worked_first = false;
  Number first;

 private:
  void start() {
    auto field = transforms.field(ordinal(), 0, Route::forward);
    auto* const numbers = field->trailing<Number>();
    std::fill_n(numbers, transforms.points_of(ordinal()).layout.extent(), 1.0);
    transforms.start(std::move(field));
  }
};

TEST(ChareTransform, LeavesThePeToOtherWorkWhileAPartIsMissing) {
  const fft::Grid grid{4, 4, 4};
  Runtime runtime({.pes = 1});
  const auto clients = runtime.create_array<Busy>({4}, [](const auto&) { return 0; });
  const auto plan = std::make_shared<const TransformPlan>(
      fft::TransformBoxes{grid, Kind::complex, slabs(grid, 0, 4), slabs(grid, 1, 4)});
  const TransformArray<double> transforms(runtime, {.plan = plan, .pe = [](int) { return 0; }},
                                          fft::reply_at<&Busy::ready>(clients));
  for (int i = 0; i < 4; ++i) clients.object_at(i).transforms = transforms;
  clients.broadcast<&Busy::life>();
  clients[{0}].send<&Busy::other_work>(std::int64_t{1000});
  runtime.run_until_quiescent();
  EXPECT_EQ(clients.object_at(0).worked, 1001);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(clients.object_at(i).results, 1);
  EXPECT_TRUE(clients.object_at(0).worked_first);
  EXPECT_EQ(clients.object_at(0).first, 64.0);  // the sum of 4 x 4 x 4 ones
}

// ----- misuse -----

struct Misuse : ::testing::Test {
  TransformCase is = transform_cases(Sending::messages)[0];  // one part, which is not kept waiting

  /// The message of the error with which a run ends after this part has started these.
  template <class... Start>
  static std::string error_of(TransformRun<double>& run, Start&&... start) {
    (run.transforms.start(std::move(start)), ...);
    try {
      run.runtime.run_until_quiescent();
    } catch (const InternalError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(Misuse, ATransformStartedTwice) {
  TransformRun<double> run({.pes = 1}, is);
  const auto field = [&] { return run.transforms.field(0, 4, Route::forward); };
  EXPECT_NE(error_of(run, field(), field()).find("transform was started twice"), std::string::npos);
}

TEST_F(Misuse, TooFewNumbers) {
  TransformRun<double> run({.pes = 1}, is);
  auto field = make_message<FieldMessage>(16);
  EXPECT_NE(error_of(run, std::move(field)).find("too few numbers"), std::string::npos);
}

TEST_F(Misuse, ThereAndBackWithoutAFunctionOfTheWaves) {
  Runtime runtime({.pes = 1});
  const auto clients = runtime.create_array<Busy>({1}, [](const auto&) { return 0; });
  const TransformArray<double> transforms(
      runtime,
      {.plan = std::make_shared<const TransformPlan>(is.boxes), .pe = [](int) { return 0; }},
      fft::reply_to<&Busy::ready>(clients));
  transforms.start(transforms.field(0, 0, Route::there_and_back));
  EXPECT_THROW(runtime.run_until_quiescent(), InternalError);
}

TEST_F(Misuse, SettingsThatMakeNoArray) {
  Runtime runtime({.pes = 1});
  const auto clients = runtime.create_array<Busy>({2}, [](const auto&) { return 0; });
  const auto reply = fft::reply_to<&Busy::ready>(clients);
  const auto pe = [](int) { return 0; };
  const fft::Grid grid{4, 4, 4};
  const auto plan_of = [&](int parts) {
    return std::make_shared<const TransformPlan>(
        fft::TransformBoxes{grid, Kind::complex, slabs(grid, 0, parts), slabs(grid, 0, parts)});
  };
  using Transforms = TransformArray<double>;
  EXPECT_THROW(Transforms(runtime, {.plan = nullptr, .pe = pe}, reply), InputError);
  EXPECT_THROW(Transforms(runtime, {.plan = plan_of(2), .pe = {}}, reply), InputError);
  EXPECT_THROW(Transforms(runtime, {.plan = plan_of(3), .pe = pe}, reply), InputError);
  EXPECT_THROW(Transforms(runtime, {.plan = plan_of(2), .pe = pe, .window = 0}, reply), InputError);
  EXPECT_THROW(Transforms(runtime, {.plan = plan_of(2), .pe = pe, .batch = 0}, reply), InputError);
}

}  // namespace
}  // namespace fg::test
