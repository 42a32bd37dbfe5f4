// SPDX-License-Identifier: BSD-3-Clause
//
// A batch of lines, one group after the other, with as many lines in a group as a vector has lanes.
// The lines of a full group may lie side by side. Then its first pass reads straight from the
// input, and its last pass writes straight to the output. Other layouts pass through memory that
// stays in the nearest cache. So do groups of fewer lines (the narrow ones).

// Included once per target, hence no #pragma once.
#if defined(FG_FFT_LINE_GROUPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FFT_LINE_GROUPS_INL
#undef FG_FFT_LINE_GROUPS_INL
#else
#define FG_FFT_LINE_GROUPS_INL
#endif

#include <algorithm>
#include <cstdint>

#include "fft/lines/line_kernels.hpp"
#include "fft/lines/narrow_lines-inl.hpp"
#include "fft/lines/passes-inl.hpp"

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
    if (job_.batch.inner_count < lanes)
      run_across();
    else
      run_along();
  }

 private:
  static constexpr int lanes = static_cast<int>(lanes_of<Real>);

  struct Group {
    LineStarts<Real> from, to;
    int in_row;  // the number of lines if all have the same outer index; otherwise 0
  };

  // ----- which lines -----

  /// Groups of lines with the same outer index.
  void run_along() {
    const int inner = job_.batch.inner_count;
    // A last group that is not full begins earlier, and does some lines again.
    const bool again = job_.in != job_.out;
    for (int j = 0; j < job_.batch.outer_count; ++j)
      for (int i = 0; i < inner; i += lanes) {
        const int first = again ? std::min(i, inner - lanes) : i;
        run_group(first, j, std::min(lanes, inner - first));
      }
  }

  /// Groups that continue from one row of few lines to the next.
  void run_across() {
    const int inner = job_.batch.inner_count;
    const std::int64_t lines = std::int64_t{inner} * job_.batch.outer_count;
    for (std::int64_t l = 0; l < lines; l += lanes)
      run_group(static_cast<int>(l % inner), static_cast<int>(l / inner),
                static_cast<int>(std::min<std::int64_t>(lanes, lines - l)));
  }

  /// `count` lines from (i, j) on.
  void run_group(int i, int j, int count) {
    const auto& [length, inner, outer, in, out] = job_.batch;
    Group group;
    group.in_row = i + count <= inner ? count : 0;
    for (int lane = 0; lane < lanes; ++lane) {
      group.from.at[lane] = start(in, i, j);
      group.to.at[lane] = start(out, i, j);
      if (lane + 1 < count && ++i == inner) i = 0, ++j;
    }
    if (plan_.passes.size() < 2) return transform_without_passes(group);
    first_pass(group);
    middle_passes(plan_, first_);
    last_pass(group);
  }

  static std::ptrdiff_t start(const LineLayout& layout, std::ptrdiff_t i, std::ptrdiff_t j) {
    return 2 * (i * layout.inner + j * layout.outer);
  }

  // ----- their transforms -----

  std::ptrdiff_t in_step() const { return 2 * static_cast<std::ptrdiff_t>(job_.batch.in.stride); }
  std::ptrdiff_t out_step() const { return 2 * static_cast<std::ptrdiff_t>(job_.batch.out.stride); }
  bool reversed() const { return job_.direction == Direction::backward; }

  bool side_by_side_in(const Group& group) const {
    return group.in_row == lanes && job_.batch.in.inner == 1;
  }
  bool side_by_side_out(const Group& group) const {
    return group.in_row == lanes && job_.batch.out.inner == 1;
  }
  bool narrow_in(const Group& group) const { return group.in_row > 0 && job_.batch.in.inner == 1; }
  bool narrow_out(const Group& group) const {
    return group.in_row > 0 && job_.batch.out.inner == 1;
  }
  /// Whether the first, or the last, of several passes works on lines of adjacent elements.
  bool takes_lines(const Group& group) const {
    return job_.places.in == nullptr && job_.batch.in.stride == 1 && plan_.passes.size() >= 2 &&
           !side_by_side_in(group);
  }
  bool leaves_lines(const Group& group) const {
    return job_.places.out == nullptr && job_.batch.out.stride == 1 && !side_by_side_out(group);
  }

  /// For passes that take and leave rows.
  Rows<const Real> rows_of_input(const Group& group) {
    const std::int64_t* const places = job_.places.in;
    if (side_by_side_in(group))
      return {job_.in + group.from.at[0], in_step(), places ? placed : complex, places};
    if (narrow_in(group))
      gather_narrow(job_.in + group.from.at[0], group.in_row, in_step(), places, plan_.length,
                    first_);
    else
      gather_lines(job_.in, group.from, in_step(), places, plan_.length, first_);
    return split(first_);
  }
  Rows<Real> rows_of_output(const Group& group) {
    const std::int64_t* const places = job_.places.out;
    if (side_by_side_out(group))
      return {job_.out + group.to.at[0], out_step(), places ? placed : complex, places};
    return split(second_);
  }
  void put_output(const Group& group) {
    if (side_by_side_out(group)) return;
    if (narrow_out(group))
      scatter_narrow(second_, group.in_row, out_step(), job_.places.out, plan_.length,
                     job_.out + group.to.at[0]);
    else
      scatter_lines(second_, group.to, out_step(), job_.places.out, plan_.length, job_.out);
  }

  void first_pass(const Group& group) {
    const LinePass<Real>& pass = plan_.passes.front();
    if (!takes_lines(group)) return one_pass(pass, rows_of_input(group), first_);
    for_radix(pass.radix, [&](auto radix) HWY_ATTR {
      pass_from_lines<decltype(radix)::value, Real>(pass, job_.in, group.from, first_);
    });
  }

  void last_pass(const Group& group) {
    if (!leaves_lines(group)) {
      last_pass_to(plan_, first_, rows_of_output(group), reversed());
      return put_output(group);
    }
    for_radix(plan_.passes.back().radix, [&](auto radix) HWY_ATTR {
      pass_to_lines<decltype(radix)::value, Real>(plan_, first_, group.to, job_.out, reversed());
    });
  }

  /// Lengths of up to 16, and those with large prime factors.
  void transform_without_passes(const Group& group) {
    const Rows<const Real> in = rows_of_input(group);
    const Rows<Real> out = rows_of_output(group);
    if (plan_.longer != nullptr) {
      convolve(in, out);
    } else if (plan_.passes.empty()) {
      copy(in, nullptr, out, plan_.length, false);
    } else {
      copy(in, nullptr, split(first_), plan_.length, false);
      last_pass_to(plan_, first_, out, reversed());
    }
    put_output(group);
  }

  void convolve(const Rows<const Real>& in, const Rows<Real>& out) {
    const LinePlan<Real>& longer = *plan_.longer;
    copy(in, plan_.chirp.data(), split(first_), plan_.length, false);
    std::fill(first_ + plan_.length * row_size<Real>, first_ + longer.length * row_size<Real>,
              Real(0));
    all_passes(longer, first_, second_, false);
    copy(split(second_), plan_.spectrum.data(), split(second_), longer.length, false);
    all_passes(longer, second_, first_, true);
    copy(split(first_), plan_.chirp.data(), out, plan_.length, reversed());
  }

  /// Between rows of parts; `in` is overwritten.
  static void all_passes(const LinePlan<Real>& plan, Real* in, Real* out, bool reversed) {
    one_pass(plan.passes.front(), split(in), in);
    middle_passes(plan, in);
    last_pass_to(plan, in, split(out), reversed);
  }

  static void middle_passes(const LinePlan<Real>& plan, Real* work) {
    for (std::size_t p = 1; p + 1 < plan.passes.size(); ++p)
      one_pass(plan.passes[p], split(work), work);
  }

  /// A pass with factors.
  static void one_pass(const LinePass<Real>& pass, const Rows<const Real>& in, Real* work) {
    for_radix(pass.radix, [&](auto radix) HWY_ATTR {
      for_kind(in.kind, [&](auto kind) HWY_ATTR {
        inner_pass<decltype(kind)::value, decltype(radix)::value, Real>(pass, in, work);
      });
    });
  }

  static void last_pass_to(const LinePlan<Real>& plan, const Real* work, const Rows<Real>& out,
                           bool reversed) {
    for_radix(plan.passes.back().radix, [&](auto radix) HWY_ATTR {
      for_kind(out.kind, [&](auto kind) HWY_ATTR {
        last_pass_to_rows<decltype(kind)::value, decltype(radix)::value, Real>(plan, work, out,
                                                                               reversed);
      });
    });
  }

  /// Rows of any kind to rows of any kind.
  static void copy(const Rows<const Real>& in, const Real* factors, const Rows<Real>& out,
                   int count, bool reversed) {
    for_kind(in.kind, [&](auto from) HWY_ATTR {
      for_kind(out.kind, [&](auto to) HWY_ATTR {
        copy_rows<decltype(from)::value, decltype(to)::value, Real>(in, factors, out, count,
                                                                    reversed);
      });
    });
  }

  static constexpr RowKind complex = RowKind::complex, parts = RowKind::parts,
                           placed = RowKind::placed;
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
