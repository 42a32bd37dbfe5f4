// SPDX-License-Identifier: BSD-3-Clause
//
// Cells, half spheres of waves and random coefficients for tests of engine/electrons.
#pragma once

#include <complex>
#include <random>
#include <vector>

#include "electrons/waves/plane_waves.hpp"
#include "fft/sphere/sphere_plan.hpp"
#include "support/strain.hpp"

namespace fg::test {

inline const electrons::Lattice skewed = {
    {Vec3{9.1, 0.3, -0.8}, Vec3{-1.7, 8.2, 0.6}, Vec3{2.1, -1.4, 10.3}}};

inline electrons::Lattice cubic(double a) {
  return {{Vec3{a, 0, 0}, Vec3{0, a, 0}, Vec3{0, 0, a}}};
}

/// All waves up to a length, or those of one of several ranks.
inline electrons::PlaneWaves waves_up_to(const electrons::Lattice& lattice, double cutoff,
                                         int ranks = 1, int rank = 0) {
  const fft::Grid grid{64, 64, 64};
  const fft::SpherePlan plan({grid, lattice.reciprocal_rows(), cutoff, fft::SphereKind::half},
                             fft::boxes_for_sphere(grid, ranks));
  return {lattice, plan.indices_of(rank)};
}

/// The same indices in a strained cell. The component is one of a virial.
inline electrons::PlaneWaves strained(const electrons::PlaneWaves& waves, int component,
                                      double strain) {
  electrons::Lattice lattice = waves.lattice();
  for (Vec3& v : lattice.vectors) v = strained(v, component, strain);
  return {lattice, {waves.indices().begin(), waves.indices().end()}};
}

/// Random, real at G = 0.
inline std::vector<std::complex<double>> random_waves(const electrons::PlaneWaves& waves,
                                                      unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<std::complex<double>> values(waves.size());
  for (auto& c : values) c = {normal(random), normal(random)};
  if (waves.zero() >= 0) values[waves.zero()] = values[waves.zero()].real();
  return values;
}

}  // namespace fg::test
