// SPDX-License-Identifier: BSD-3-Clause
#include "fft/array_transform.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "fft/lines/line_transform.hpp"
#include "fft/lines/real_lines.hpp"

namespace fg::fft {

namespace {

constexpr std::ptrdiff_t cached_bytes = std::ptrdiff_t{512} << 10;
constexpr std::ptrdiff_t whole_vectors = 16;  // lines; a multiple of the lanes of all targets

/// Transforms along axes from `first` on, of one piece of what lies behind it after the other.
struct Sweep {
  int first;
  std::vector<int> axes;
};

template <class Real>
void scale(Real* numbers, std::ptrdiff_t count, Real factor) {
  if (factor == Real(1)) return;
  for (std::ptrdiff_t i = 0; i < count; ++i) numbers[i] *= factor;
}

template <class Real>
class ArraySweeps {
 public:
  using Complex = std::complex<Real>;

  /// `shape` is that of the complex array, and `points` the length of the last axis if its points
  /// are real.
  ArraySweeps(const ArrayTransform& task, std::vector<std::ptrdiff_t> shape,
              std::optional<std::ptrdiff_t> points)
      : shape_(std::move(shape)),
        points_(points),
        direction_(task.direction),
        factor_(static_cast<Real>(task.factor)) {
    std::vector<int> axes = task.axes;
    std::sort(axes.begin(), axes.end());
    if (direction_ == Direction::forward) std::reverse(axes.begin(), axes.end());
    for (const int axis : axes) {
      require_ints(behind(axis));
      const int first = sweeps_.empty() ? axis : std::min(sweeps_.back().first, axis);
      if (!sweeps_.empty() && behind(first) * bytes <= cached_bytes) {
        sweeps_.back().first = first;
        sweeps_.back().axes.push_back(axis);
      } else {
        sweeps_.push_back({axis, {axis}});
      }
    }
  }

  /// `in` and `out` hold complex numbers. With `real_in` (forward), the points are there and not in
  /// `in`. With `real_out` (backward), the points go there and not to `out`, which is a work array
  /// then.
  void run(const Complex* in, Complex* out, const Real* real_in, Real* real_out) {
    real_in_ = real_in, real_out_ = real_out, out_ = out;
    for (const Sweep& sweep : sweeps_) {
      scaled_ = &sweep == &sweeps_.back() ? factor_ : Real(1);
      from_ = &sweep == &sweeps_.front() ? in : out;
      const std::ptrdiff_t inner = behind(sweep.first + 1);
      if (sweep.axes.size() == 1 && behind(sweep.first) * bytes > cached_bytes &&
          inner >= whole_vectors)
        by_columns(sweep.first);
      else
        by_blocks(sweep);
    }
  }

 private:
  static constexpr std::ptrdiff_t bytes = sizeof(Complex);

  /// The numbers that lie behind one index of the axes before this one.
  std::ptrdiff_t behind(int axis) const { return product(axis, static_cast<int>(shape_.size())); }
  std::ptrdiff_t product(int first, int end) const {
    std::ptrdiff_t numbers = 1;
    for (int axis = first; axis < end; ++axis) numbers *= shape_[axis];
    return numbers;
  }
  bool is_real(int axis) const { return points_ && axis + 1 == static_cast<int>(shape_.size()); }
  static void require_ints(std::ptrdiff_t numbers) {
    if (numbers <= std::numeric_limits<int>::max()) return;
    throw InputError({.what = "the array is too large to be transformed along this axis",
                      .value = std::to_string(numbers) + " numbers behind an index",
                      .limit = std::to_string(std::numeric_limits<int>::max()),
                      .hint = "divide it among processes: finegrain.fft.Transform"});
  }

  /// Null where the numbers on that side are real.
  template <class Number>
  static Number* at(Number* array, std::ptrdiff_t place) {
    return array == nullptr ? nullptr : array + place;
  }

  static LineTransform<Real> lines(std::ptrdiff_t length, std::ptrdiff_t inner,
                                   std::ptrdiff_t outer, std::ptrdiff_t apart,
                                   Direction direction) {
    const LineLayout layout{static_cast<int>(apart), 1, static_cast<int>(length * apart)};
    return {{static_cast<int>(length), static_cast<int>(inner), static_cast<int>(outer), layout,
             layout},
            direction};
  }

  /// All lines of `count` blocks behind `first`.
  void by_blocks(const Sweep& sweep) {
    const std::ptrdiff_t block = behind(sweep.first), blocks = product(0, sweep.first);
    const std::ptrdiff_t least = whole_vectors / std::min(behind(sweep.first + 1), whole_vectors);
    const std::ptrdiff_t count = std::min(blocks, std::max(cached_bytes / (block * bytes), least));
    const std::ptrdiff_t rest = blocks % count;
    run_blocks(sweep, count, 0, blocks - rest);
    if (rest > 0) run_blocks(sweep, rest, blocks - rest, blocks);
  }

  void run_blocks(const Sweep& sweep, std::ptrdiff_t count, std::ptrdiff_t begin,
                  std::ptrdiff_t end) {
    struct Pass {
      std::optional<LineTransform<Real>> lines;
      std::unique_ptr<RealLines<Real>> real;
    };
    std::vector<Pass> passes;
    for (const int axis : sweep.axes) {
      const std::ptrdiff_t outer = count * product(sweep.first, axis), inner = behind(axis + 1);
      Pass& pass = passes.emplace_back();
      if (is_real(axis))
        pass.real =
            std::make_unique<RealLines<Real>>(static_cast<int>(*points_), static_cast<int>(outer));
      else
        pass.lines = lines(shape_[axis], inner, outer, inner, direction_);
    }
    const std::ptrdiff_t block = behind(sweep.first);
    const std::ptrdiff_t points = points_ ? block / shape_.back() * *points_ : 0;
    for (std::ptrdiff_t b = begin; b < end; b += count) {
      const Complex* from = at(from_, b * block);
      Complex* const to = at(out_, b * block);
      for (Pass& pass : passes) {
        if (pass.lines)
          pass.lines->execute(from, to);
        else if (real_in_ != nullptr)
          pass.real->forward(real_in_ + b * points, to);
        else
          pass.real->backward(from, real_out_ + b * points);
        from = to;
      }
      if (real_out_ != nullptr && passes.back().real)
        scale(real_out_ + b * points, count * points, scaled_);
      else
        scale(reinterpret_cast<Real*>(to), 2 * count * block, scaled_);
    }
  }

  /// The lines along an axis with much behind it, some columns at a time.
  void by_columns(int axis) {
    const std::ptrdiff_t length = shape_[axis], inner = behind(axis + 1);
    const std::ptrdiff_t fit = cached_bytes / 2 / (length * bytes) / whole_vectors * whole_vectors;
    const std::ptrdiff_t count = std::min(inner, std::max(fit, whole_vectors));
    const LineTransform<Real> usual = lines(length, count, 1, inner, direction_);
    const std::ptrdiff_t rest = inner % count;
    std::optional<LineTransform<Real>> last;
    if (rest > 0) last = lines(length, rest, 1, inner, direction_);
    for (std::ptrdiff_t b = 0; b < product(0, axis); ++b)
      for (std::ptrdiff_t i = 0; i < inner; i += count) {
        const std::ptrdiff_t place = b * length * inner + i, now = std::min(count, inner - i);
        (now == count ? usual : *last).execute(from_ + place, out_ + place);
        for (std::ptrdiff_t k = 0; k < length; ++k)
          scale(reinterpret_cast<Real*>(out_ + place + k * inner), 2 * now, scaled_);
      }
  }

  std::vector<std::ptrdiff_t> shape_;
  std::optional<std::ptrdiff_t> points_;
  Direction direction_;
  Real factor_;
  std::vector<Sweep> sweeps_;
  const Complex* from_ = nullptr;
  Complex* out_ = nullptr;
  const Real* real_in_ = nullptr;
  Real* real_out_ = nullptr;
  Real scaled_ = 1;
};

std::vector<std::ptrdiff_t> shape_of_waves(std::vector<std::ptrdiff_t> shape) {
  shape.back() = shape.back() / 2 + 1;
  return shape;
}

}  // namespace

template <class Real>
void transform_array(const ArrayTransform& task, const std::complex<Real>* in,
                     std::complex<Real>* out) {
  ArraySweeps<Real>(task, task.shape, {}).run(in, out, nullptr, nullptr);
}

template <class Real>
void transform_real_array(const ArrayTransform& task, const Real* in, std::complex<Real>* out) {
  ArraySweeps<Real>(task, shape_of_waves(task.shape), task.shape.back())
      .run(nullptr, out, in, nullptr);
}

template <class Real>
void transform_array_to_real(const ArrayTransform& task, const std::complex<Real>* in, Real* out) {
  const std::vector<std::ptrdiff_t> shape = shape_of_waves(task.shape);
  ArraySweeps<Real> sweeps(task, shape, task.shape.back());
  std::size_t numbers = 2;
  for (const std::ptrdiff_t size : shape) numbers *= static_cast<std::size_t>(size);
  // Plain numbers, which are not set to zero.
  std::unique_ptr<Real[]> work;
  if (task.axes.size() > 1) work = std::make_unique_for_overwrite<Real[]>(numbers);
  sweeps.run(in, reinterpret_cast<std::complex<Real>*>(work.get()), nullptr, out);
}

template void transform_array(const ArrayTransform&, const std::complex<float>*,
                              std::complex<float>*);
template void transform_array(const ArrayTransform&, const std::complex<double>*,
                              std::complex<double>*);
template void transform_real_array(const ArrayTransform&, const float*, std::complex<float>*);
template void transform_real_array(const ArrayTransform&, const double*, std::complex<double>*);
template void transform_array_to_real(const ArrayTransform&, const std::complex<float>*, float*);
template void transform_array_to_real(const ArrayTransform&, const std::complex<double>*, double*);

}  // namespace fg::fft
