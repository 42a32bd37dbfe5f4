// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/orbitals/motion_lines.hpp"

namespace fg::ab_initio::reference {

double kick_line(const double* h, const double* masses, double force_time, std::size_t n,
                 double* v) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    v[i] -= force_time * h[i] / masses[i];
    sum += masses[i] * v[i] * v[i];
  }
  return sum;
}

void drift_line(const Drift& of, const double* c, std::size_t n, double* v, double* moved,
                double* pulled) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = of.velocity_scale * v[i] - of.force_time * of.h[i] / of.masses[i];
    moved[i] = c[i] + of.timestep * v[i];
    pulled[i] = c[i] / of.masses[i];
  }
}

void free_drift_line(const Drift& of, std::size_t n, double* v, double* c) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = of.velocity_scale * v[i] - of.force_time * of.h[i] / of.masses[i];
    c[i] += of.timestep * v[i];
  }
}

void constrain_line(const double* moved, const double* by, double timestep, std::size_t n,
                    double* v, double* c) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    c[i] = moved[i] + by[i];
    v[i] += by[i] / timestep;
  }
}

}  // namespace fg::ab_initio::reference
