// SPDX-License-Identifier: BSD-3-Clause
//
// Solves -laplacian(phi) = rho on a periodic cube of side 2 pi over the processes of MPI: a wave is
// an eigenfunction, so that phi(k) = rho(k) / k^2. Prints the largest error; exit status 1 if it is
// not small.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <finegrain/fft/mpi/mpi_transform.hpp>
#include <numbers>
#include <vector>

using namespace fg::fft;

/// Calls visit(x, y, z, place) for each point of a box, with its place in a dense array.
template <class Visit>
void for_each_point(const GridBox& box, Visit visit) {
  std::size_t place = 0;
  for (int x = box.low[0]; x < box.high[0]; ++x)
    for (int y = box.low[1]; y < box.high[1]; ++y)
      for (int z = box.low[2]; z < box.high[2]; ++z) visit(x, y, z, place++);
}

double solve(MPI_Comm comm) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const int n = 24;
  const Grid grid{n, n, n};
  const auto mine = static_cast<std::size_t>(rank);
  const GridBox here = slabs(grid, 0, ranks)[mine];
  const GridBox waves = slabs(waves_of(grid, Kind::real), 1, ranks)[mine];
  MpiTransform<double> transform(comm, {.grid = grid,
                                        .kind = Kind::real,
                                        .points = {dense(here)},
                                        .waves = {dense(waves)},
                                        .travel = Travel::measured});

  const auto phi = [&](int x, int y, int z) {
    const double h = 2 * std::numbers::pi / n;
    return std::sin(h * x) * std::cos(2 * h * y) + std::cos(3 * h * z);
  };
  const auto rho = [&](int x, int y, int z) {  // k^2 is 5 and 9
    const double h = 2 * std::numbers::pi / n;
    return 5 * std::sin(h * x) * std::cos(2 * h * y) + 9 * std::cos(3 * h * z);
  };
  std::vector<double> f(dense(here).extent());
  std::vector<std::complex<double>> c(dense(waves).extent());
  for_each_point(here, [&](int x, int y, int z, std::size_t i) { f[i] = rho(x, y, z); });
  transform.forward(f.data(), c.data());
  for_each_point(waves, [&](int x, int y, int z, std::size_t i) {
    const auto wave = [&](int k) { return k > n / 2 ? k - n : k; };
    const double square = wave(x) * wave(x) + wave(y) * wave(y) + wave(z) * wave(z);
    c[i] *= square == 0 ? 0 : 1 / (square * n * n * n);
  });
  transform.backward(c.data(), f.data());
  double error = 0, largest = 0;
  for_each_point(here, [&](int x, int y, int z, std::size_t i) {
    error = std::max(error, std::abs(f[i] - phi(x, y, z)));
  });
  MPI_Allreduce(&error, &largest, 1, MPI_DOUBLE, MPI_MAX, comm);
  if (rank == 0) std::printf("%d processes, largest error %.1e\n", ranks, largest);
  return largest;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const double error = solve(MPI_COMM_WORLD);
  MPI_Finalize();
  return error < 1e-12 ? 0 : 1;
}
