// SPDX-License-Identifier: BSD-3-Clause
//
// Nanoseconds per atom for the parts of a step, for a patch of the size and composition of the DHFR
// benchmark (7,023 waters, 2,489 protein atoms, 64 patches), and for all parts together.
#include <benchmark/benchmark.h>

#include "base/philox.hpp"
#include "motion/kinetic.hpp"
#include "motion/langevin.hpp"
#include "motion/updates.hpp"
#include "motion/verlet.hpp"
#include "support/classical/moving_systems.hpp"

namespace fg::test {
namespace {

constexpr double timestep = 2 * femtosecond;
constexpr double temperature = 300 * kelvin;

struct Patch {
  explicit Patch(const Census& census)
      : system(SystemMaker(1, 20.0).make(census)), constraints(place_all(system)) {
    std::mt19937_64 random(2);
    for (int atom = 0; atom < system.size(); ++atom) {
      const double speed = std::sqrt(temperature / system.mass[atom]);
      system.atoms.set_velocity(system.slot_of_atom[atom], random_vector(random, speed));
    }
    constraints.apply_to_velocities(system.atoms);
  }
  SmallSystem system;
  PatchConstraints constraints;
};

// DHFR: 1,249 hydrogens of the protein on about 800 centres, and 440 atoms without any.
Census one_patch() {
  return {.waters = 110, .stars = {7, 4, 1, 0}, .free_atoms = 7};
}
Census whole() {
  return {.waters = 7023, .stars = {484, 249, 89, 0}, .free_atoms = 418};
}

template <class Step>
void run(benchmark::State& state, const Step& step) {
  Patch patch(state.range(0) == 0 ? one_patch() : whole());
  std::int64_t i = 0;
  for (auto _ : state) step(patch, ++i);
  state.counters["ns_per_atom"] =
      benchmark::Counter(1e-9 * patch.system.size() * double(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void langevin_step(benchmark::State& state) {
  double heat = 0;
  run(state, [&heat](Patch& p, std::int64_t i) {
    langevin_middle_step(p.system.atoms, p.constraints, {timestep, temperature, 2e-5, 7}, i, heat);
  });
}
void verlet_step(benchmark::State& state) {
  run(state, [](Patch& p, std::int64_t) {
    verlet_first_half(p.system.atoms, p.constraints, timestep);
    verlet_second_half(p.system.atoms, p.constraints, timestep);
  });
}
void normals(benchmark::State& state) {
  run(state, [](Patch& p, std::int64_t i) {
    normal_triples({7, std::uint64_t(i), RandomPurpose::langevin}, p.system.atoms.ids(),
                   p.system.atoms.noise());
  });
}
void position_constraints(benchmark::State& state) {
  run(state, [](Patch& p, std::int64_t) {
    kick_and_drift(p.system.atoms, 0, timestep);
    p.constraints.apply_to_positions(p.system.atoms, 1 / timestep);
  });
}
void velocity_constraints(benchmark::State& state) {
  run(state, [](Patch& p, std::int64_t) { p.constraints.apply_to_velocities(p.system.atoms); });
}
void kicks_and_drifts(benchmark::State& state) {
  run(state, [](Patch& p, std::int64_t) {
    remember_positions(p.system.atoms);
    kick(p.system.atoms, timestep);
    drift_with_noise(p.system.atoms, timestep, 0.999, 0.0);
  });
}
void kinetic(benchmark::State& state) {
  run(state, [](Patch& p, std::int64_t) {
    double energy = kinetic_energy(p.system.atoms);
    benchmark::DoNotOptimize(energy);
  });
}

BENCHMARK(langevin_step)->Arg(0)->Arg(1);
BENCHMARK(verlet_step)->Arg(0)->Arg(1);
BENCHMARK(normals)->Arg(0)->Arg(1);
BENCHMARK(position_constraints)->Arg(0)->Arg(1);
BENCHMARK(velocity_constraints)->Arg(0)->Arg(1);
BENCHMARK(kicks_and_drifts)->Arg(0)->Arg(1);
BENCHMARK(kinetic)->Arg(0)->Arg(1);

}  // namespace
}  // namespace fg::test

BENCHMARK_MAIN();
