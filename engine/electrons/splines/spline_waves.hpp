// SPDX-License-Identifier: BSD-3-Clause
//
// The waves of projectors by splines, on one share. A channel is one row of the projectors of one
// kind of ion. With F(G) = V^(-1/2) i^l q(|G|) Y_lm(G) d(G), where d is that of spline_phase.hpp,
//   P(n) = sum_G F(G) c(G) exp(2 pi i G . n / N)    at the points of a small grid,
//   Z(I) = sum_n W(n; R_I) P(n)                     for the ions of the kind,
//   Q(n) = sum_I (D Z)(I) W(n; R_I),   H psi(G) += F(G)* sum_n Q(n) exp(-2 pi i G . n / N).
// These are two transforms of a real field for each channel and orbital. A product of matrices
// takes as many operations as there are ions. The energy is f sum Z D Z as in projectors.hpp, and
// its derivatives are exact. Units: hartree, bohr. Source: Lee, Tuckerman and Martyna, ChemPhysChem
// 6, 1827 (2005).
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "electrons/ions/ion_waves.hpp"
#include "electrons/nonlocal/projector_coupling.hpp"
#include "electrons/splines/spline_phase.hpp"

namespace fg::electrons {

struct SplineChannel {
  int kind;
  std::size_t row;  // of the kind
};

/// The channels of all kinds of which there are ions, kind by kind.
std::vector<SplineChannel> spline_channels(const std::vector<ProjectorKind>& kinds,
                                           std::span<const int> kind_of_ion);

class SplineWaves {
 public:
  using Number = std::complex<double>;
  using Waves = std::span<const Number>;

  /// Waves and kinds must outlive it. Throws as IonWaves and euler_factors do.
  SplineWaves(const PlaneWaves& waves, const std::vector<ProjectorKind>& kinds,
              const fft::Grid& grid, int order);

  /// Writes F c of one orbital [waves].
  void write(const SplineChannel& channel, Waves orbital, std::span<Number> out) const noexcept;
  /// Adds F* times the transform of Q to H psi of one orbital [waves].
  void add_applied(const SplineChannel& channel, Waves field, std::span<Number> applied) const;
  /// For a virial: adds w Re(i^l d c Q*) [waves].
  void add_weights(const SplineChannel& channel, Waves orbital, Waves field,
                   std::span<double> weights) const;
  /// Adds minus the derivative of the energy by the strain, for a kind with this occupation.
  /// `weights` [rows][waves] are those of all its rows.
  void add_virial(int kind, std::span<const double> weights, double occupation,
                  Virial& virial) const;

  std::size_t rows(int kind) const noexcept { return ion_waves_.rows(kind); }
  std::size_t size() const noexcept { return factors_.size(); }
  const Lattice& lattice() const noexcept { return ion_waves_.waves().lattice(); }

 private:
  IonWaves ion_waves_;
  std::vector<double> factors_;  // d [waves]
};

}  // namespace fg::electrons
