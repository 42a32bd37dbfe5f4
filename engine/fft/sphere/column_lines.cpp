// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/column_lines.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace fg::fft {

namespace {

/// As many lines as the longest vector has lanes.
template <class Real>
constexpr int lines_of_block = static_cast<int>(simd_alignment / sizeof(Real));

template <class Real>
LineBatch lines_of_length(int n) {
  return {n, lines_of_block<Real>, 1, {1, n, 0}, {1, n, 0}};
}

/// Calls visit(first wave, point on the grid, count) for the negative indices of a column and for
/// the others.
template <class Visit>
void for_each_run_of(const Column& column, std::size_t length, Visit&& visit) {
  const int below = std::clamp(-column.first, 0, column.waves());
  if (below > 0) visit(0, length - static_cast<std::size_t>(-column.first), below);
  if (column.waves() > below)
    visit(below, static_cast<std::size_t>(column.first + below), column.waves() - below);
}

/// The same with the point of -z for the first wave of each run: visit(first wave, point, opposite,
/// count). From there on opposite points descend.
template <class Visit>
void for_each_pair_of_runs(const Column& column, std::size_t length, Visit&& visit) {
  for_each_run_of(column, length, [&](int wave, std::size_t point, int count) {
    if (point == 0) {
      visit(wave, 0, 0, 1);
      ++wave, ++point, --count;
    }
    if (count > 0) visit(wave, point, length - point, count);
  });
}

/// A turn of a line is two cache lines: so few that the call of a general copy would take longer.
template <class Complex>
void copy_piece(const Complex* from, std::size_t count, Complex* to) noexcept {
  constexpr std::size_t usual = 2 * simd_alignment / sizeof(Complex);
  if (count == usual)
    std::memcpy(to, from, usual * sizeof(Complex));
  else
    std::memcpy(to, from, count * sizeof(Complex));
}

}  // namespace

template <class Real>
ColumnLines<Real>::ColumnLines(const SpherePlan& plan, int rank, int batch, std::size_t distance)
    : batch_(batch),
      half_(plan.sphere().kind() == SphereKind::half),
      distance_(distance),
      length_(static_cast<std::size_t>(plan.sphere().grid()[2])),
      forward_(lines_of_length<Real>(static_cast<int>(length_)), Direction::forward),
      backward_(lines_of_length<Real>(static_cast<int>(length_)), Direction::backward),
      block_(length_ * lines_of_block<Real>),
      none_(half_ && batch % 2 == 1 ? length_ : 0) {
  fields_ = half_ ? (batch + 1) / 2 : batch;
  std::size_t wave = 0, lines = 0;
  for (const int index : plan.columns_of(rank)) {
    const Column& column = plan.sphere().columns()[static_cast<std::size_t>(index)];
    const bool mirrored = half_ && (column.x != 0 || column.y != 0);
    const std::size_t own = mirrored ? 2 : 1;
    if (blocks_.empty() || lines + own - blocks_.back().line > lines_of_block<Real>)
      blocks_.push_back({entries_.size(), 0, lines, {}});
    entries_.push_back({column, wave, lines, mirrored});
    blocks_.back().end = entries_.size();
    wave += static_cast<std::size_t>(column.waves());
    lines += own;
  }
}

template <class Real>
void ColumnLines<Real>::add(std::size_t line, const Stretch& stretch) {
  Block& block =
      *std::prev(std::upper_bound(blocks_.begin(), blocks_.end(), line,
                                  [](std::size_t l, const Block& b) { return l < b.line; }));
  const std::size_t l = line - block.line;
  for (Stretches& all : block.stretches) {
    const Stretch& first = all.first;
    if (l != all.line + all.lines || stretch.here != first.here || stretch.first != first.first ||
        stretch.count != first.count || stretch.apart != first.apart)
      continue;
    const std::size_t step = stretch.place - first.place;
    if (all.lines > 1 && step != all.lines * all.step) continue;
    if (all.lines == 1) all.step = step;
    ++all.lines;
    return;
  }
  block.stretches.push_back({stretch, l, 1, 0});
}

template <class Real>
template <class Array, class Visit>
void ColumnLines<Real>::for_each_piece(const Block& block, int field, Array* here, Array* away,
                                       const Visit& visit) {
  for (const Stretches& all : block.stretches) {
    const Stretch& s = all.first;
    const auto width = static_cast<std::size_t>(s.width), size = static_cast<std::size_t>(s.count);
    Array* at = (s.here ? here : away) + s.place + static_cast<std::size_t>(field) * width;
    for (std::size_t done = 0; done < size; done += width, at += s.apart)
      for (std::size_t l = 0; l < all.lines; ++l)
        visit(all.line + l, static_cast<std::size_t>(s.first) + done, at + l * all.step,
              std::min(width, size - done), width);
  }
}

template <class Real>
void ColumnLines<Real>::pad(const Entry& entry, const Complex* waves,
                            Complex* line) const noexcept {
  std::fill_n(line, length_, Complex(0));
  for_each_run_of(entry.column, length_, [&](int wave, std::size_t point, int count) {
    std::copy_n(waves + entry.wave + static_cast<std::size_t>(wave), count, line + point);
  });
}

template <class Real>
void ColumnLines<Real>::cut(const Entry& entry, const Complex* line,
                            Complex* waves) const noexcept {
  for_each_run_of(entry.column, length_, [&](int wave, std::size_t point, int count) {
    std::copy_n(line + point, count, waves + entry.wave + static_cast<std::size_t>(wave));
  });
}

template <class Real>
void ColumnLines<Real>::pad_pair(const Entry& entry, const Complex* a, const Complex* b,
                                 Complex* line) noexcept {
  Complex* const mirror = entry.mirrored ? line + length_ : line;
  std::fill_n(line, entry.mirrored ? 2 * length_ : length_, Complex(0));
  for_each_pair_of_runs(entry.column, length_,
                        [&](int wave, std::size_t point, std::size_t opposite, int count) {
                          const Complex *const first = a + wave, *const second = b + wave;
                          Complex *const to = line + point, *const to_opposite = mirror + opposite;
                          for (std::ptrdiff_t k = 0; k < count; ++k) {
                            const Real ar = first[k].real(), ai = first[k].imag();
                            const Real br = second[k].real(), bi = second[k].imag();
                            to[k] = {ar - bi, ai + br};
                            to_opposite[-k] = {ar + bi, br - ai};
                          }
                        });
  // c(0) is real.
  if (!entry.mirrored) line[0] = {a[0].real(), b[0].real()};
}

template <class Real>
void ColumnLines<Real>::cut_pair(const Entry& entry, const Complex* line, Complex* a,
                                 Complex* b) noexcept {
  const Complex* const mirror = entry.mirrored ? line + length_ : line;
  const Real half = Real(0.5);
  for_each_pair_of_runs(
      entry.column, length_, [&](int wave, std::size_t point, std::size_t opposite, int count) {
        Complex* const first = a + wave;
        const Complex *const from = line + point, *const from_opposite = mirror + opposite;
        for (std::ptrdiff_t k = 0; k < count; ++k) {
          const Complex plus = from[k], minus = from_opposite[-k];
          first[k] = {half * (plus.real() + minus.real()), half * (plus.imag() - minus.imag())};
        }
        if (b == nullptr) return;
        Complex* const second = b + wave;
        for (std::ptrdiff_t k = 0; k < count; ++k) {
          const Complex plus = from[k], minus = from_opposite[-k];
          second[k] = {half * (plus.imag() + minus.imag()), half * (minus.real() - plus.real())};
        }
      });
}

template <class Real>
void ColumnLines<Real>::to_points(const Complex* waves, int field, Complex* here,
                                  Complex* away) noexcept {
  const std::size_t first = static_cast<std::size_t>(half_ ? 2 * field : field) * distance_;
  const bool alone = half_ && 2 * field + 1 == batch_;
  for (const Block& block : blocks_) {
    for (std::size_t e = block.begin; e < block.end; ++e) {
      const Entry& entry = entries_[e];
      Complex* const to = line(entry.line - block.line);
      const Complex* const a = waves + first + entry.wave;
      if (half_)
        pad_pair(entry, a, alone ? none_.data() : a + distance_, to);
      else
        pad(entry, waves + first, to);
    }
    backward_.execute(block_.data(), block_.data());
    for_each_piece(
        block, field, here, away,
        [&](std::size_t l, std::size_t point, Complex* to, std::size_t count, std::size_t width) {
          copy_piece(line(l) + point, count, to);
          std::fill(to + count, to + width, Complex(0));
        });
  }
}

template <class Real>
void ColumnLines<Real>::to_waves(Complex* waves, int field, const Complex* here,
                                 const Complex* away) noexcept {
  const std::size_t first = static_cast<std::size_t>(half_ ? 2 * field : field) * distance_;
  const bool alone = half_ && 2 * field + 1 == batch_;
  for (const Block& block : blocks_) {
    for_each_piece(block, field, here, away,
                   [&](std::size_t l, std::size_t point, const Complex* from, std::size_t count,
                       std::size_t) { copy_piece(from, count, line(l) + point); });
    forward_.execute(block_.data(), block_.data());
    for (std::size_t e = block.begin; e < block.end; ++e) {
      const Entry& entry = entries_[e];
      const Complex* const from = line(entry.line - block.line);
      Complex* const a = waves + first + entry.wave;
      if (half_)
        cut_pair(entry, from, a, alone ? nullptr : a + distance_);
      else
        cut(entry, from, waves + first);
    }
  }
}

template class ColumnLines<float>;
template class ColumnLines<double>;

}  // namespace fg::fft
