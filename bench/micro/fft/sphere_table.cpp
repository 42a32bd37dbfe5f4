// SPDX-License-Identifier: BSD-3-Clause
//
// Complex double orbitals of a sphere of radius N/4, there and back, beside the dense transform of
// the same cubic grid, on any number of ranks: time and bytes sent. Both take turns, and of all
// runs the median and range are kept; the ratio is that of the medians. With "busy" a time is that
// of the ranks' processors, of the slowest rank: for a machine on which others work, where the wall
// clock says little. Prints a table, or JSON. Usage:
//   [mpiexec -n RANKS] sphere_table [table | json] [wall | busy] [BATCH]
#include <gnu/libc-version.h>
#include <hwy/targets.h>
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "../in_turns.hpp"
#include "base/aligned_vector.hpp"
#include "base/simd_targets.hpp"
#include "fft/mpi/mpi_sphere.hpp"
#include "fft/mpi/mpi_transform.hpp"

namespace fg::fft {
namespace {

using Complex = std::complex<double>;

constexpr int repeats = 15;
constexpr double time_target = 0.55, bytes_target = 0.40;

struct Ranks {
  int rank = 0, count = 0;
};

Ranks ranks_of_world() {
  Ranks ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
  return ranks;
}

double now(bool busy) {
  timespec time{};
  clock_gettime(busy ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double over_ranks(double mine, MPI_Op operation) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
  return all;
}

/// Seconds for one call, the longest of all ranks.
double seconds_of(const std::function<void()>& work, int times, bool busy) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = now(busy);
  for (int i = 0; i < times; ++i) work();
  return over_ranks((now(busy) - start) / times, MPI_MAX);
}

using Runs = std::vector<double>;  // microseconds

std::vector<Runs> in_turns(const std::vector<std::function<void()>>& works, bool busy) {
  std::vector<Runs> runs = bench::in_turns(
      works, repeats, 0.01,
      [&](const std::function<void()>& work, int times) { return seconds_of(work, times, busy); });
  for (Runs& of_work : runs)
    for (double& run : of_work) run *= 1e6;
  return runs;
}

/// Time and bytes of both kinds on one grid.
struct Row {
  int n;
  Runs sphere, dense;
  double sphere_bytes, dense_bytes;

  double time_ratio() const { return bench::median(sphere) / bench::median(dense); }
  /// "null" for one rank, which sends nothing.
  std::string bytes_ratio() const {
    return dense_bytes > 0 ? std::to_string(sphere_bytes / dense_bytes) : "null";
  }
};

Row measure(int n, int batch, bool busy) {
  const auto [rank, ranks] = ranks_of_world();
  const Grid grid{n, n, n};
  const auto mine = static_cast<std::size_t>(rank);
  MpiSphere<double> sphere(MPI_COMM_WORLD,
                           {.grid = grid,
                            .vectors = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                            .cutoff = n / 4.0,
                            .points = dense_storage(boxes_for_sphere(grid, ranks)[mine]),
                            .batch = batch});
  const Storage points = dense_storage(slabs(grid, 0, ranks)[mine]);
  const Storage waves = dense_storage(slabs(grid, 1, ranks)[mine]);
  MpiTransform<double> dense(MPI_COMM_WORLD,
                             {.grid = grid, .points = points, .waves = waves, .batch = batch});
  const auto fields = static_cast<std::size_t>(batch);
  const RankSphere<double>& part = sphere.part();
  AlignedVector<Complex> c(fields * part.plan().waves_of(rank));
  const std::size_t box = dense_storage(part.plan().points()[mine]).distance;
  // Not zeros, which some processors do not write over zeros. What is transformed is never the
  // result of a transform, and so does not grow.
  const Complex number(0.3, 0.7);
  std::fill(c.begin(), c.end(), number);
  AlignedVector<Complex> c_again(c.size());
  AlignedVector<Complex> psi(fields * std::max(box, points.distance));
  AlignedVector<Complex> spectrum(fields * waves.distance, number), spectrum_again(spectrum.size());
  auto runs = in_turns({[&] {
                          sphere.backward(c.data(), psi.data());
                          sphere.forward(psi.data(), c_again.data());
                        },
                        [&] {
                          dense.backward(spectrum.data(), psi.data());
                          dense.forward(psi.data(), spectrum_again.data());
                        }},
                       busy);
  return {n, std::move(runs[0]), std::move(runs[1]),
          over_ranks(static_cast<double>(part.sent_bytes()), MPI_SUM),
          over_ranks(static_cast<double>(dense.part().sent_bytes()), MPI_SUM)};
}

void print_figure(const char* name, const Runs& runs) {
  const auto [least, most] = std::minmax_element(runs.begin(), runs.end());
  std::printf("\"%s\": {\"median\": %.1f, \"range\": [%.1f, %.1f], \"runs\": [", name,
              bench::median(runs), *least, *most);
  for (const double& run : runs) std::printf("%s%.1f", &run == runs.data() ? "" : ", ", run);
  std::printf("]}");
}

void print_json(const std::vector<Row>& rows, int batch, bool busy) {
  std::printf("{\n  \"benchmark\": \"sphere\",\n  \"compiler\": \"GCC %s\",\n", __VERSION__);
  std::printf("  \"flags\": \"%s\",\n  \"libc\": \"glibc %s\",\n  \"simd_target\": \"%s\",\n",
              FG_BENCH_FLAGS, gnu_get_libc_version(), hwy::TargetName(simd_target_in_use()));
  std::printf("  \"ranks\": %d,\n  \"batch\": %d,\n  \"repeats\": %d,\n  \"clock\": \"%s\",\n",
              ranks_of_world().count, batch, repeats, busy ? "processor" : "wall");
  std::printf("  \"targets\": {\"time\": %.2f, \"bytes\": %.2f},\n  \"entries\": [\n", time_target,
              bytes_target);
  for (const Row& row : rows) {
    std::printf("    {\"grid\": %d, ", row.n);
    print_figure("sphere_us", row.sphere);
    std::printf(", ");
    print_figure("dense_us", row.dense);
    std::printf(
        ", \"time_ratio\": %.3f, \"sphere_bytes\": %.0f, \"dense_bytes\": %.0f, "
        "\"bytes_ratio\": %s}%s\n",
        row.time_ratio(), row.sphere_bytes, row.dense_bytes, row.bytes_ratio().c_str(),
        &row == &rows.back() ? "" : ",");
  }
  std::printf("  ]\n}\n");
}

void print_table(const std::vector<Row>& rows, int batch, bool busy) {
  std::printf("%d ranks, batch %d, %s time of there and back, SIMD target %s\n",
              ranks_of_world().count, batch, busy ? "processor" : "wall",
              hwy::TargetName(simd_target_in_use()));
  std::printf("   n  sphere [us]   dense [us]  ratio (target %.2f)  bytes ratio (target %.2f)\n",
              time_target, bytes_target);
  for (const Row& row : rows)
    std::printf("%4d  %11.1f  %11.1f  %5.2f  %21s\n", row.n, bench::median(row.sphere),
                bench::median(row.dense), row.time_ratio(), row.bytes_ratio().c_str());
}

void run(int count, char** words) {
  const bool json = count > 1 && std::strcmp(words[1], "json") == 0;
  const bool busy = count > 2 && std::strcmp(words[2], "busy") == 0;
  const int batch = count > 3 ? std::max(1, std::atoi(words[3])) : 1;
  std::vector<Row> rows;
  for (const int n : {32, 48, 64, 72, 100, 128}) rows.push_back(measure(n, batch, busy));
  if (ranks_of_world().rank == 0)
    json ? print_json(rows, batch, busy) : print_table(rows, batch, busy);
}

}  // namespace
}  // namespace fg::fft

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fg::fft::run(argc, argv);
  MPI_Finalize();
}
