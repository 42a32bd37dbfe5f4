// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/column_lines.hpp"

#include <algorithm>

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

/// Calls visit(first point, its place, count) for the pieces of a stretch.
template <class Visit>
void for_each_piece(const Stretch& s, int field, Visit&& visit) {
  std::size_t place = s.place + static_cast<std::size_t>(field) * static_cast<std::size_t>(s.width);
  for (int done = 0; done < s.count; done += s.width, place += s.apart)
    visit(s.first + done, place, std::min(s.width, s.count - done));
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
  std::size_t wave = 0, lines = 0, first_of_block = 0;
  for (const int index : plan.columns_of(rank)) {
    const Column& column = plan.sphere().columns()[static_cast<std::size_t>(index)];
    const bool mirrored = half_ && (column.x != 0 || column.y != 0);
    const std::size_t own = mirrored ? 2 : 1;
    if (lines + own - first_of_block > lines_of_block<Real>) {
      blocks_.emplace_back(blocks_.empty() ? 0 : blocks_.back().second, entries_.size());
      first_of_block = lines;
    }
    entries_.push_back({column, wave, lines, mirrored});
    wave += static_cast<std::size_t>(column.waves());
    lines += own;
  }
  if (!entries_.empty())
    blocks_.emplace_back(blocks_.empty() ? 0 : blocks_.back().second, entries_.size());
  stretches_.resize(lines);
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
  const int n = static_cast<int>(length_);
  for (int k = 0; k < entry.column.waves(); ++k) {
    const int z = entry.column.first + k;
    const Real ar = a[k].real(), ai = a[k].imag(), br = b[k].real(), bi = b[k].imag();
    line[wrap(z, n)] = {ar - bi, ai + br};
    mirror[wrap(-z, n)] = {ar + bi, br - ai};
  }
  // c(0) is real.
  if (!entry.mirrored) line[0] = {a[0].real(), b[0].real()};
}

template <class Real>
void ColumnLines<Real>::cut_pair(const Entry& entry, const Complex* line, Complex* a,
                                 Complex* b) noexcept {
  const Complex* const mirror = entry.mirrored ? line + length_ : line;
  const int n = static_cast<int>(length_);
  const Real half = Real(0.5);
  for (int k = 0; k < entry.column.waves(); ++k) {
    const int z = entry.column.first + k;
    const Complex plus = line[wrap(z, n)], minus = mirror[wrap(-z, n)];
    a[k] = {half * (plus.real() + minus.real()), half * (plus.imag() - minus.imag())};
    if (b != nullptr)
      b[k] = {half * (plus.imag() + minus.imag()), half * (minus.real() - plus.real())};
  }
}

template <class Real>
void ColumnLines<Real>::to_points(const Complex* waves, int field, Complex* here,
                                  Complex* away) noexcept {
  const std::size_t first = static_cast<std::size_t>(half_ ? 2 * field : field) * distance_;
  const bool alone = half_ && 2 * field + 1 == batch_;
  for (const auto& [begin, end] : blocks_) {
    const std::size_t first_line = entries_[begin].line;
    for (std::size_t e = begin; e < end; ++e) {
      const Entry& entry = entries_[e];
      Complex* const to = line(entry.line - first_line);
      const Complex* const a = waves + first + entry.wave;
      if (half_)
        pad_pair(entry, a, alone ? none_.data() : a + distance_, to);
      else
        pad(entry, waves + first, to);
    }
    backward_.execute(block_.data(), block_.data());
    const Entry& last = entries_[end - 1];
    const std::size_t lines = last.line + (last.mirrored ? 2 : 1) - first_line;
    for (std::size_t l = 0; l < lines; ++l)
      for (const Stretch& s : stretches_[first_line + l])
        for_each_piece(s, field, [&](int point, std::size_t place, int count) {
          Complex* const to = (s.here ? here : away) + place;
          std::copy_n(line(l) + point, count, to);
          std::fill(to + count, to + s.width, Complex(0));
        });
  }
}

template <class Real>
void ColumnLines<Real>::to_waves(Complex* waves, int field, const Complex* here,
                                 const Complex* away) noexcept {
  const std::size_t first = static_cast<std::size_t>(half_ ? 2 * field : field) * distance_;
  const bool alone = half_ && 2 * field + 1 == batch_;
  for (const auto& [begin, end] : blocks_) {
    const std::size_t first_line = entries_[begin].line;
    const Entry& last = entries_[end - 1];
    const std::size_t lines = last.line + (last.mirrored ? 2 : 1) - first_line;
    for (std::size_t l = 0; l < lines; ++l)
      for (const Stretch& s : stretches_[first_line + l])
        for_each_piece(s, field, [&](int point, std::size_t place, int count) {
          std::copy_n((s.here ? here : away) + place, count, line(l) + point);
        });
    forward_.execute(block_.data(), block_.data());
    for (std::size_t e = begin; e < end; ++e) {
      const Entry& entry = entries_[e];
      const Complex* const from = line(entry.line - first_line);
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
