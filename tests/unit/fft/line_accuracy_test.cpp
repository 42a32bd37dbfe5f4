// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels of lines against the plain recursion in long double, for every length up to 200 and
// some longer ones: on every SIMD target, for both precisions and directions, from and to every
// layout.
#include <cmath>
#include <limits>
#include <map>

#include "fft/lines/line_transform.hpp"
#include "fft/lines/plain_transform.hpp"
#include "support/each_simd_target.hpp"
#include "support/fft/lines.hpp"

namespace fg::fft::test {
namespace {

using fg::test::LineArray;
using fg::test::LineOrder;

using LineAccuracy = fg::test::EachSimdTarget;

/// Two groups of the longest vectors, and one line more.
constexpr int lines = 33;

using Spectra = std::vector<std::vector<LongComplex>>;

const Spectra& spectra_of(int n) {
  static std::map<int, Spectra> known;
  Spectra& spectra = known[n];
  for (int l = static_cast<int>(spectra.size()); l < lines; ++l) {
    std::vector<LongComplex> line(n);
    for (int k = 0; k < n; ++k) line[k] = LongComplex(fg::test::sample_point(n, l, k));
    spectra.push_back(plain_transform(line));
  }
  return spectra;
}

/// The error of the worst line, relative to its norm.
template <class Real>
double error_of(const LineArray<Real>& waves, Direction direction) {
  const Spectra& spectra = spectra_of(waves.length);
  const int n = waves.length;
  long double worst = 0;
  for (int l = 0; l < lines; ++l) {
    long double error = 0, norm = 0;
    for (int k = 0; k < n; ++k) {
      const LongComplex right = spectra[l][direction == Direction::forward ? k : (n - k) % n];
      error += std::norm(LongComplex(waves.at(l, k)) - right);
      norm += std::norm(right);
    }
    worst = std::max(worst, std::sqrt(error / norm));
  }
  return static_cast<double>(worst);
}

/// Roundings add up as a random walk over log2(n) levels, well below this bound. A convolution adds
/// up more of them; the largest error seen is a quarter of the bound for either.
template <class Real>
double bound(int n) {
  return 2 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * std::log2(n);
}

template <class Real>
void expect_accuracy(int n) {
  for (const LineOrder from : fg::test::line_orders)
    for (const LineOrder to : fg::test::line_orders)
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        LineArray<Real> in(n, lines, 1, fg::test::layout_of(from, n, lines, 1));
        LineArray<Real> out(n, lines, 1, fg::test::layout_of(to, n, lines, 1));
        fg::test::fill_with_samples(in, lines);
        LineTransform<Real>({n, lines, 1, in.layout, out.layout}, direction)
            .execute(in.data(), out.data());
        ASSERT_LE(error_of(out, direction), bound<Real>(n))
            << "length " << n << ", layouts " << static_cast<int>(from) << " "
            << static_cast<int>(to) << ", direction " << static_cast<int>(direction);
      }
}

TEST_P(LineAccuracy, AllLengthsUpTo200InFloat) {
  for (int n = 1; n <= 200; ++n) expect_accuracy<float>(n);
}
TEST_P(LineAccuracy, AllLengthsUpTo200InDouble) {
  for (int n = 1; n <= 200; ++n) expect_accuracy<double>(n);
}

/// Powers of each prime, three and four passes, primes whose neighbour is smooth (257) and is not
/// (509), lines too long for the stack (1331 to 2197, and the convolution of 577).
TEST_P(LineAccuracy, LongLines) {
  for (const int n : {243, 256, 257, 343, 509, 577, 1000, 1024, 1331, 2048, 2197}) {
    expect_accuracy<float>(n);
    expect_accuracy<double>(n);
  }
}

FG_ON_EACH_SIMD_TARGET(LineAccuracy);

}  // namespace
}  // namespace fg::fft::test
