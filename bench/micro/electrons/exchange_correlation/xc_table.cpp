// SPDX-License-Identifier: BSD-3-Clause
//
// The engine's functionals beside libxc's own calls, on one core: 100,000 points like those of
// water on a grid, in blocks of 10,000, which stay in the second cache. Both take turns; printed
// are the medians of the rounds, in nanoseconds of processor time a point, and the spread of the
// ratio. Usage: xc_table [rounds]
#include <xc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "../../in_turns.hpp"
#include "base/aligned_vector.hpp"
#include "base/simd_targets.hpp"
#include "electrons/exchange_correlation/functional.hpp"
#include "hwy/targets.h"

namespace fg::electrons {
namespace {

using Array = AlignedVector<double>;

constexpr std::size_t points = 100000, block = 10000;

/// The time of the processor, so that other programs on the machine disturb less.
double seconds_of(const std::function<void()>& work, int times) {
  const std::clock_t start = std::clock();
  for (int i = 0; i < times; ++i) work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / times;
}

/// Densities from 1e-7 to 1, evenly in their logarithm, and reduced gradients s up to 3.
struct Grid {
  Array density = Array(points), sigma = Array(points);
  Array energy = Array(points), by_density = Array(points), by_sigma = Array(points);

  Grid() {
    std::mt19937_64 random(9);
    std::uniform_real_distribution<double> unit(0, 1);
    for (std::size_t i = 0; i < points; ++i) {
      density[i] = std::pow(10.0, -7 * unit(random));
      const double g = 3 * unit(random) * 6.187 * std::pow(density[i], 4.0 / 3);
      sigma[i] = g * g;
    }
  }
};

void own(const Functional& f, Grid& grid) {
  for (std::size_t i = 0; i < points; i += block) {
    const auto part = [&](Array& a) { return std::span(a.data() + i, block); };
    f.evaluate({part(grid.density), part(grid.sigma)},
               {part(grid.energy), part(grid.by_density), part(grid.by_sigma)});
  }
}

/// Two functionals of libxc, and the sum of their results.
class Libxc {
 public:
  Libxc(int exchange, int correlation) {
    if (xc_func_init(&terms_[0], exchange, XC_UNPOLARIZED) != 0 ||
        xc_func_init(&terms_[1], correlation, XC_UNPOLARIZED) != 0)
      std::abort();
  }
  void evaluate(Grid& grid) {
    for (std::size_t i = 0; i < points; i += block) {
      for (int t = 0; t < 2; ++t) {
        double* const e = t == 0 ? grid.energy.data() + i : energy_.data();
        double* const v = t == 0 ? grid.by_density.data() + i : by_density_.data();
        double* const s = t == 0 ? grid.by_sigma.data() + i : by_sigma_.data();
        const double* const rho = grid.density.data() + i;
        if (terms_[t].info->family == XC_FAMILY_GGA)
          xc_gga_exc_vxc(&terms_[t], block, rho, grid.sigma.data() + i, e, v, s);
        else
          xc_lda_exc_vxc(&terms_[t], block, rho, e, v);
      }
      for (std::size_t k = 0; k < block; ++k) {
        grid.energy[i + k] = (grid.energy[i + k] + energy_[k]) * grid.density[i + k];
        grid.by_density[i + k] += by_density_[k];
        grid.by_sigma[i + k] += by_sigma_[k];
      }
    }
  }

 private:
  xc_func_type terms_[2];
  Array energy_ = Array(block), by_density_ = Array(block), by_sigma_ = Array(block);
};

void compare(const char* name, int exchange, int correlation, int rounds) {
  const auto functional = make_functional(name);
  Libxc libxc(exchange, correlation);
  Grid grid, other;
  const auto seconds = bench::in_turns(
      {[&] { own(*functional, grid); }, [&] { libxc.evaluate(other); }}, rounds, 0.1, seconds_of);
  std::vector<double> ratios;
  for (int r = 0; r < rounds; ++r) ratios.push_back(seconds[1][r] / seconds[0][r]);
  const double per_point = 1e9 / points;
  std::printf("%-8s %8.2f %8.2f %8.2f   %.2f to %.2f\n", name,
              bench::median(seconds[0]) * per_point, bench::median(seconds[1]) * per_point,
              bench::median(ratios), *std::min_element(ratios.begin(), ratios.end()),
              *std::max_element(ratios.begin(), ratios.end()));
}

}  // namespace
}  // namespace fg::electrons

int main(int count, char** words) {
  const int rounds = count > 1 ? std::atoi(words[1]) : 7;
  std::printf("libxc %s, SIMD target %s; ns a point; %d rounds\n", XC_VERSION,
              hwy::TargetName(fg::simd_target_in_use()), rounds);
  std::printf("%-8s %8s %8s %8s   %s\n", "", "own", "libxc", "ratio", "spread");
  fg::electrons::compare("PZ81", XC_LDA_X, XC_LDA_C_PZ, rounds);
  fg::electrons::compare("PW92", XC_LDA_X, XC_LDA_C_PW, rounds);
  fg::electrons::compare("PBE", XC_GGA_X_PBE, XC_GGA_C_PBE, rounds);
  fg::electrons::compare("revPBE", XC_GGA_X_PBE_R, XC_GGA_C_PBE, rounds);
  fg::electrons::compare("BLYP", XC_GGA_X_B88, XC_GGA_C_LYP, rounds);
}
