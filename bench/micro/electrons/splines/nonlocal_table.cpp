// SPDX-License-Identifier: BSD-3-Clause
//
// The nonlocal part of an evaluation, products with projectors and what they add to H psi, exactly
// and by splines of order 8, on one core: boxes of water at 70 Ry with one projector for each
// oxygen, and cubes of silicon at 20 Ry with five for each atom. Printed, as JSON, are for each the
// sizes and the processor time of all orbitals: the median of the rounds in which both took turns,
// for one block of orbitals, times the number of blocks.
// Usage: nonlocal_table [rounds]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "../../in_turns.hpp"
#include "electrons/splines/spline_projectors.hpp"

namespace fg::electrons {
namespace {

using Complex = std::complex<double>;

constexpr int order = 8;
constexpr double factor = 1.4;  // of the grid of splines, beside the smallest that holds the waves

double seconds_of(const std::function<void()>& work, int times) {
  const std::clock_t start = std::clock();
  for (int i = 0; i < times; ++i) work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / times;
}

struct System {
  std::string name;
  double edge, cutoff;  // bohr, hartree
  std::size_t ions;     // that have projectors
  std::vector<int> l;   // of the projectors of one
  std::size_t orbitals;
};

RadialTable table(int l, double longest) {
  std::vector<double> values;
  for (int i = 0; i * 0.02 < longest + 0.2; ++i)
    values.push_back(std::pow(i * 0.02, l) * std::exp(-i * i * 4e-4 / 8));
  return {std::move(values), 0.02, l};
}

/// The smallest product of 2, 3, 5 and 7 from `least` on.
int good_size(int least) {
  for (int size = least;; ++size) {
    int rest = size;
    for (const int prime : {2, 3, 5, 7})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return size;
  }
}

void measure(const System& system, int rounds, bool last) {
  const double longest = std::sqrt(2 * system.cutoff), a = system.edge;
  const Lattice lattice{{Vec3{a, 0, 0}, Vec3{0, a, 0}, Vec3{0, 0, a}}};
  const int most = static_cast<int>(longest * a / (2 * std::acos(-1.0)));
  const int points = good_size(static_cast<int>(std::ceil(factor * (2 * most + 1))));
  const fft::Grid grid{points, points, points};
  const auto plan = std::make_shared<const fft::SpherePlan>(
      fft::WaveSphere(grid, lattice.reciprocal_rows(), longest, fft::SphereKind::half),
      fft::boxes_for_sphere(grid, 1));
  const PlaneWaves waves(lattice, plan->indices_of(0));
  ProjectorKind kind;
  for (const int l : system.l) kind.tables.push_back(table(l, longest));
  kind.coupling.resize(system.l.size() * system.l.size());
  for (std::size_t i = 0; i < system.l.size(); ++i) kind.coupling[i * (system.l.size() + 1)] = 1;
  const std::vector<ProjectorKind> kinds{kind};
  const std::vector<int> kind_of_ion(system.ions, 0);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(0, a);
  std::vector<Vec3> positions(system.ions);
  for (Vec3& r : positions) r = {place(random), place(random), place(random)};
  const std::size_t block = std::min<std::size_t>(32, system.orbitals);
  std::vector<Complex> psi(block * waves.size()), applied(psi.size());
  for (Complex& c : psi) c = {place(random) - a / 2, place(random) - a / 2};

  Projectors exact(waves, kinds, kind_of_ion);
  SplineProjectors splines(plan, waves, kinds, kind_of_ion, order);
  exact.place(positions);
  splines.place(positions);
  std::vector<double> z(exact.rows() * block), dz(z.size());
  const auto evaluate = [&](auto& projectors) {
    projectors.project(psi, block, z);
    projectors.coupling().couple(z, block, dz);
    projectors.apply(dz, block, applied);
  };
  const auto seconds = bench::medians({[&] { evaluate(exact); }, [&] { evaluate(splines); }},
                                      rounds, 0.2, seconds_of);
  const double blocks = static_cast<double>(system.orbitals) / static_cast<double>(block);
  std::size_t channels = 0;
  for (const int l : system.l) channels += 2 * static_cast<std::size_t>(l) + 1;
  std::printf(
      "  {\"system\": \"%s\", \"orbitals\": %zu, \"waves\": %zu, \"rows\": %zu, \"channels\": %zu, "
      "\"ions\": %zu, \"order\": %d, \"spline_grid\": %d, \"exact_seconds\": %.4g, "
      "\"spline_seconds\": %.4g}%s\n",
      system.name.c_str(), system.orbitals, waves.size(), exact.rows(), channels, system.ions,
      order, points, blocks * seconds[0], blocks * seconds[1], last ? "" : ",");
  std::fflush(stdout);
}

void run(int rounds) {
  std::vector<System> systems;
  for (const std::size_t waters : {8, 16, 32, 64})
    systems.push_back({std::to_string(waters) + " waters",
                       18.63 * std::cbrt(static_cast<double>(waters) / 32),
                       35,
                       waters,
                       {0},
                       4 * waters});
  for (const std::size_t cells : {1, 2, 3})
    systems.push_back({"silicon " + std::to_string(8 * cells * cells * cells),
                       10.26 * static_cast<double>(cells),
                       10,
                       8 * cells * cells * cells,
                       {0, 0, 1},
                       16 * cells * cells * cells});
  std::printf("[\n");
  for (const System& system : systems) measure(system, rounds, &system == &systems.back());
  std::printf("]\n");
}

}  // namespace
}  // namespace fg::electrons

int main(int count, char** arguments) {
  fg::electrons::run(count > 1 ? std::max(1, std::atoi(arguments[1])) : 5);
}
