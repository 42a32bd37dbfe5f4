// SPDX-License-Identifier: BSD-3-Clause
//
// Complex double transforms of a cubic grid over processes, forward and back, beside FFTW's own
// over MPI, planned with MEASURE. Both leave the waves divided along another axis than the points,
// which saves FFTW two exchanges. All take turns; printed are the medians of the rounds in
// microseconds. Usage: mpiexec -n RANKS rank_table [ROUNDS]
#include <fftw3-mpi.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "../in_turns.hpp"
#include "fft/mpi/mpi_transform.hpp"

namespace fg::fft {
namespace {

using Complex = std::complex<double>;

/// Seconds for one call, the longest of all ranks.
double seconds_of(const std::function<void()>& work, int times) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < times; ++i) work();
  double mine = (MPI_Wtime() - start) / times, longest = 0;
  MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest;
}

void compare(int n, int rounds) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Grid grid{n, n, n};
  const auto mine = static_cast<std::size_t>(rank);
  const Layout points = dense(slabs(grid, 0, ranks)[mine]),
               waves = dense(slabs(grid, 1, ranks)[mine]);
  const auto transform_by = [&](Travel travel) {
    return MpiTransform<double>(MPI_COMM_WORLD, {.grid = grid,
                                                 .points = {points, points.extent()},
                                                 .waves = {waves, waves.extent()},
                                                 .travel = travel});
  };
  auto by_messages = transform_by(Travel::messages), together = transform_by(Travel::collective);
  std::vector<Complex> x(points.extent(), 1), y(waves.extent());

  std::ptrdiff_t rows = 0, first = 0, wave_rows = 0, first_wave = 0;
  const auto room = fftw_mpi_local_size_3d_transposed(n, n, n, MPI_COMM_WORLD, &rows, &first,
                                                      &wave_rows, &first_wave);
  fftw_complex *const in = fftw_alloc_complex(room), *const out = fftw_alloc_complex(room);
  const fftw_plan there = fftw_mpi_plan_dft_3d(n, n, n, in, out, MPI_COMM_WORLD, FFTW_FORWARD,
                                               FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT);
  const fftw_plan back = fftw_mpi_plan_dft_3d(n, n, n, out, in, MPI_COMM_WORLD, FFTW_BACKWARD,
                                              FFTW_MEASURE | FFTW_MPI_TRANSPOSED_IN);
  for (std::ptrdiff_t i = 0; i < room; ++i) in[i][0] = in[i][1] = 0;

  const auto pair = [&](MpiTransform<double>& transform) {
    return [&] {
      transform.forward(x.data(), y.data());
      transform.backward(y.data(), x.data());
      // Unnormalised transforms would overflow after some hundred rounds.
      const double scale = 1.0 / (static_cast<double>(n) * n * n);
      for (Complex& value : x) value *= scale;
    };
  };
  const auto fftw = [&] {
    fftw_execute(there);
    fftw_execute(back);
    const double scale = 1.0 / (static_cast<double>(n) * n * n);
    for (std::ptrdiff_t i = 0; i < rows * n * n; ++i) in[i][0] *= scale, in[i][1] *= scale;
  };
  const auto s =
      bench::medians({pair(by_messages), pair(together), fftw}, rounds, 0.05, seconds_of);
  if (rank == 0)
    std::printf("%4d  %10.1f  %10.1f  %10.1f   %5.2f\n", n, s[0] * 1e6, s[1] * 1e6, s[2] * 1e6,
                std::min(s[0], s[1]) / s[2]);
  fftw_destroy_plan(there);
  fftw_destroy_plan(back);
  fftw_free(in);
  fftw_free(out);
}

}  // namespace
}  // namespace fg::fft

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0)
    std::printf("%d ranks, %s\n   n    messages  collective        FFTW   ratio\n", ranks,
                fftw_version);
  for (const int n : {32, 64, 100, 128}) fg::fft::compare(n, argc > 1 ? std::atoi(argv[1]) : 9);
  MPI_Finalize();
}
