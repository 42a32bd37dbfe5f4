// SPDX-License-Identifier: BSD-3-Clause
//
// Several threads use one plan of lines at the same time, and make plans at the same time.
#include <gtest/gtest.h>

#include <complex>
#include <thread>
#include <vector>

#include "fft/lines/line_transform.hpp"
#include "support/fft/lines.hpp"

namespace fg::fft::test {
namespace {

using fg::test::LineArray;
using fg::test::LineOrder;
using Waves = std::vector<std::complex<double>>;

Waves transformed(int n) {
  LineArray<double> line(n, 1, 1, {1, n, n});
  fg::test::fill_with_samples(line, 1);
  Waves waves(n);
  LineTransform<double>({n, 1, 1, line.layout, line.layout}, Direction::forward)
      .execute(line.data(), waves.data());
  return waves;
}

/// 3000 points are too many for the stack, so that the threads share the memory of the plan.
TEST(OneLinePlan, ServesSeveralThreadsAtTheSameTime) {
  for (const int n : {64, 97, 3000}) {
    constexpr int count = 5, threads = 4, times = 20;
    LineArray<float> in(n, count, 1, fg::test::layout_of(LineOrder::side_by_side, n, count, 1));
    fg::test::fill_with_samples(in, count);
    const LineTransform<float> plan({n, count, 1, in.layout, in.layout}, Direction::forward);
    LineArray<float> right = in;
    plan.execute(in.data(), right.data());
    std::vector<LineArray<float>> outs(threads, in);
    std::vector<std::thread> workers;
    for (auto& out : outs)
      workers.emplace_back([&out, &in, copy = plan] {
        for (int i = 0; i < times; ++i) copy.execute(in.data(), out.data());
      });
    for (auto& worker : workers) worker.join();
    for (const auto& out : outs) EXPECT_EQ(out.values, right.values);
  }
}

/// Several threads ask for plans that no one has made before.
TEST(LinePlans, AreMadeByThreadsThatDoNotWait) {
  constexpr int first = 301, last = 330;
  std::vector<std::thread> workers;
  std::vector<std::vector<Waves>> found(3);
  for (auto& waves : found)
    workers.emplace_back([&waves] {
      for (int n = first; n <= last; ++n) waves.push_back(transformed(n));
    });
  for (auto& worker : workers) worker.join();
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

}  // namespace
}  // namespace fg::fft::test
