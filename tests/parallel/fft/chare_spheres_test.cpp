// SPDX-License-Identifier: BSD-3-Clause
//
// Sphere transforms by chares of one process: the bits are those of one rank for any PEs, parts and
// boxes; misuse is an error.
#include "support/fft/chare_spheres.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fg::test {
namespace {

class ChareSpheres : public ::testing::TestWithParam<int> {};

TEST_P(ChareSpheres, HaveTheBitsOfOneRank) {
  for (const SphereCase& is : sphere_cases()) {
    SCOPED_TRACE("case " + std::to_string(is.pe_seed));
    SphereRun<double> run({.pes = GetParam()}, is);
    run.run();
    run.run();  // numbers go on
    SphereRun<float>({.pes = GetParam()}, is).run();
  }
}

INSTANTIATE_TEST_SUITE_P(Pes, ChareSpheres, ::testing::Values(1, 2, 3, 4, 8),
                         ::testing::PrintToStringParamName());

TEST(ChareSphereMisuse, IsAnError) {
  const SphereCase is = sphere_cases()[0];
  const auto fails = [&](Ref<const FieldMessage> start) {
    SphereRun<double> run({.pes = 1}, is);
    run.spheres.start(std::move(start));
    EXPECT_THROW(run.runtime.run_until_quiescent(), InternalError);
  };
  fails(make_message<FieldMessage>(16));  // too few numbers
  const auto wrong = [&](fft::SphereSettings<double> settings) {
    Runtime runtime({.pes = 1});
    const auto clients = runtime.create_array<SphereClient<double>>(
        {1}, [](const auto&) { return 0; },
        [&](const auto&) {
          return std::make_unique<SphereClient<double>>(std::make_shared<const SphereCase>(is));
        });
    const auto reply = fft::reply_to<&SphereClient<double>::ready>(clients);
    EXPECT_THROW(fft::SphereArray<double>(runtime, std::move(settings), reply), InputError);
  };
  const auto pe = [](int, int) { return 0; };
  wrong({});
  wrong({.plan = is.plan(is.points)});
  wrong({.plan = is.plan(is.points), .pe = pe, .window = 0});
  wrong({.plan = is.plan(is.points), .pe = pe, .batch = 0});
  wrong({.plan = is.plan(fft::slabs(is.grid, 2, 2)), .pe = pe});  // two parts for one client
}

}  // namespace
}  // namespace fg::test
