// SPDX-License-Identifier: BSD-3-Clause
//
// The arithmetic of one pencil of each kind, without the messages: input, transform, output.
// Fragments are complex blocks [kz][...], divided as described in fft/pencil_geometry.hpp:
//   z <-> y   [kz][row], row = lines (y slow, x fast) of the z-pencil, padded to an even number
//   y <-> x   [kz][y][x]
// Values are charges on the way in, and the potential [hartree/e] on the way back.
#pragma once

#include <complex>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/grid_box.hpp"
#include "fft/line_transform.hpp"
#include "fft/pencil_geometry.hpp"
#include "forces/mesh/influence.hpp"

namespace fg {

/// Real lines along z, two in one complex transform.
template <class Real>
class ZLines {
 public:
  using Complex = std::complex<Real>;
  ZLines(const fft::PencilGeometry& geometry, fft::PencilIndex index);

  /// The number of values of `block` in this pencil; the block may extend over the mesh's edges.
  std::size_t points_of(const fft::GridBox& block) const noexcept;
  /// Adds the charges of those points; `values` is the whole block, z fastest.
  void add_block(const fft::GridBox& block, const Real* values) noexcept;
  void forward() noexcept;
  std::size_t fragment_size(int j) const noexcept;
  /// The part of the spectrum, doubled, that goes to y-pencil j.
  void give(int j, Complex* fragment) const noexcept;

  void take(int j, const Complex* fragment) noexcept;
  void backward() noexcept;
  /// The potential at those points only: for each x and y in this pencil, ascending, all z.
  void copy_block(const fft::GridBox& block, Real* values) const noexcept;

 private:
  template <class Visit>
  void for_each_stretch(const fft::GridBox& block, Visit&& visit) const;

  fft::PencilGeometry geometry_;
  fft::Range x_, y_;
  int lines_, pairs_;
  fft::LineTransform<Real> forward_, backward_;
  AlignedVector<std::int64_t> charges_;  // [2 * pairs][nz], zero between steps
  AlignedVector<Complex> space_;         // [pairs][nz]
  AlignedVector<Complex> waves_;         // [nz][pairs]
  AlignedVector<Real> potential_;        // [2 * pairs][nz]
};

template <class Real>
class YLines {
 public:
  using Complex = std::complex<Real>;
  YLines(const fft::PencilGeometry& geometry, fft::PencilIndex index);

  std::size_t z_fragment_size(int j) const noexcept;  // exchanged with z-pencil j
  std::size_t x_fragment_size(int i) const noexcept;  // exchanged with x-pencil i

  void take_from_z(int j, const Complex* fragment) noexcept;
  void forward() noexcept;
  void give_to_x(int i, Complex* fragment) const noexcept;

  void take_from_x(int i, const Complex* fragment) noexcept;
  void backward() noexcept;
  void give_to_z(int j, Complex* fragment) const noexcept;

 private:
  fft::PencilGeometry geometry_;
  fft::Range x_, kz_;
  fft::LineTransform<Real> forward_, backward_;
  AlignedVector<Complex> lines_;  // [kz][y][x], then [kz][ky][x]
};

/// Lines along x, and the convolution between their two transforms.
template <class Real>
class XLines {
 public:
  using Complex = std::complex<Real>;
  XLines(const fft::PencilGeometry& geometry, fft::PencilIndex index, const MeshSettings& settings);

  std::size_t fragment_size(int i) const noexcept;  // exchanged with y-pencil i

  void take(int i, const Complex* fragment) noexcept;
  void forward() noexcept;
  /// Energy and virial of the waves of this pencil, from the spectrum before `convolve`.
  struct Sums {
    double energy = 0;
    Virial virial{};
  };
  Sums energies() noexcept;
  void convolve() noexcept;
  void backward() noexcept;
  void give(int i, Complex* fragment) const noexcept;

  /// The influence function of another box; does nothing if it is the same.
  void set_box(const Box& box) noexcept;
  const Box& box() const noexcept { return box_; }

 private:
  void make_factors() noexcept;

  fft::PencilGeometry geometry_;
  Box box_;
  fft::Range y_, kz_;
  Influence influence_;
  fft::LineTransform<Real> forward_, backward_;
  AlignedVector<Complex> by_line_;  // [kz][y][x]
  AlignedVector<Complex> by_wave_;  // [kz][kx][y]
  AlignedVector<Real> factor_;      // [kz][kx][y][2], twice for the real and the imaginary part
  std::vector<double> energy_of_row_;
};

extern template class ZLines<float>;
extern template class ZLines<double>;
extern template class YLines<float>;
extern template class YLines<double>;
extern template class XLines<float>;
extern template class XLines<double>;

}  // namespace fg
