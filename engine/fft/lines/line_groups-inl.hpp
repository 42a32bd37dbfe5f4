// SPDX-License-Identifier: BSD-3-Clause
//
// A batch of lines, one group after the other, with as many lines in a group as a vector has lanes.
// Where the lines of a full group lie side by side, its first pass reads straight from the input;
// likewise the last pass writes straight to the output. Other layouts pass through memory that stays
// in the nearest cache.

// Included once per target, hence no #pragma once.
#if defined(FG_FFT_LINE_GROUPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FFT_LINE_GROUPS_INL
#undef FG_FFT_LINE_GROUPS_INL
#else
#define FG_FFT_LINE_GROUPS_INL
#endif

#include <algorithm>

#include "fft/lines/line_blocks-inl.hpp"
#include "fft/lines/line_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::fft {
namespace HWY_NAMESPACE {
namespace {

template <class Real>
class LineGroups {
 public:
  explicit LineGroups(const LineJob<Real>& job)
      : job_(job),
        plan_(*job.plan),
        first_(job.work),
        second_(job.work + plan_.rows() * row_size<Real>) {}

  void run() {
    const auto [length, inner, outer, in, out] = job_.batch;
    if (inner < lanes) return run_across();
    // A last group that is not full begins earlier, and does some lines again.
    const bool again = job_.in != job_.out;
    for (int j = 0; j < outer; ++j)
      for (int i = 0; i < inner; i += lanes) {
        const int left = inner - i;
        if (left >= lanes)
          run_group(line(i, j), lanes, true);
        else if (again)
          run_group(line(inner - lanes, j), lanes, true);
        else
          run_group(line(i, j), left, false);
      }
  }

 private:
  static constexpr int lanes = static_cast<int>(lanes_of<Real>);

  std::int64_t line(int i, int j) const {
    return i + static_cast<std::int64_t>(j) * job_.batch.inner_count;
  }

  /// Groups that go on from one row of few lines to the next.
  void run_across() {
    const std::int64_t lines = line(0, job_.batch.outer_count);
    for (std::int64_t l = 0; l < lines; l += lanes)
      run_group(l, static_cast<int>(std::min<std::int64_t>(lanes, lines - l)), false);
  }

  LineStarts<Real> starts(const LineLayout& layout, std::int64_t first, int count) const {
    LineStarts<Real> starts;
    for (int lane = 0; lane < lanes; ++lane) {
      const std::int64_t l = first + std::min(lane, count - 1);
      const std::ptrdiff_t i = l % job_.batch.inner_count, j = l / job_.batch.inner_count;
      starts.at[lane] = 2 * (i * layout.inner + j * layout.outer);
    }
    return starts;
  }

  /// Lines first .. first + count - 1; `in_row`: all have the same outer index.
  void run_group(std::int64_t first, int count, bool full) {
    const auto& [length, inner, outer, in, out] = job_.batch;
    const LineStarts<Real> to = starts(out, first, count);
    const std::ptrdiff_t step = 2 * static_cast<std::ptrdiff_t>(out.stride);
    const Rows<const Real> source = take(starts(in, first, count), full);
    if (full && out.inner == 1) return transform(source, {job_.out + to.at[0], step, complex});
    if (out.stride == 1) {
      transform(source, {second_, row_size<Real>, parts});
      return transpose_lines_out(second_, to, length, job_.out);
    }
    transform(source, {second_, row_size<Real>, complex});
    copy_lines_out(second_, to, step, length, job_.out);
  }

  /// The rows of a group of the input.
  Rows<const Real> take(const LineStarts<Real>& from, bool full) {
    const LineLayout& in = job_.batch.in;
    const std::ptrdiff_t step = 2 * static_cast<std::ptrdiff_t>(in.stride);
    if (full && in.inner == 1) return {job_.in + from.at[0], step, complex};
    if (in.stride == 1) {
      transpose_lines_in(job_.in, from, plan_.length, first_);
      return {first_, row_size<Real>, parts};
    }
    copy_lines_in(job_.in, from, step, plan_.length, first_);
    return {first_, row_size<Real>, complex};
  }

  void transform(Rows<const Real> in, Rows<Real> out) {
    const bool reversed = job_.direction == Direction::backward;
    if (plan_.longer != nullptr) return convolve(in, out, reversed);
    if (plan_.passes.size() < 2) {
      copy(in, nullptr, split(first_), plan_.length, false);
      in = split(first_);
    }
    passes(plan_, in, first_, out, reversed);
  }

  void convolve(Rows<const Real> in, Rows<Real> out, bool reversed) {
    const LinePlan<Real>& longer = *plan_.longer;
    copy(in, plan_.chirp.data(), split(first_), plan_.length, false);
    std::fill(first_ + plan_.length * row_size<Real>, first_ + longer.length * row_size<Real>,
              Real(0));
    passes(longer, split(first_), first_, split(second_), false);
    copy(split(second_), plan_.spectrum.data(), split(second_), longer.length, false);
    passes(longer, split(second_), second_, split(first_), true);
    copy(split(first_), plan_.chirp.data(), out, plan_.length, reversed);
  }

  /// All passes of a smooth length; those before the last one in `work`, which may be `in`.
  static void passes(const LinePlan<Real>& plan, Rows<const Real> in, Real* work, Rows<Real> out,
                     bool reversed) {
    for (std::size_t p = 0; p + 1 < plan.passes.size(); ++p) {
      const LinePass<Real>& pass = plan.passes[p];
      for_radix(pass.radix, [&](auto radix) HWY_ATTR {
        constexpr int R = decltype(radix)::value;
        if (in.kind == complex)
          inner_pass<RowKind::complex, R, Real>(pass, in.first, in.step, work);
        else
          inner_pass<RowKind::parts, R, Real>(pass, in.first, in.step, work);
      });
      in = split(work);
    }
    if (plan.passes.empty()) return copy(in, nullptr, out, plan.length, reversed);
    for_radix(plan.passes.back().radix, [&](auto radix) HWY_ATTR {
      constexpr int R = decltype(radix)::value;
      if (out.kind == complex)
        last_pass<RowKind::complex, R, Real>(plan, work, out.first, out.step, reversed);
      else
        last_pass<RowKind::parts, R, Real>(plan, work, out.first, out.step, reversed);
    });
  }

  /// Rows of either kind to rows of either kind.
  static void copy(Rows<const Real> in, const Real* factors, Rows<Real> out, int count,
                   bool reversed) {
    if (in.kind == complex && out.kind == complex)
      copy_rows<RowKind::complex, RowKind::complex, Real>(in, factors, out, count, reversed);
    else if (in.kind == complex)
      copy_rows<RowKind::complex, RowKind::parts, Real>(in, factors, out, count, reversed);
    else if (out.kind == complex)
      copy_rows<RowKind::parts, RowKind::complex, Real>(in, factors, out, count, reversed);
    else
      copy_rows<RowKind::parts, RowKind::parts, Real>(in, factors, out, count, reversed);
  }

  static constexpr RowKind complex = RowKind::complex, parts = RowKind::parts;
  static Rows<Real> split(Real* rows) { return {rows, row_size<Real>, parts}; }

  const LineJob<Real>& job_;
  const LinePlan<Real>& plan_;
  Real* first_;
  Real* second_;
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg::fft
HWY_AFTER_NAMESPACE();

#endif
