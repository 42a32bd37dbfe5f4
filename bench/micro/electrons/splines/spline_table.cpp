// SPDX-License-Identifier: BSD-3-Clause
//
// The nonlocal part of an evaluation, products with projectors and what they add to H psi, and the
// local potential with forces and virial for one set of positions, exactly and by splines of order
// 10, on one core: boxes of water at 70 Ry with one projector for each oxygen, and cubes of silicon
// at 20 Ry with five for each atom. Printed, as JSON, are for each the sizes and the processor
// time: the median of the rounds in which both took turns. The time of the nonlocal part is for one
// block of orbitals, times the number of blocks.
// Usage: spline_table [rounds] > bench/results/ion_splines.json
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
#include "electrons/splines/spline_field.hpp"
#include "electrons/splines/spline_projectors.hpp"

namespace fg::electrons {
namespace {

using Complex = std::complex<double>;

constexpr int order = 10;
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
  std::size_t others;   // that have none
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

/// The half sphere of waves on the grid of splines.
struct Sphere {
  int points;  // along each axis
  std::shared_ptr<const fft::SpherePlan> plan;
  PlaneWaves waves;
};
Sphere sphere(double edge, double longest) {
  const Lattice lattice{{Vec3{edge, 0, 0}, Vec3{0, edge, 0}, Vec3{0, 0, edge}}};
  const int most = static_cast<int>(longest * edge / (2 * std::acos(-1.0)));
  const int points = good_size(static_cast<int>(std::ceil(factor * (2 * most + 1))));
  const fft::Grid grid{points, points, points};
  auto plan = std::make_shared<const fft::SpherePlan>(
      fft::WaveSphere(grid, lattice.reciprocal_rows(), longest, fft::SphereKind::half),
      fft::boxes_for_sphere(grid, 1));
  auto indices = plan->indices_of(0);
  return {points, std::move(plan), PlaneWaves(lattice, std::move(indices))};
}

std::vector<Vec3> places(std::size_t count, double edge) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(0, edge);
  std::vector<Vec3> positions(count);
  for (Vec3& r : positions) r = {place(random), place(random), place(random)};
  return positions;
}

std::vector<Complex> numbers(std::size_t count) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  std::vector<Complex> values(count);
  for (Complex& c : values) c = {normal(random), normal(random)};
  return values;
}

void measure_nonlocal(const System& system, int rounds) {
  const double longest = std::sqrt(2 * system.cutoff);
  const auto [points, plan, waves] = sphere(system.edge, longest);
  ProjectorKind kind;
  for (const int l : system.l) kind.tables.push_back(table(l, longest));
  kind.coupling.resize(system.l.size() * system.l.size());
  for (std::size_t i = 0; i < system.l.size(); ++i) kind.coupling[i * (system.l.size() + 1)] = 1;
  const std::vector<ProjectorKind> kinds{kind};
  const std::vector<int> kind_of_ion(system.ions, 0);
  const std::vector<Vec3> positions = places(system.ions, system.edge);
  const std::size_t block = std::min<std::size_t>(32, system.orbitals);
  const std::vector<Complex> psi = numbers(block * waves.size());
  std::vector<Complex> applied(psi.size());
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
  std::printf(
      "    \"nonlocal\": {\"rows\": %zu, \"ions\": %zu, \"orbitals\": %zu, \"waves\": %zu, "
      "\"grid\": %d, \"exact_seconds\": %.4g, \"spline_seconds\": %.4g},\n",
      exact.rows(), system.ions, system.orbitals, waves.size(), points, blocks * seconds[0],
      blocks * seconds[1]);
}

void measure_local(const System& system, int rounds) {
  const auto [points, plan, waves] = sphere(system.edge, 2 * std::sqrt(2 * system.cutoff));
  std::vector<int> kind_of_ion(system.ions, 0);
  kind_of_ion.resize(system.ions + system.others, 1);
  std::vector<RadialWaves> kinds;
  for (int k = 0; k < (system.others > 0 ? 2 : 1); ++k)
    kinds.push_back({std::vector<double>(waves.size(), 1), std::vector<double>(waves.size(), 1)});
  const std::vector<Vec3> positions = places(kind_of_ion.size(), system.edge);
  const std::vector<Complex> density = numbers(waves.size());
  std::vector<Complex> field(waves.size());
  std::vector<Vec3> forces(positions.size());
  Virial virial{};
  IonField exact(waves, kinds, kind_of_ion);
  SplineField splines(plan, waves, kinds, kind_of_ion, order);
  const auto evaluate = [&](auto& ions) {
    ions.write(positions, field);
    ions.add_forces(positions, density, forces);
    ions.add_virial(positions, density, virial);
  };
  const auto seconds = bench::medians({[&] { evaluate(exact); }, [&] { evaluate(splines); }},
                                      rounds, 0.2, seconds_of);
  std::printf(
      "    \"local\": {\"kinds\": %zu, \"ions\": %zu, \"waves\": %zu, \"grid\": %d, "
      "\"exact_seconds\": %.4g, \"spline_seconds\": %.4g}}",
      kinds.size(), kind_of_ion.size(), waves.size(), points, seconds[0], seconds[1]);
}

void run(int rounds) {
  std::vector<System> systems;
  for (const std::size_t waters : {8, 16, 32, 64, 128, 256})
    systems.push_back({std::to_string(waters) + " waters",
                       18.63 * std::cbrt(static_cast<double>(waters) / 32),
                       35,
                       waters,
                       2 * waters,
                       {0},
                       4 * waters});
  for (const std::size_t cells : {1, 2, 3, 4}) {
    const std::size_t atoms = 8 * cells * cells * cells;
    systems.push_back({"silicon, " + std::to_string(atoms) + " atoms",
                       10.26 * static_cast<double>(cells),
                       10,
                       atoms,
                       0,
                       {0, 0, 1},
                       2 * atoms});
  }
  std::printf("{\"order\": %d, \"rounds\": %d, \"systems\": [\n", order, rounds);
  for (const System& system : systems) {
    std::printf("  {\"system\": \"%s\",\n", system.name.c_str());
    measure_nonlocal(system, rounds);
    measure_local(system, rounds);
    std::printf("%s\n", &system == &systems.back() ? "" : ",");
    std::fflush(stdout);
  }
  std::printf("]}\n");
}

}  // namespace
}  // namespace fg::electrons

int main(int count, char** arguments) {
  fg::electrons::run(count > 1 ? std::max(1, std::atoi(arguments[1])) : 5);
}
