// SPDX-License-Identifier: BSD-3-Clause
//
// The derivative along z of f = exp(sin z) on a periodic grid, in one process: a factor i k between
// a transform forward and one back. Prints the largest error; exit status 1 if it is not small.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <finegrain/fft/rank_transform.hpp>
#include <numbers>
#include <vector>

int main() {
  using namespace fg::fft;
  using Complex = std::complex<double>;
  const Grid grid{4, 6, 32};
  const Grid waves = waves_of(grid, Kind::real);
  const auto plan = std::make_shared<const TransformPlan>(
      TransformBoxes{grid, Kind::real, {whole(grid)}, {whole(waves)}, {}});
  const Layout points = dense(whole(grid)), spectrum = dense(whole(waves));
  RankTransform<double> transform(plan, 0, {points, points.extent()},
                                  {spectrum, spectrum.extent()});

  std::vector<double> f(points.extent());
  std::vector<Complex> c(spectrum.extent());
  const auto z_of = [&](std::size_t i) {
    return 2 * std::numbers::pi * static_cast<double>(i % 32) / grid[2];
  };
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = std::exp(std::sin(z_of(i)));
  transform.begin(Direction::forward, f.data(), c.data());  // one rank: done at once
  for (std::size_t i = 0; i < c.size(); ++i) {
    const auto k = static_cast<double>(i % static_cast<std::size_t>(waves[2]));
    c[i] *= Complex(0, k < grid[2] / 2.0 ? k : 0) / static_cast<double>(f.size());
  }
  transform.begin(Direction::backward, c.data(), f.data());
  double largest = 0;
  for (std::size_t i = 0; i < f.size(); ++i)
    largest = std::max(largest, std::abs(f[i] - std::cos(z_of(i)) * std::exp(std::sin(z_of(i)))));
  std::printf("largest error %.1e\n", largest);
  return largest < 1e-12 ? 0 : 1;
}
