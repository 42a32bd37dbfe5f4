// SPDX-License-Identifier: BSD-3-Clause
//
// The engine's lines beside FFTW's, planned with ESTIMATE and with MEASURE, and MKL's where it is
// installed: batches of lines in four layouts, and whole meshes in place. All take turns; printed
// are the medians of the rounds, and the engine's time over that of the others.
// Usage: line_table [rounds]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "../in_turns.hpp"
#include "base/aligned_vector.hpp"
#include "base/simd_targets.hpp"
#include "fft/lines/line_transform.hpp"
#include "hwy/targets.h"
#include "yardsticks/fftw_lines.hpp"

#ifdef FG_HAS_MKL
#include "yardsticks/mkl_lines.hpp"
#endif

namespace fg::fft {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const std::function<void()>& work, int times) {
  const auto start = Clock::now();
  for (int i = 0; i < times; ++i) work();
  return std::chrono::duration<double>(Clock::now() - start).count() / times;
}

template <class Real>
AlignedVector<std::complex<Real>> random_points(std::size_t count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<Real> unit(-1, 1);
  AlignedVector<std::complex<Real>> values(count);
  for (auto& value : values) value = {unit(random), unit(random)};
  return values;
}

template <class Real>
const char* name() {
  return sizeof(Real) == 4 ? "float" : "double";
}

/// As many lines as a pencil of a mesh has; they and their results fit in the second cache.
constexpr int width = 16, planes = 9;

using Works = std::vector<std::function<void()>>;

/// One row: the engine's time first, each divided by what is in `unit` seconds.
void print_row(const char* type, const std::string& what, const char* layouts,
               const std::vector<double>& times, double unit) {
  std::printf("%-6s %5s  %-27s", type, what.c_str(), layouts);
  for (const double time : times) std::printf(" %9.1f", time / unit);
  for (std::size_t k = 1; k < times.size(); ++k) std::printf(" %7.2f", times[0] / times[k]);
  std::printf("\n");
  std::fflush(stdout);
}

template <class Real>
void compare_lines(const char* layouts, const LineBatch& batch, int rounds) {
  const std::size_t points = static_cast<std::size_t>(batch.length) * width * planes;
  const auto in = random_points<Real>(points);
  AlignedVector<std::complex<Real>> out(points);
  const LineTransform<Real> own(batch, Direction::forward);
  const FftwLines<Real> estimate(batch, Direction::forward, FftwEffort::estimate);
  const FftwLines<Real> measure(batch, Direction::forward, FftwEffort::measure);
  Works works{[&] { own.execute(in.data(), out.data()); },
              [&] { estimate.execute(in.data(), out.data()); },
              [&] { measure.execute(in.data(), out.data()); }};
#ifdef FG_HAS_MKL
  const MklLines<Real> mkl(batch, Direction::forward);
  works.emplace_back([&] { mkl.execute(in.data(), out.data()); });
#endif
  const auto times = bench::medians(works, rounds, 0.01, seconds_of);
  print_row(name<Real>(), std::to_string(batch.length), layouts, times, width * planes * 1e-9);
}

template <class Real>
void compare_layouts(int n, int rounds) {
  const LineLayout contiguous{1, n, n * width}, side_by_side{width, 1, n * width};
  compare_lines<Real>("contiguous", {n, width, planes, contiguous, contiguous}, rounds);
  compare_lines<Real>("side by side", {n, width, planes, side_by_side, side_by_side}, rounds);
  compare_lines<Real>("side by side to contiguous", {n, width, planes, side_by_side, contiguous},
                      rounds);
  compare_lines<Real>("contiguous to side by side", {n, width, planes, contiguous, side_by_side},
                      rounds);
}

/// A mesh [x][y][z] in place: z and y of one plane while it is in the cache, then x.
template <class Real>
class Mesh {
 public:
  explicit Mesh(int n)
      : planes_(n),
        plane_(static_cast<std::size_t>(n) * n),
        z_({n, n, 1, {1, n, 0}, {1, n, 0}}, Direction::forward),
        y_({n, n, 1, {n, 1, 0}, {n, 1, 0}}, Direction::forward),
        x_({n, n * n, 1, {n * n, 1, 0}, {n * n, 1, 0}}, Direction::forward) {}

  void execute(std::complex<Real>* mesh) const {
    for (int p = 0; p < planes_; ++p) {
      std::complex<Real>* plane = mesh + p * plane_;
      z_.execute(plane, plane);
      y_.execute(plane, plane);
    }
    x_.execute(mesh, mesh);
  }

 private:
  int planes_;
  std::size_t plane_;
  LineTransform<Real> z_, y_, x_;
};

template <class Real>
void compare_meshes(int n, int rounds) {
  const std::size_t points = static_cast<std::size_t>(n) * n * n;
  // A transform in place makes numbers larger by sqrt(points). So they begin small, and are
  // made small again after a few transforms; that is not timed.
  constexpr int in_a_row = 8;
  auto small = random_points<Real>(points);
  for (auto& value : small) value *= Real(1e-15F);
  AlignedVector<std::complex<Real>> mesh(points);
  const auto seconds_of_some = [&](const std::function<void()>& work, int times) {
    double seconds = 0;
    for (int done = 0; done < times; done += in_a_row) {
      std::copy(small.begin(), small.end(), mesh.begin());
      const int now = std::min(in_a_row, times - done);
      seconds += now * seconds_of(work, now);
    }
    return seconds / times;
  };
  const Mesh<Real> own(n);
  const FftwMesh<Real> estimate(n, n, n, FftwEffort::estimate);
  const FftwMesh<Real> measure(n, n, n, FftwEffort::measure);
  Works works{[&] { own.execute(mesh.data()); }, [&] { estimate.execute(mesh.data()); },
              [&] { measure.execute(mesh.data()); }};
#ifdef FG_HAS_MKL
  const MklMesh<Real> mkl(n, n, n);
  works.emplace_back([&] { mkl.execute(mesh.data()); });
#endif
  const auto times = bench::medians(works, rounds, 0.01, seconds_of_some);
  print_row(name<Real>(), std::to_string(n) + "^3", "mesh [us]", times, 1e-6);
}

void compare_all(int rounds) {
  std::vector<const char*> others{"ESTIMATE", "MEASURE"};
  std::string versions = fftw_description();
#ifdef FG_HAS_MKL
  others.push_back("MKL");
  versions += "; " + mkl_description();
#endif
  std::printf("%s; SIMD target %s; ns a line, us a mesh; %d rounds\n", versions.c_str(),
              hwy::TargetName(simd_target_in_use()), rounds);
  std::printf("%-6s %5s  %-27s %9s", "type", "n", "layout", "own");
  for (const char* other : others) std::printf(" %9s", other);
  for (const char* other : others) std::printf(" own/%.3s", other);
  std::printf("\n");
  for (const int n : {32, 64, 72, 97, 100, 128}) {
    compare_layouts<float>(n, rounds);
    compare_layouts<double>(n, rounds);
  }
  for (const int n : {32, 64, 72, 97, 100, 128}) {
    compare_meshes<float>(n, rounds);
    compare_meshes<double>(n, rounds);
  }
}

}  // namespace
}  // namespace fg::fft

int main(int count, char** words) {
  fg::fft::compare_all(count > 1 ? std::atoi(words[1]) : 5);
}
