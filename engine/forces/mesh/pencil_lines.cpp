// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/pencil_lines.hpp"

#include <algorithm>

#include "fft/real_pairs.hpp"
#include "forces/mesh/charge_lines.hpp"

namespace fg {

using fft::Direction;
using fft::GridBox;
using fft::LineBatch;
using fft::PencilGeometry;
using fft::PencilIndex;
using fft::Range;
using fft::Run;

// ----- z -----

namespace {

/// From contiguous lines to the order of waves; for the backward transform in and out are
/// exchanged.
LineBatch z_batch(int length, int pairs) {
  return {length, pairs, 1, {1, length, 0}, {pairs, 1, 0}};
}

LineBatch reversed(const LineBatch& b) {
  return {b.length, b.inner_count, b.outer_count, b.out, b.in};
}

}  // namespace

template <class Real>
ZLines<Real>::ZLines(const PencilGeometry& geometry, PencilIndex index)
    : geometry_(geometry),
      x_(geometry.x_part(index[0])),
      y_(geometry.y_part_of_z(index[1])),
      lines_(x_.size() * y_.size()),
      pairs_((lines_ + 1) / 2),
      forward_(z_batch(geometry.mesh()[2], pairs_), Direction::forward),
      backward_(reversed(z_batch(geometry.mesh()[2], pairs_)), Direction::backward) {
  const std::size_t points = static_cast<std::size_t>(pairs_) * geometry.mesh()[2];
  charges_.resize(2 * points + line_tail);
  space_.resize(points);
  waves_.resize(points);
  potential_.resize(2 * points);
}

namespace {

/// One stretch of rows: its beginning in the whole block, among the block's points in this pencil,
/// and among the lines. The distance between rows is a row of the block in the first two, and a
/// line of x in the third.
struct Stretch {
  std::size_t in_block;
  std::size_t in_share;
  std::size_t in_lines;
  int rows;
  int length;
};

}  // namespace

template <class Real>
template <class Visit>
void ZLines<Real>::for_each_stretch(const GridBox& block, Visit&& visit) const {
  const auto& [nx, ny, nz] = geometry_.mesh();
  const std::size_t row = block.size(2), plane = row * block.size(1);
  std::size_t share = 0;
  fft::for_each_run(block.range(0), nx, x_, [&](Run run_x) {
    for (int x = 0; x < run_x.size; ++x)
      fft::for_each_run(block.range(1), ny, y_, [&](Run run_y) {
        const std::size_t corner =
            (run_x.from + x - block.low[0]) * plane + (run_y.from - block.low[1]) * row;
        const std::size_t line =
            static_cast<std::size_t>(run_y.to - y_.begin) * x_.size() + (run_x.to + x - x_.begin);
        fft::for_each_run(block.range(2), nz, {0, nz}, [&](Run run_z) {
          const std::size_t z = run_z.from - block.low[2];
          visit(Stretch{corner + z, share + z, line * nz + run_z.to, run_y.size, run_z.size});
        });
        share += row * run_y.size;
      });
  });
}

template <class Real>
std::size_t ZLines<Real>::points_of(const GridBox& block) const noexcept {
  const auto& [nx, ny, nz] = geometry_.mesh();
  return static_cast<std::size_t>(fft::overlap(block.range(0), nx, x_)) *
         fft::overlap(block.range(1), ny, y_) * std::max(0, block.size(2));
}

template <class Real>
void ZLines<Real>::add_block(const GridBox& block, const Real* values) noexcept {
  const std::ptrdiff_t line_stride = static_cast<std::ptrdiff_t>(x_.size()) * geometry_.mesh()[2];
  for_each_stretch(block, [&](const Stretch& s) {
    add_charges<Real>({values + s.in_block, block.size(2)}, s.rows, s.length,
                      {charges_.data() + s.in_lines, line_stride});
  });
}

template <class Real>
void ZLines<Real>::copy_block(const GridBox& block, Real* values) const noexcept {
  const std::ptrdiff_t line_stride = static_cast<std::ptrdiff_t>(x_.size()) * geometry_.mesh()[2];
  for_each_stretch(block, [&](const Stretch& s) {
    copy_rows<Real>({potential_.data() + s.in_lines, line_stride}, s.rows, s.length,
                    {values + s.in_share, block.size(2)});
  });
}

template <class Real>
void ZLines<Real>::forward() noexcept {
  const std::size_t nz = geometry_.mesh()[2];
  for (int p = 0; p < pairs_; ++p)
    take_line_pair(charges_.data() + p * nz, charges_.data() + (p + pairs_) * nz,
                   static_cast<int>(nz), space_.data() + p * nz);
  forward_.execute(space_.data(), waves_.data());
}

template <class Real>
std::size_t ZLines<Real>::fragment_size(int j) const noexcept {
  return static_cast<std::size_t>(geometry_.kz_part(j).size()) * 2 * pairs_;
}

template <class Real>
void ZLines<Real>::give(int j, Complex* fragment) const noexcept {
  const int nz = geometry_.mesh()[2];
  const std::size_t pairs = pairs_;
  const Range kz = geometry_.kz_part(j);
  for (int k = kz.begin; k < kz.end; ++k, fragment += 2 * pairs)
    fft::split_row(waves_.data() + k * pairs, waves_.data() + fft::wrap(-k, nz) * pairs, pairs,
                   fragment, fragment + pairs);
}

template <class Real>
void ZLines<Real>::take(int j, const Complex* fragment) noexcept {
  const int nz = geometry_.mesh()[2];
  const std::size_t pairs = pairs_;
  const Range kz = geometry_.kz_part(j);
  for (int k = kz.begin; k < kz.end; ++k, fragment += 2 * pairs)
    fft::merge_row(fragment, fragment + pairs, pairs, waves_.data() + k * pairs,
                   waves_.data() + fft::wrap(-k, nz) * pairs);
}

template <class Real>
void ZLines<Real>::backward() noexcept {
  const std::size_t nz = geometry_.mesh()[2];
  backward_.execute(waves_.data(), space_.data());
  for (int p = 0; p < pairs_; ++p)
    part_line_pair(space_.data() + p * nz, static_cast<int>(nz), potential_.data() + p * nz,
                   potential_.data() + (p + pairs_) * nz);
}

// ----- y -----

namespace {

/// [kz][y][x] to [kz][ky][x], in place.
LineBatch y_batch(int length, int width, int planes) {
  const fft::LineLayout side_by_side{width, 1, length * width};
  return {length, width, planes, side_by_side, side_by_side};
}

}  // namespace

template <class Real>
YLines<Real>::YLines(const PencilGeometry& geometry, PencilIndex index)
    : geometry_(geometry),
      x_(geometry.x_part(index[0])),
      kz_(geometry.kz_part(index[1])),
      forward_(y_batch(geometry.mesh()[1], x_.size(), kz_.size()), Direction::forward),
      backward_(y_batch(geometry.mesh()[1], x_.size(), kz_.size()), Direction::backward) {
  lines_.resize(static_cast<std::size_t>(kz_.size()) * geometry.mesh()[1] * x_.size());
}

template <class Real>
std::size_t YLines<Real>::z_fragment_size(int j) const noexcept {
  const std::size_t lines = static_cast<std::size_t>(geometry_.y_part_of_z(j).size()) * x_.size();
  return (lines + 1) / 2 * 2 * kz_.size();
}

template <class Real>
std::size_t YLines<Real>::x_fragment_size(int i) const noexcept {
  return static_cast<std::size_t>(kz_.size()) * x_.size() * geometry_.y_part_of_x(i).size();
}

template <class Real>
void YLines<Real>::take_from_z(int j, const Complex* fragment) noexcept {
  const Range y = geometry_.y_part_of_z(j);
  const std::size_t row = static_cast<std::size_t>(y.size()) * x_.size();
  const std::size_t plane = static_cast<std::size_t>(geometry_.mesh()[1]) * x_.size();
  for (int k = 0; k < kz_.size(); ++k, fragment += (row + 1) / 2 * 2)
    std::copy_n(fragment, row, lines_.data() + k * plane + y.begin * x_.size());
}

template <class Real>
void YLines<Real>::give_to_z(int j, Complex* fragment) const noexcept {
  const Range y = geometry_.y_part_of_z(j);
  const std::size_t row = static_cast<std::size_t>(y.size()) * x_.size();
  const std::size_t plane = static_cast<std::size_t>(geometry_.mesh()[1]) * x_.size();
  for (int k = 0; k < kz_.size(); ++k) {
    fragment = std::copy_n(lines_.data() + k * plane + y.begin * x_.size(), row, fragment);
    if (row % 2 == 1) *fragment++ = Complex(0);
  }
}

template <class Real>
void YLines<Real>::forward() noexcept {
  forward_.execute(lines_.data(), lines_.data());
}

template <class Real>
void YLines<Real>::backward() noexcept {
  backward_.execute(lines_.data(), lines_.data());
}

template <class Real>
void YLines<Real>::give_to_x(int i, Complex* fragment) const noexcept {
  const Range y = geometry_.y_part_of_x(i);
  const std::size_t block = static_cast<std::size_t>(y.size()) * x_.size();
  const std::size_t plane = static_cast<std::size_t>(geometry_.mesh()[1]) * x_.size();
  for (int k = 0; k < kz_.size(); ++k, fragment += block)
    std::copy_n(lines_.data() + k * plane + y.begin * x_.size(), block, fragment);
}

template <class Real>
void YLines<Real>::take_from_x(int i, const Complex* fragment) noexcept {
  const Range y = geometry_.y_part_of_x(i);
  const std::size_t block = static_cast<std::size_t>(y.size()) * x_.size();
  const std::size_t plane = static_cast<std::size_t>(geometry_.mesh()[1]) * x_.size();
  for (int k = 0; k < kz_.size(); ++k, fragment += block)
    std::copy_n(fragment, block, lines_.data() + k * plane + y.begin * x_.size());
}

// ----- x -----

namespace {

/// [kz][y][x] to [kz][kx][y]: the transform also transposes.
LineBatch x_batch(int length, int width, int planes) {
  const int plane = length * width;
  return {length, width, planes, {1, length, plane}, {width, 1, plane}};
}

}  // namespace

template <class Real>
XLines<Real>::XLines(const PencilGeometry& geometry, PencilIndex index,
                     const MeshSettings& settings)
    : geometry_(geometry),
      box_(settings.box),
      y_(geometry.y_part_of_x(index[0])),
      kz_(geometry.kz_part(index[1])),
      influence_(settings),
      forward_(x_batch(geometry.mesh()[0], y_.size(), kz_.size()), Direction::forward),
      backward_(reversed(x_batch(geometry.mesh()[0], y_.size(), kz_.size())), Direction::backward) {
  const int nx = geometry.mesh()[0];
  const std::size_t points = static_cast<std::size_t>(kz_.size()) * y_.size() * nx;
  by_line_.resize(points);
  by_wave_.resize(points);
  factor_.resize(2 * points);
  energy_of_row_.resize(nx);
  make_factors();
}

template <class Real>
void XLines<Real>::set_box(const Box& box) noexcept {
  if (box == box_) return;
  box_ = box;
  influence_.set_box(box);
  make_factors();
}

template <class Real>
void XLines<Real>::make_factors() noexcept {
  const int nx = geometry_.mesh()[0];
  std::size_t at = 0;
  for (int kz = kz_.begin; kz < kz_.end; ++kz)
    for (int kx = 0; kx < nx; ++kx)
      for (int ky = y_.begin; ky < y_.end; ++ky, at += 2)
        // The pairing of lines doubles the spectrum.
        factor_[at] = factor_[at + 1] = static_cast<Real>(0.5 * influence_.value(kx, ky, kz));
}

template <class Real>
std::size_t XLines<Real>::fragment_size(int i) const noexcept {
  return static_cast<std::size_t>(kz_.size()) * geometry_.x_part(i).size() * y_.size();
}

template <class Real>
void XLines<Real>::take(int i, const Complex* fragment) noexcept {
  const Range x = geometry_.x_part(i);
  const int rows = kz_.size() * y_.size(), nx = geometry_.mesh()[0];
  copy_rows<Real>({reinterpret_cast<const Real*>(fragment), 2 * x.size()}, rows, 2 * x.size(),
                  {reinterpret_cast<Real*>(by_line_.data() + x.begin), 2 * nx});
}

template <class Real>
void XLines<Real>::give(int i, Complex* fragment) const noexcept {
  const Range x = geometry_.x_part(i);
  const int rows = kz_.size() * y_.size(), nx = geometry_.mesh()[0];
  copy_rows<Real>({reinterpret_cast<const Real*>(by_line_.data() + x.begin), 2 * nx}, rows,
                  2 * x.size(), {reinterpret_cast<Real*>(fragment), 2 * x.size()});
}

template <class Real>
void XLines<Real>::forward() noexcept {
  forward_.execute(by_line_.data(), by_wave_.data());
}

template <class Real>
typename XLines<Real>::Sums XLines<Real>::energies() noexcept {
  const int nx = geometry_.mesh()[0], nz = geometry_.mesh()[2];
  Sums sums;
  const std::size_t row = static_cast<std::size_t>(y_.size());
  for (int kz = kz_.begin; kz < kz_.end; ++kz) {
    const double both_signs = kz == 0 || 2 * kz == nz ? 1 : 2;
    for (int ky = y_.begin; ky < y_.end; ++ky) {
      std::size_t at = static_cast<std::size_t>(kz - kz_.begin) * nx * row + (ky - y_.begin);
      for (int kx = 0; kx < nx; ++kx, at += row) {
        const double re = by_wave_[at].real(), im = by_wave_[at].imag();
        // 1/2 G |Q|^2 with factor = G / 2 and twice Q.
        energy_of_row_[kx] = 0.25 * both_signs * factor_[2 * at] * (re * re + im * im);
        sums.energy += energy_of_row_[kx];
      }
      const Virial w = influence_.row_virial(ky, kz, energy_of_row_);
      for (int c = 0; c < 6; ++c) sums.virial[c] += w[c];
    }
  }
  return sums;
}

template <class Real>
void XLines<Real>::convolve() noexcept {
  Real* waves = reinterpret_cast<Real*>(by_wave_.data());
  const Real* factor = factor_.data();
  const std::size_t count =
      2 * static_cast<std::size_t>(kz_.size()) * y_.size() * geometry_.mesh()[0];
  for (std::size_t i = 0; i < count; ++i) waves[i] *= factor[i];
}

template <class Real>
void XLines<Real>::backward() noexcept {
  backward_.execute(by_wave_.data(), by_line_.data());
}

template class ZLines<float>;
template class ZLines<double>;
template class YLines<float>;
template class YLines<double>;
template class XLines<float>;
template class XLines<double>;

}  // namespace fg
