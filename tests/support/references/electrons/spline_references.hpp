// SPDX-License-Identifier: BSD-3-Clause
//
// Plain twins of functions of `electrons/splines`, with the phase of each wave at each ion from its
// own splines.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "electrons/splines/ion_splines.hpp"
#include "support/references/electrons/projector_references.hpp"

namespace fg::electrons::reference {

/// The right side of the formula of `spline_phase.hpp` and its derivative by u, point by point.
struct SplinePhase {
  std::complex<double> value, slope;
};
SplinePhase spline_phase(int order, int points, int k, double u);

/// The same along three axes: exp(i G . R) and its gradient by R.
IonPhases spline_phases(const PlaneWaves& waves, const fft::Grid& grid, int order);

/// IonSplines::gather over all points of the whole grid, plane by plane.
SplineSums gather(const Lattice& lattice, const fft::Grid& grid, int order, const Vec3& position,
                  IonSplines::Field points);

struct SplineFieldValues {
  std::vector<std::complex<double>> field;
  std::vector<Vec3> forces;
  Virial virial{};
};
/// SplineField by sums over the waves of a half sphere and over the ions.
SplineFieldValues spline_field(const PlaneWaves& waves, const fft::Grid& grid, int order,
                               const std::vector<RadialWaves>& kinds,
                               std::span<const int> kind_of_ion, std::span<const Vec3> positions,
                               IonField::Waves partner);

/// SplineProjectors by sums over waves.
Nonlocal spline_nonlocal(const PlaneWaves& waves, const fft::Grid& grid, int order,
                         const std::vector<ProjectorKind>& kinds, std::span<const int> kind_of_ion,
                         std::span<const Vec3> positions, Projectors::Block block,
                         std::size_t orbitals, double occupation);

}  // namespace fg::electrons::reference
