// SPDX-License-Identifier: BSD-3-Clause
//
// The convolution in reciprocal space. The influence function turns waves of the charges into those
// of the potential. On virial steps it also gives energy and virial. Units: hartree, bohr.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/pencil_geometry.hpp"
#include "forces/mesh/influence.hpp"
#include "particles/step_kind.hpp"

namespace fg {

template <class Number>
struct MeshClient;
template <class Real>
struct MeshSetup;

/// What x-pencils need to know of a round.
struct MeshHead {
  std::int64_t step;
  StepKind kind;
  Box cell;
};

/// The waves of one x-pencil, [kz][kx][ky] and doubled (fft/pencils/pencil_lines.hpp).
template <class Real>
class MeshWaves {
 public:
  using Complex = std::complex<Real>;
  MeshWaves(const MeshClient<Real>& client, fft::PencilIndex index);

  /// Deposits energy and virial on a virial step; throws NumericsError if they are out of bounds.
  void change(std::int64_t round, const MeshHead& head, Complex* waves);

  /// Energy and virial of the waves of this pencil, before `convolve`.
  struct Sums {
    double energy = 0;
    Virial virial{};
  };
  Sums energies(const Complex* waves) noexcept;
  void convolve(Complex* waves) const noexcept;

 private:
  /// The influence function of another box; does nothing if it is the same.
  void set_box(const Box& box) noexcept;
  void make_factors() noexcept;
  void deposit(std::int64_t step, const Complex* waves);

  std::shared_ptr<const MeshSetup<Real>> setup_;
  fft::PencilIndex place_;
  Box box_;
  int nx_, nz_;
  fft::Range y_, kz_;
  std::unique_ptr<Influence> influence_;
  AlignedVector<Real> factor_;  // [kz][kx][ky][2], twice for the real and the imaginary part
  std::vector<double> energy_of_row_;
};

extern template class MeshWaves<float>;
extern template class MeshWaves<double>;

}  // namespace fg
