// SPDX-License-Identifier: BSD-3-Clause
//
// The lines of one pencil (length 64, 16 x 9 lines, as along y of a 64^3 mesh on 4 x 4 pencils) in
// the layouts that a plan could use: contiguous lines, lines side by side, and side by side to
// contiguous. The last one transposes on the way and is the one that the engine uses.
#include <benchmark/benchmark.h>

#include "base/aligned_vector.hpp"
#include "fft/lines/line_transform.hpp"

namespace fg::fft {
namespace {

constexpr int length = 64, width = 16, planes = 9;

template <class Real>
void lines(benchmark::State& state, const LineBatch& batch) {
  AlignedVector<std::complex<Real>> in(length * width * planes), out(length * width * planes);
  const LineTransform<Real> transform(batch, Direction::forward);
  for (auto _ : state) {
    transform.execute(in.data(), out.data());
    benchmark::ClobberMemory();
  }
  state.counters["lines/s"] = benchmark::Counter(static_cast<double>(width) * planes,
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

void float_lines(benchmark::State& state, const LineBatch& batch) {
  lines<float>(state, batch);
}
void double_lines(benchmark::State& state, const LineBatch& batch) {
  lines<double>(state, batch);
}

constexpr int plane = length * width;
constexpr LineLayout contiguous{1, length, plane};
constexpr LineLayout side_by_side{width, 1, plane};

BENCHMARK_CAPTURE(float_lines, contiguous,
                  LineBatch{length, width, planes, contiguous, contiguous});
BENCHMARK_CAPTURE(float_lines, side_by_side,
                  LineBatch{length, width, planes, side_by_side, side_by_side});
BENCHMARK_CAPTURE(float_lines, to_contiguous,
                  LineBatch{length, width, planes, side_by_side, contiguous});
BENCHMARK_CAPTURE(float_lines, to_side_by_side,
                  LineBatch{length, width, planes, contiguous, side_by_side});
BENCHMARK_CAPTURE(double_lines, to_contiguous,
                  LineBatch{length, width, planes, side_by_side, contiguous});

}  // namespace
}  // namespace fg::fft

BENCHMARK_MAIN();
