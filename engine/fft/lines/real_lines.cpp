// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines/real_lines.hpp"

#include <algorithm>
#include <cstddef>

namespace fg::fft {

namespace {

constexpr std::size_t work_bytes = std::size_t{64} << 10;
constexpr int whole_vectors = 16;  // lines; a multiple of the lanes of all targets

/// How many lines of `length` complex numbers go together.
template <class Real>
int lines_together(int length, int lines) {
  const std::size_t bytes = sizeof(std::complex<Real>) * static_cast<std::size_t>(length);
  const auto fit = static_cast<int>(work_bytes / bytes) / whole_vectors * whole_vectors;
  return std::min(lines, std::max(fit, whole_vectors));
}

LineBatch dense_lines(int length, int lines) {
  return {length, lines, 1, {1, length, 0}, {1, length, 0}};
}

}  // namespace

template <class Real>
RealLines<Real>::RealLines(int length, int lines)
    : length_(length),
      lines_(lines),
      inner_(length % 2 == 0 ? length / 2 : length),
      usual_(part_of(lines_together<Real>(inner_, lines))),
      last_(part_of(lines - (lines - 1) / usual_.lines * usual_.lines)),
      to_waves_(length, MirrorFactors<Real>::Way::to_waves),
      to_points_(length, MirrorFactors<Real>::Way::to_points) {
  const std::size_t points =
      static_cast<std::size_t>(usual_.lines) * static_cast<std::size_t>(inner_);
  work_.resize(points);
  if (length % 2 == 1) more_work_.resize(points);
}

template <class Real>
auto RealLines<Real>::part_of(int lines) const -> Part {
  return {lines,
          {dense_lines(inner_, lines), Direction::forward},
          {dense_lines(inner_, lines), Direction::backward}};
}

template <class Real>
template <class Each>
void RealLines<Real>::for_each_part(Each&& each) {
  for (int first = 0; first < lines_; first += usual_.lines)
    each(lines_ - first > last_.lines ? usual_ : last_, static_cast<std::size_t>(first));
}

template <class Real>
void RealLines<Real>::forward_even(const Part& part, const Real* in, Complex* out) noexcept {
  const auto m = static_cast<std::size_t>(inner_);
  part.forward.execute(reinterpret_cast<const Complex*>(in), work_.data());
  for (int line = 0; line < part.lines; ++line, out += m + 1) {
    const Complex* const z = work_.data() + static_cast<std::size_t>(line) * m;
    out[0] = {z[0].real() + z[0].imag(), 0};
    out[m] = {z[0].real() - z[0].imag(), 0};
    mirror_waves(to_waves_, z, out);
  }
}

template <class Real>
void RealLines<Real>::backward_even(const Part& part, const Complex* in, Real* out) noexcept {
  const auto m = static_cast<std::size_t>(inner_);
  for (int line = 0; line < part.lines; ++line, in += m + 1) {
    Complex* const z = work_.data() + static_cast<std::size_t>(line) * m;
    z[0] = {in[0].real() + in[m].real(), in[0].real() - in[m].real()};
    mirror_waves(to_points_, in, z);
  }
  part.backward.execute(work_.data(), reinterpret_cast<Complex*>(out));
}

template <class Real>
void RealLines<Real>::forward_odd(const Part& part, const Real* in, Complex* out) noexcept {
  const auto n = static_cast<std::size_t>(length_), kept = static_cast<std::size_t>(waves());
  const std::size_t points = n * static_cast<std::size_t>(part.lines);
  for (std::size_t i = 0; i < points; ++i) work_[i] = in[i];
  part.forward.execute(work_.data(), more_work_.data());
  for (int line = 0; line < part.lines; ++line, out += kept) {
    const Complex* const all = more_work_.data() + static_cast<std::size_t>(line) * n;
    out[0] = all[0].real();
    std::copy(all + 1, all + kept, out + 1);
  }
}

template <class Real>
void RealLines<Real>::backward_odd(const Part& part, const Complex* in, Real* out) noexcept {
  const auto n = static_cast<std::size_t>(length_), kept = static_cast<std::size_t>(waves());
  const std::size_t points = n * static_cast<std::size_t>(part.lines);
  for (int line = 0; line < part.lines; ++line, in += kept) {
    Complex* const all = work_.data() + static_cast<std::size_t>(line) * n;
    all[0] = in[0].real();
    for (std::size_t k = 1; k < kept; ++k) {
      all[k] = in[k];
      all[n - k] = std::conj(in[k]);
    }
  }
  part.backward.execute(work_.data(), more_work_.data());
  for (std::size_t i = 0; i < points; ++i) out[i] = more_work_[i].real();
}

template <class Real>
void RealLines<Real>::forward(const Real* in, Complex* out) noexcept {
  for_each_part([&](const Part& part, std::size_t first) {
    const Real* const from = in + first * static_cast<std::size_t>(length_);
    Complex* const to = out + first * static_cast<std::size_t>(waves());
    length_ % 2 == 0 ? forward_even(part, from, to) : forward_odd(part, from, to);
  });
}

template <class Real>
void RealLines<Real>::backward(const Complex* in, Real* out) noexcept {
  for_each_part([&](const Part& part, std::size_t first) {
    const Complex* const from = in + first * static_cast<std::size_t>(waves());
    Real* const to = out + first * static_cast<std::size_t>(length_);
    length_ % 2 == 0 ? backward_even(part, from, to) : backward_odd(part, from, to);
  });
}

template class RealLines<float>;
template class RealLines<double>;

}  // namespace fg::fft
