// SPDX-License-Identifier: BSD-3-Clause
//
// What moving orbitals do with all coefficients of one, each in one pass over memory, as in
// orbital_lines.hpp. Complex coefficients are pairs of real numbers, n of them. `masses` has the
// fictitious mass of each of these. Forces are -f H psi with the occupation f. `force_time` is f
// times the time for which they act. Hartree atomic units.
#pragma once

#include <cstddef>

namespace fg::ab_initio {

/// v -= force_time h / m; returns the sum of m |v|^2.
double kick_line(const double* h, const double* masses, double force_time, std::size_t n,
                 double* v) noexcept;

struct Drift {
  const double *h, *masses;
  double velocity_scale, force_time, timestep;
};
/// v = velocity_scale v - force_time h / m; moved = c + timestep v; pulled = c / m.
void drift_line(const Drift& of, const double* c, std::size_t n, double* v, double* moved,
                double* pulled) noexcept;
/// The same without forces of constraint: c += timestep v.
void free_drift_line(const Drift& of, std::size_t n, double* v, double* c) noexcept;

/// The forces of constraint have moved the coefficients by `by`: c = moved + by,
/// v += by / timestep.
void constrain_line(const double* moved, const double* by, double timestep, std::size_t n,
                    double* v, double* c) noexcept;

namespace reference {

double kick_line(const double* h, const double* masses, double force_time, std::size_t n,
                 double* v) noexcept;
void drift_line(const Drift& of, const double* c, std::size_t n, double* v, double* moved,
                double* pulled) noexcept;
void free_drift_line(const Drift& of, std::size_t n, double* v, double* c) noexcept;
void constrain_line(const double* moved, const double* by, double timestep, std::size_t n,
                    double* v, double* c) noexcept;

}  // namespace reference
}  // namespace fg::ab_initio
