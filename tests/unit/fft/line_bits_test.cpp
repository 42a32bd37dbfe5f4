// SPDX-License-Identifier: BSD-3-Clause
//
// A line has the same bits alone as in any batch, lane and layout, and in place; SIMD targets with
// fused multiply-adds (and the baseline) agree with each other, and so do those without. Nothing is
// written beside the lines.
#include <algorithm>
#include <map>
#include <utility>

#include "fft/lines/line_transform.hpp"
#include "support/each_simd_target.hpp"
#include "support/fft/lines.hpp"

namespace fg::fft::test {
namespace {

using fg::test::LineArray;
using fg::test::LineOrder;

using LineBits = fg::test::EachSimdTarget;

template <class Real>
using Waves = std::vector<std::complex<Real>>;

/// One transform of each kind: a copy, one pass, two passes with even and with odd numbers of
/// blocks, three passes, a convolution.
constexpr int lengths[] = {1, 2, 13, 16, 35, 63, 64, 72, 97, 100, 343};

template <class Real>
Waves<Real> alone(int n, int l, Direction direction) {
  LineArray<Real> line(n, 1, 1, {1, n, n});
  Waves<Real> waves(n);
  for (int k = 0; k < n; ++k) line.at(0, k) = fg::test::sample_point(n, l, k);
  LineTransform<Real>({n, 1, 1, line.layout, line.layout}, direction)
      .execute(line.data(), waves.data());
  return waves;
}

template <class Real>
void expect_bits(const LineArray<Real>& out, int l, const Waves<Real>& right) {
  for (int k = 0; k < out.length; ++k)
    ASSERT_EQ(out.at(l, k), right[k])
        << "length " << out.length << ", line " << l << ", wave " << k;
}

template <class Real>
void expect_untouched_beside(LineArray<Real>& out, int count) {
  for (int l = 0; l < count; ++l)
    for (int k = 0; k < out.length; ++k) out.at(l, k) = LineArray<Real>::untouched;
  for (const auto& value : out.values) ASSERT_EQ(value, LineArray<Real>::untouched);
}

template <class Real>
class Batches {
 public:
  Batches(int n, Direction direction) : n_(n), direction_(direction) {}

  void expect_same_bits(int inner, int outer, LineOrder from, LineOrder to) {
    LineArray<Real> in(n_, inner, outer, fg::test::layout_of(from, n_, inner, outer));
    LineArray<Real> out(n_, inner, outer, fg::test::layout_of(to, n_, inner, outer));
    fg::test::fill_with_samples(in, inner * outer);
    const auto before = in.values;
    LineTransform<Real>({n_, inner, outer, in.layout, out.layout}, direction_)
        .execute(in.data(), out.data());
    ASSERT_EQ(in.values, before);
    for (int l = 0; l < inner * outer; ++l) expect_bits<Real>(out, l, right(l));
    expect_untouched_beside(out, inner * outer);
    if (from != to) return;
    LineTransform<Real>({n_, inner, outer, in.layout, in.layout}, direction_)
        .execute(in.data(), in.data());
    for (int l = 0; l < inner * outer; ++l) expect_bits<Real>(in, l, right(l));
  }

 private:
  const Waves<Real>& right(int l) {
    for (int next = static_cast<int>(right_.size()); next <= l; ++next)
      right_.push_back(alone<Real>(n_, next, direction_));
    return right_[l];
  }

  int n_;
  Direction direction_;
  std::vector<Waves<Real>> right_;
};

template <class Real>
void expect_same_bits_in_all_batches() {
  for (const int n : lengths)
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      Batches<Real> batches(n, direction);
      for (const LineOrder from : fg::test::line_orders)
        for (const LineOrder to : fg::test::line_orders) {
          for (int inner = 1; inner <= 33; ++inner) batches.expect_same_bits(inner, 1, from, to);
          for (const auto& [inner, outer] : {std::pair{1, 33}, {3, 5}, {9, 4}, {18, 3}, {16, 2}})
            batches.expect_same_bits(inner, outer, from, to);
        }
    }
}

TEST_P(LineBits, OfAFloatLineAreThoseOfTheLineAlone) {
  expect_same_bits_in_all_batches<float>();
}
TEST_P(LineBits, OfADoubleLineAreThoseOfTheLineAlone) {
  expect_same_bits_in_all_batches<double>();
}

/// What earlier targets with, or without, fused multiply-adds gave.
template <class Real>
std::map<int, Waves<Real>>& seen(bool fused) {
  static std::map<int, Waves<Real>> of_kind[2];
  return of_kind[fused ? 1 : 0];
}

template <class Real>
void expect_bits_of_the_kind() {
  const bool fused = simd_target_rounds_once();
  for (const int n : lengths) {
    const Waves<Real> waves = alone<Real>(n, 0, Direction::forward);
    EXPECT_EQ(seen<Real>(fused).try_emplace(n, waves).first->second, waves) << "length " << n;
  }
}

TEST_P(LineBits, AreThoseOfAllTargetsWithTheSameMultiplyAdd) {
  expect_bits_of_the_kind<float>();
  expect_bits_of_the_kind<double>();
}

/// Lines of which only some elements are there, in reverse order, against lines with zeros instead;
/// and only some waves written.
template <class Real>
void expect_bits_with_places(int n, int inner, Direction direction, LineOrder order) {
  LineArray<Real> in(n, inner, 1, fg::test::layout_of(order, n, inner, 1)), padded = in, all = in;
  LineArray<Real> out(n, inner, 1, in.layout);
  fg::test::fill_with_samples(in, inner);
  std::vector<std::int64_t> from(n), to(n);
  for (int k = 0; k < n; ++k) {
    from[k] = k % 3 == 1 ? -1 : (n - 1 - k) * in.layout.stride;
    to[k] = k % 4 == 2 ? -1 : (n - 1 - k) * in.layout.stride;
    for (int l = 0; l < inner; ++l)
      padded.at(l, k) = from[k] < 0 ? std::complex<Real>(0) : in.at(l, n - 1 - k);
  }
  const LineTransform<Real> lines({n, inner, 1, in.layout, in.layout}, direction);
  lines.execute(padded.data(), all.data());
  lines.execute(in.data(), out.data(), {from.data(), to.data()});
  for (int l = 0; l < inner; ++l)
    for (int k = 0; k < n; ++k) {
      const auto right = to[k] < 0 ? LineArray<Real>::untouched : all.at(l, k);
      ASSERT_EQ(out.at(l, n - 1 - k), right)
          << "length " << n << ", line " << l << " of " << inner << ", wave " << k;
    }
  expect_untouched_beside(out, inner);
}

TEST_P(LineBits, OfLinesWithMissingElementsAreThoseOfLinesWithZeros) {
  for (const int n : lengths)
    for (const Direction direction : {Direction::forward, Direction::backward})
      for (const LineOrder order : fg::test::line_orders)
        for (const int inner : {1, 3, 8, 16, 33}) {
          expect_bits_with_places<float>(n, inner, direction, order);
          expect_bits_with_places<double>(n, inner, direction, order);
        }
}

FG_ON_EACH_SIMD_TARGET(LineBits);

}  // namespace
}  // namespace fg::fft::test
