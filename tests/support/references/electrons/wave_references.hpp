// SPDX-License-Identifier: BSD-3-Clause
//
// Plain twins of functions of `electrons/waves`. Each does what the engine's function of the same
// name does, wave by wave and point by point.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "electrons/waves/effective_cutoff.hpp"
#include "electrons/waves/fictitious_mass.hpp"
#include "electrons/waves/nearest_image.hpp"
#include "electrons/waves/radial_table.hpp"
#include "electrons/waves/wave_virial.hpp"

namespace fg::electrons::reference {

/// q by the integral of its slope from 0, by Simpson's rule with so many pairs of intervals.
double effective_square(const EffectiveCutoff& cutoff, double square, int pairs) noexcept;

double fictitious_kinetic_energy(std::span<const double> masses, std::ptrdiff_t zero,
                                 std::span<const std::complex<double>> velocities) noexcept;

/// The values alone, by Legendre functions of the polar angle.
std::vector<double> solid_harmonics(int l, const Vec3& r);

/// The sum over all G of |G|^2 |c|^2 / 2; `squares` and `coefficients` [waves].
double kinetic_energy(std::span<const double> squares,
                      std::span<const std::complex<double>> coefficients) noexcept;
void add_kinetic_virial(const PlaneWaves& waves, std::span<const std::complex<double>> block,
                        std::size_t orbitals, double occupation, Virial& virial,
                        std::span<const double> slopes = {});

/// By a look at all images up to four vectors away.
Vec3 nearest_image(const Lattice& lattice, const Vec3& r);

/// RadialTable::at by the sum over points of the products of Lagrange's form, with the same errors.
RadialValue radial_value(std::span<const double> values, double spacing, int l, double length);

}  // namespace fg::electrons::reference
