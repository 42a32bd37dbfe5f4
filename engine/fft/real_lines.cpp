// SPDX-License-Identifier: BSD-3-Clause
#include "fft/real_lines.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace fg::fft {

namespace {

LineBatch dense_lines(int length, int lines) {
  return {length, lines, 1, {1, length, 0}, {1, length, 0}};
}

}  // namespace

template <class Real>
RealLines<Real>::RealLines(int length, int lines)
    : length_(length),
      lines_(lines),
      inner_(length % 2 == 0 ? length / 2 : length),
      forward_(dense_lines(inner_, lines), Direction::forward),
      backward_(dense_lines(inner_, lines), Direction::backward) {
  const std::size_t points = static_cast<std::size_t>(lines) * static_cast<std::size_t>(inner_);
  work_.resize(points);
  if (length % 2 == 1) more_work_.resize(points);
  for (int k = 0; k < waves(); ++k) {
    const double angle = -2 * std::numbers::pi * k / length;
    turn_.emplace_back(static_cast<Real>(std::cos(angle)), static_cast<Real>(std::sin(angle)));
  }
}

template <class Real>
void RealLines<Real>::forward_even(const Real* in, Complex* out) noexcept {
  const int m = inner_;
  forward_.execute(reinterpret_cast<const Complex*>(in), work_.data());
  const Real half = Real(0.5);
  for (int line = 0; line < lines_; ++line) {
    const Complex* z = work_.data() + static_cast<std::size_t>(line) * m;
    Complex* x = out + static_cast<std::size_t>(line) * waves();
    x[0] = {z[0].real() + z[0].imag(), 0};
    x[m] = {z[0].real() - z[0].imag(), 0};
    for (int k = 1; k < m; ++k) {
      const Real ar = z[k].real(), ai = z[k].imag(), br = z[m - k].real(), bi = z[m - k].imag();
      const Real even_r = half * (ar + br), even_i = half * (ai - bi);
      const Real odd_r = half * (ai + bi), odd_i = half * (br - ar);
      const Real c = turn_[k].real(), s = turn_[k].imag();
      x[k] = {even_r + (c * odd_r - s * odd_i), even_i + (c * odd_i + s * odd_r)};
    }
  }
}

template <class Real>
void RealLines<Real>::backward_even(const Complex* in, Real* out) noexcept {
  const int m = inner_;
  for (int line = 0; line < lines_; ++line) {
    const Complex* x = in + static_cast<std::size_t>(line) * waves();
    Complex* z = work_.data() + static_cast<std::size_t>(line) * m;
    z[0] = {x[0].real() + x[m].real(), x[0].real() - x[m].real()};
    for (int k = 1; k < m; ++k) {
      const Real ar = x[k].real(), ai = x[k].imag(), br = x[m - k].real(), bi = x[m - k].imag();
      const Real even_r = ar + br, even_i = ai - bi, odd_r = ar - br, odd_i = ai + bi;
      const Real c = turn_[k].real(), s = turn_[k].imag();
      // i times the conjugate of the turn times the odd part
      const Real turned_r = c * odd_r + s * odd_i, turned_i = c * odd_i - s * odd_r;
      z[k] = {even_r - turned_i, even_i + turned_r};
    }
  }
  backward_.execute(work_.data(), reinterpret_cast<Complex*>(out));
}

template <class Real>
void RealLines<Real>::forward(const Real* in, Complex* out) noexcept {
  if (length_ % 2 == 0) return forward_even(in, out);
  const std::size_t points = work_.size(), n = static_cast<std::size_t>(length_);
  for (std::size_t i = 0; i < points; ++i) work_[i] = in[i];
  forward_.execute(work_.data(), more_work_.data());
  for (int line = 0; line < lines_; ++line) {
    const Complex* all = more_work_.data() + static_cast<std::size_t>(line) * n;
    Complex* kept = out + static_cast<std::size_t>(line) * waves();
    kept[0] = all[0].real();
    for (int k = 1; k < waves(); ++k) kept[k] = all[k];
  }
}

template <class Real>
void RealLines<Real>::backward(const Complex* in, Real* out) noexcept {
  if (length_ % 2 == 0) return backward_even(in, out);
  const std::size_t points = work_.size(), n = static_cast<std::size_t>(length_);
  for (int line = 0; line < lines_; ++line) {
    const Complex* kept = in + static_cast<std::size_t>(line) * waves();
    Complex* all = work_.data() + static_cast<std::size_t>(line) * n;
    all[0] = kept[0].real();
    for (int k = 1; k < waves(); ++k) {
      all[k] = kept[k];
      all[length_ - k] = std::conj(kept[k]);
    }
  }
  backward_.execute(work_.data(), more_work_.data());
  for (std::size_t i = 0; i < points; ++i) out[i] = more_work_[i].real();
}

template class RealLines<float>;
template class RealLines<double>;

}  // namespace fg::fft
