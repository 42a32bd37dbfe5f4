// SPDX-License-Identifier: BSD-3-Clause
//
// Double transforms of cubic grids over processes, forward and back, beside FFTW's own over MPI,
// planned with MEASURE. Both leave the waves divided along another axis than the points, which
// saves FFTW two exchanges. All numbers are zeros, whose transforms take as long as any.
// Contestants take turns; printed is JSON with the microseconds of each round on the slowest
// process, for a batch the microseconds of one field. Usage: mpiexec -n RANKS rank_peers [ROUNDS]
#include <fftw3-mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "../in_turns.hpp"
#include "fft/mpi/mpi_transform.hpp"

namespace fg::fft {
namespace {

using Complex = std::complex<double>;

int of_world(int (*function)(MPI_Comm, int*)) {
  int value = 0;
  function(MPI_COMM_WORLD, &value);
  return value;
}

/// Seconds for one call, the longest of all ranks.
double seconds_of(const std::function<void()>& work, int times) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < times; ++i) work();
  double mine = (MPI_Wtime() - start) / times, longest = 0;
  MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest;
}

struct Contestant {
  std::string program;
  Kind kind;
  int fields;  // that one call of `work` transforms
  std::function<void()> work;
};

/// Our transform of a grid, with arrays of some fields, by default as many as its batch.
class Ours {
 public:
  Ours(int n, Kind kind, int batch, Travel travel, int fields = 0)
      : points_(dense(slabs({n, n, n}, 0, of_world(MPI_Comm_size))[rank()])),
        waves_(dense(slabs(waves_of({n, n, n}, kind), 1, of_world(MPI_Comm_size))[rank()])),
        transform_(MPI_COMM_WORLD, {.grid = {n, n, n},
                                    .kind = kind,
                                    .points = {points_, points_.extent()},
                                    .waves = {waves_, waves_.extent()},
                                    .batch = batch,
                                    .travel = travel}),
        x_(points_.extent() * static_cast<std::size_t>(std::max(batch, fields))),
        y_(waves_.extent() * static_cast<std::size_t>(std::max(batch, fields))) {}

  /// Forward and back.
  void run() {
    transform_.forward(x_.data(), y_.data());
    transform_.backward(y_.data(), x_.data());
  }
  /// All of some fields forward, and then all of them back, one at a time.
  void run_singly(std::size_t fields) {
    for (std::size_t k = 0; k < fields; ++k)
      transform_.forward(x_.data() + k * points_.extent(), y_.data() + k * waves_.extent());
    for (std::size_t k = 0; k < fields; ++k)
      transform_.backward(y_.data() + k * waves_.extent(), x_.data() + k * points_.extent());
  }

  std::vector<Complex>& points() { return x_; }
  /// The wave (x, y, z), which is here.
  Complex wave(int x, int y, int z) const {
    return y_[static_cast<std::size_t>(waves_.at({x, y, z}))];
  }
  void forward() { transform_.forward(x_.data(), y_.data()); }

 private:
  static std::size_t rank() { return static_cast<std::size_t>(of_world(MPI_Comm_rank)); }

  Layout points_, waves_;
  MpiTransform<double> transform_;
  std::vector<Complex> x_, y_;  // room for complex points also if they are real
};

/// FFTW's; of a real transform each row of points is padded to the length of its waves.
class Fftw {
 public:
  Fftw(int n, Kind kind) : n_(n), depth_(waves_of({n, n, n}, kind)[2]) {
    const std::ptrdiff_t room = fftw_mpi_local_size_3d_transposed(
        n, n, depth_, MPI_COMM_WORLD, &rows_, &first_, &wave_rows_, &first_wave_);
    in_ = fftw_alloc_complex(static_cast<std::size_t>(room));
    out_ = fftw_alloc_complex(static_cast<std::size_t>(room));
    constexpr unsigned there = FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT,
                       back = FFTW_MEASURE | FFTW_MPI_TRANSPOSED_IN;
    if (kind == Kind::complex) {
      forward_ = fftw_mpi_plan_dft_3d(n, n, n, in_, out_, MPI_COMM_WORLD, FFTW_FORWARD, there);
      backward_ = fftw_mpi_plan_dft_3d(n, n, n, out_, in_, MPI_COMM_WORLD, FFTW_BACKWARD, back);
    } else {
      auto* const real = reinterpret_cast<double*>(in_);
      forward_ = fftw_mpi_plan_dft_r2c_3d(n, n, n, real, out_, MPI_COMM_WORLD, there);
      backward_ = fftw_mpi_plan_dft_c2r_3d(n, n, n, out_, real, MPI_COMM_WORLD, back);
    }
    std::fill_n(reinterpret_cast<double*>(in_), 2 * room, 0.0);
  }
  ~Fftw() {
    fftw_destroy_plan(forward_);
    fftw_destroy_plan(backward_);
    fftw_free(in_);
    fftw_free(out_);
  }
  Fftw(const Fftw&) = delete;
  Fftw& operator=(const Fftw&) = delete;

  void run() const {
    fftw_execute(forward_);
    fftw_execute(backward_);
  }

  /// The largest difference of the waves of complex transforms from ours, relative to the largest
  /// wave, for the same points.
  double difference(Ours& ours) const {
    const auto points = static_cast<std::size_t>(rows_ * n_ * n_);
    for (std::size_t i = 0; i < points; ++i) {
      const auto place = static_cast<double>(first_ * n_ * n_) + static_cast<double>(i);
      ours.points()[i] = {std::sin(place), std::cos(1.7 * place)};
      in_[i][0] = ours.points()[i].real();
      in_[i][1] = ours.points()[i].imag();
    }
    fftw_execute(forward_);
    ours.forward();
    double all[2] = {}, mine[2] = {};
    for (int y = 0; y < static_cast<int>(wave_rows_); ++y)
      for (int x = 0; x < n_; ++x)
        for (int z = 0; z < n_; ++z) {
          const auto& theirs = out_[(static_cast<std::ptrdiff_t>(y) * n_ + x) * n_ + z];
          const Complex wave = ours.wave(x, y + static_cast<int>(first_wave_), z);
          mine[0] = std::max(mine[0], std::abs(wave - Complex(theirs[0], theirs[1])));
          mine[1] = std::max(mine[1], std::abs(wave));
        }
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all[0] / all[1];
  }

 private:
  int n_, depth_;
  std::ptrdiff_t rows_ = 0, first_ = 0, wave_rows_ = 0, first_wave_ = 0;
  fftw_complex *in_ = nullptr, *out_ = nullptr;
  fftw_plan forward_ = nullptr, backward_ = nullptr;
};

const char* comma = "";

void print(int n, const Contestant& one, const std::vector<double>& seconds) {
  if (of_world(MPI_Comm_rank) != 0) return;
  std::printf("%s\n  {\"n\": %d, \"program\": \"%s\", \"kind\": \"%s\", \"runs\": [", comma, n,
              one.program.c_str(), one.kind == Kind::real ? "real" : "complex");
  comma = ",";
  const char* between = "";
  for (const double value : seconds) {
    std::printf("%s%.2f", between, value * 1e6 / one.fields);
    between = ", ";
  }
  std::printf("]}");
}

void print_in_turns(int n, const std::vector<Contestant>& all, int rounds) {
  std::vector<std::function<void()>> works;
  for (const Contestant& one : all) works.push_back(one.work);
  const auto seconds = bench::in_turns(works, rounds, 0.04, seconds_of);
  for (std::size_t k = 0; k < all.size(); ++k) print(n, all[k], seconds[k]);
}

void compare(int n, int rounds) {
  {
    Ours ours(n, Kind::complex, 1, Travel::messages);
    if (const double error = Fftw(n, Kind::complex).difference(ours); error > 1e-13) {
      std::fprintf(stderr, "rank_peers: waves differ from FFTW's by %g\n", error);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  Ours messages(n, Kind::complex, 1, Travel::messages),
      together(n, Kind::complex, 1, Travel::collective),
      measured(n, Kind::complex, 1, Travel::measured), real(n, Kind::real, 1, Travel::measured);
  const Fftw fftw(n, Kind::complex), real_fftw(n, Kind::real);
  print_in_turns(n,
                 {{"finegrain", Kind::complex, 1, [&] { measured.run(); }},
                  {"finegrain, messages", Kind::complex, 1, [&] { messages.run(); }},
                  {"finegrain, collective", Kind::complex, 1, [&] { together.run(); }},
                  {"FFTW", Kind::complex, 1, [&] { fftw.run(); }},
                  {"finegrain", Kind::real, 1, [&] { real.run(); }},
                  {"FFTW", Kind::real, 1, [&] { real_fftw.run(); }}},
                 rounds);
}

/// Thirty-two fields together and one after the other, each with memory of its own.
void compare_batch(int n, int rounds) {
  Ours batch(n, Kind::complex, 32, Travel::measured);
  Ours single(n, Kind::complex, 1, Travel::measured, 32);
  print_in_turns(n,
                 {{"finegrain, batch of 32", Kind::complex, 32, [&] { batch.run(); }},
                  {"finegrain, 32 singles", Kind::complex, 32, [&] { single.run_singly(32); }}},
                 rounds);
}

}  // namespace
}  // namespace fg::fft

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  const bool first = fg::fft::of_world(MPI_Comm_rank) == 0;
  if (first)
    std::printf("{\"ranks\": %d, \"fftw\": \"%s\", \"entries\": [",
                fg::fft::of_world(MPI_Comm_size), fftw_version);
  for (const int n : {32, 64, 100, 128}) fg::fft::compare(n, rounds);
  fg::fft::compare_batch(64, rounds);
  if (first) std::printf("\n]}\n");
  MPI_Finalize();
}
