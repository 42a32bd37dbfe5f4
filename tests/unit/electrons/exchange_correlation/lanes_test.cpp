// SPDX-License-Identifier: BSD-3-Clause
//
// The errors of the vector functions below the functionals, against long double.
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "unit/electrons/exchange_correlation/lanes_test.cpp"
// clang-format off: foreach_target.h must come before the code that is compiled once per target.
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "electrons/exchange_correlation/lanes-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

/// Function number `which` of `count` numbers; the arrays are filled up to whole vectors.
void apply(int which, const double* from, double* to, int count) {
  for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(Tag()))) {
    const Lanes x = load(from + i);
    const Lanes y = which == 0   ? inverse_cube_root(x)
                    : which == 1 ? log(x)
                    : which == 2 ? log1p(x)
                    : which == 3 ? exp(x)
                                 : expm1(x);
    store(y, to + i);
  }
}

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cmath>
#include <functional>
#include <random>

#include "support/each_simd_target.hpp"

namespace fg::electrons {
HWY_EXPORT(apply);
}

namespace fg::test {
namespace {

using XcLanes = EachSimdTarget;

/// The largest relative error in units of 2^-53, of numbers spread evenly from low to high, or with
/// `decades` their powers of ten.
double largest_error(int which, const std::function<long double(long double)>& right, double low,
                     double high, bool decades) {
  constexpr int count = 40000;  // a multiple of every vector's lanes
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> range(low, high);
  std::vector<double> from(count), to(count);
  for (double& x : from) x = decades ? std::pow(10.0, range(random)) : range(random);
  HWY_DYNAMIC_DISPATCH(electrons::apply)(which, from.data(), to.data(), count);
  long double worst = 0;
  for (int i = 0; i < count; ++i) {
    const long double value = right(from[i]);
    worst = std::max(worst, std::abs((to[i] - value) / value));
  }
  return static_cast<double>(worst * 0x1p53L);
}

// The limits are those of the head of lanes-inl.hpp.
TEST_P(XcLanes, InverseCubeRoot) {
  const auto right = [](long double x) { return 1 / std::cbrt(x); };
  EXPECT_LE(largest_error(0, right, -300, 300, true), 3);
}
TEST_P(XcLanes, Logarithm) {
  const auto right = [](long double x) { return std::log(x); };
  EXPECT_LE(largest_error(1, right, -10, 10, true), 4);
  EXPECT_LE(largest_error(1, right, 0.9, 1.1, false), 4);
}
TEST_P(XcLanes, LogarithmOfOneAndMore) {
  const auto right = [](long double x) { return std::log1p(x); };
  EXPECT_LE(largest_error(2, right, -30, 30, true), 4);
  EXPECT_LE(largest_error(2, right, 0, 4, false), 4);
}
TEST_P(XcLanes, Exponential) {
  const auto right = [](long double x) { return std::exp(x); };
  EXPECT_LE(largest_error(3, right, -700, 0, false), 3);
  EXPECT_LE(largest_error(3, right, -20, 1, true), 3);
}
TEST_P(XcLanes, ExponentialLessOne) {
  const auto right = [](long double x) { return std::expm1(x); };
  EXPECT_LE(largest_error(4, right, -20, 1.3, true), 5);
  EXPECT_LE(largest_error(4, right, 0, 8, false), 5);
}

FG_ON_EACH_SIMD_TARGET(XcLanes);

}  // namespace
}  // namespace fg::test
#endif
