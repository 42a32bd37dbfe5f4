// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of one patch's pair work on water like that of DHFR in water: 5 patches per axis of 188
// atoms, cutoff 9, lists 10 and 9.3 Angstrom. Counters: nanoseconds per useful pair (closer than
// the cutoff) and useful pairs per pair computed; compare with `gmx nonbonded-benchmark` (see
// README). For the bound of the kernel (roof.py): nanoseconds per row, which is 16 pairs computed,
// the shares of rows by the number of atoms with Lennard-Jones of their home quad, as the kernel
// has forms for them, and the frequency of the core from a chain of multiplications.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "forces/pair/pair_kernel.hpp"
#include "particles/assignment/pair_runs.hpp"
#include "support/classical/pair_system.hpp"

namespace {

using namespace fg;

PairSettings settings(Bits bits = Bits::fast) {
  constexpr double angstrom = 1.0 / units::bohr_in_angstrom;
  return {.cutoff = 9.0 * angstrom,
          .switch_distance = 0,
          .coulomb = Coulomb::ewald,
          .ewald_coefficient = 0.35 / angstrom,
          .list_cutoff = 10.0 * angstrom,
          .inner_list_cutoff = 9.3 * angstrom,
          .bits = bits};
}

/// 20^3 molecules in 62 Angstrom give 188 atoms per patch.
template <class Real, bool typed = false, Bits bits = Bits::fast>
struct Water {
  test::PairSystem system = make();
  test::PatchedSystem<Real> patched{system, {5, 5, 5}, settings(bits)};
  double pairs_per_compute;

  static test::PairSystem make() {
    auto water = test::make_water({20, 20, 20}, 7, false);
    if (typed) test::give_types(water);
    return water;
  }
  Water() {
    const double rc = settings().cutoff;
    const double density = system.positions.size() / system.box.volume();
    const double neighbours = density * 4.0 / 3.0 * M_PI * rc * rc * rc;
    pairs_per_compute = 0.5 * neighbours * system.positions.size() / 125;
  }
  static Water& get() {
    static Water water;
    return water;
  }
};

/// Numbers of rows of 16 pairs: by how many atoms of the home quad have Lennard-Jones terms (none,
/// one, two, more), with a mask, and all.
struct RowShares {
  std::array<double, 4> by_lennard_jones{};
  double masked = 0, all = 0;

  template <class Real>
  void add(const PairWork<Real>& work) {
    for (const PairRow& row : work.inner_list().rows) {
      const double with_mask = row.masked_end - row.masked_begin;
      const double rows = with_mask + row.free_end - row.free_begin;
      by_lennard_jones[std::min<std::size_t>(row.lennard_jones, 3)] += rows;
      masked += with_mask;
      all += rows;
    }
  }
  void tell(benchmark::State& state) const {
    constexpr std::array<const char*, 4> names{"rows_0", "rows_1", "rows_2", "rows_4"};
    for (std::size_t i = 0; i < names.size(); ++i)
      state.counters[names[i]] = by_lennard_jones[i] / all;
    state.counters["masked"] = masked / all;
    state.counters["ewald_terms"] = PairKernel<float>(settings(), {}).ewald_terms();
  }
};

template <class Real, bool typed = false, Bits bits = Bits::fast, class Work>
void time(benchmark::State& state, Work work) {
  auto& water = Water<Real, typed, bits>::get();
  std::vector<PairWork<Real>*> computes;
  double computed = 0;
  RowShares shares;
  water.patched.for_each_compute([&](PairWork<Real>& w, const auto&) {
    computes.push_back(&w);
    shares.add(w);
    computed += 16.0 * (w.inner_list().free.size() + w.inner_list().masked.size());
  });
  std::size_t next = 0;
  for (auto _ : state) {
    work(*computes[next]);
    next = next + 1 < computes.size() ? next + 1 : 0;
  }
  state.counters["ns_per_pair"] =
      benchmark::Counter(water.pairs_per_compute * 1e-9 * state.iterations(),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["useful"] = water.pairs_per_compute * computes.size() / computed;
  const double rows = computed / 16 / computes.size();
  state.counters["ns_per_row"] = benchmark::Counter(
      rows * 1e-9 * state.iterations(), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  shares.tell(state);
}

#if defined(__x86_64__)
/// Each multiplication waits for the one before it, for three cycles on all cores with AVX2.
void chain_of_multiplications(benchmark::State& state) {
  constexpr int links = 1000, cycles = 3;
  std::uint64_t value = 3;
  for (auto _ : state)
    for (int i = 0; i < links; ++i) asm volatile("imul %0, %0" : "+r"(value));
  state.counters["cycles_per_ns"] =
      benchmark::Counter(1e-9 * links * cycles * state.iterations(), benchmark::Counter::kIsRate);
}
BENCHMARK(chain_of_multiplications)->Unit(benchmark::kMicrosecond);
#endif

void pair_forces_mixed(benchmark::State& state) {
  time<float>(state, [](auto& work) { work.forces(); });
}
/// Lennard-Jones by a table of pairs of types.
void pair_forces_typed(benchmark::State& state) {
  time<float, true>(state, [](auto& work) { work.forces(); });
}
void pair_forces_portable(benchmark::State& state) {
  time<float, false, Bits::portable>(state, [](auto& work) { work.forces(); });
}
void pair_forces_typed_portable(benchmark::State& state) {
  time<float, true, Bits::portable>(state, [](auto& work) { work.forces(); });
}
void pair_energies_mixed(benchmark::State& state) {
  time<float>(state, [](auto& work) { work.energies(); });
}
void prune_mixed(benchmark::State& state) {
  time<float>(state, [](auto& work) { work.prune(); });
}
void build_list_mixed(benchmark::State& state) {
  time<float>(state, [](auto& work) { work.build_list(); });
}
void pair_forces_double(benchmark::State& state) {
  time<double>(state, [](auto& work) { work.forces(); });
}
BENCHMARK(pair_forces_mixed)->Unit(benchmark::kMicrosecond);
BENCHMARK(pair_forces_typed)->Unit(benchmark::kMicrosecond);
BENCHMARK(pair_forces_portable)->Unit(benchmark::kMicrosecond);
BENCHMARK(pair_forces_typed_portable)->Unit(benchmark::kMicrosecond);
BENCHMARK(pair_energies_mixed)->Unit(benchmark::kMicrosecond);
BENCHMARK(prune_mixed)->Unit(benchmark::kMicrosecond);
BENCHMARK(build_list_mixed)->Unit(benchmark::kMicrosecond);
BENCHMARK(pair_forces_double)->Unit(benchmark::kMicrosecond);

/// A step as in the engine: computes of all patches, each with so many runs of the half shell, one
/// after the other in the same memory. All that a compute does: positions in, forces, forces out;
/// per step of the whole system on one core.
void step_mixed(benchmark::State& state) {
  static test::PairSystem system = test::make_water({20, 20, 20}, 7, false);
  const PairRuns runs(HalfShell(), static_cast<int>(state.range(0)));
  std::vector<int> lengths;
  for (int i = 0; i < runs.count(); ++i) lengths.push_back(static_cast<int>(runs.run(i).size()));
  test::PatchedSystem<float> patched(system, {4, 4, 4}, settings(), lengths);
  AlignedVector<float> quads;
  std::vector<std::int64_t> sums(24 * 100);
  double computed = 0;
  patched.for_each_compute([&](PairWork<float>& w, const auto&) {
    computed += 16.0 * (w.inner_list().free.size() + w.inner_list().masked.size());
  });
  for (auto _ : state) {
    for (int c = 0; c < patched.computes(); ++c) {
      PairWork<float>& work = patched.place(c, quads);
      work.forces();
      for (int p = 0; p < work.neighbourhood().partners(); ++p)
        benchmark::DoNotOptimize(work.add_forces(p, sums.data()));
    }
  }
  const double pairs = 125 * Water<float>::get().pairs_per_compute;
  state.counters["ns_per_pair"] = benchmark::Counter(
      pairs * 1e-9 * state.iterations(), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["useful"] = pairs / computed;
}
BENCHMARK(step_mixed)
    ->ArgName("runs")
    ->Arg(14)
    ->Arg(8)
    ->Arg(5)
    ->Arg(4)
    ->Arg(3)
    ->Arg(2)
    ->Arg(1)
    ->Unit(benchmark::kMicrosecond);

/// The same in one run, in ever smaller patches; without `forces` positions are placed only.
void step_of_patches(benchmark::State& state) {
  static test::PairSystem system = test::make_water({20, 20, 20}, 7, false);
  const int number = static_cast<int>(state.range(0)), reach = static_cast<int>(state.range(1));
  test::PatchedSystem<float> patched(system, {number, number, number}, settings(), {},
                                     HalfShell({reach, reach, reach}));
  AlignedVector<float> quads;
  std::vector<std::int64_t> sums(24 * 2000);
  double computed = 0, rows = 0;
  patched.for_each_compute([&](PairWork<float>& w, const auto&) {
    computed += 16.0 * (w.inner_list().free.size() + w.inner_list().masked.size());
    rows += w.inner_list().rows.size();
  });
  for (auto _ : state) {
    for (int c = 0; c < patched.computes(); ++c) {
      PairWork<float>& work = patched.place(c, quads);
      if (state.range(2) == 0) continue;
      work.forces();
      for (int p = 0; p < work.neighbourhood().partners(); ++p)
        benchmark::DoNotOptimize(work.add_forces(p, sums.data()));
    }
  }
  state.counters["useful"] = 125 * Water<float>::get().pairs_per_compute / computed;
  state.counters["rows"] = rows;
  state.counters["quads_a_row"] = computed / 16 / rows;
}
BENCHMARK(step_of_patches)
    ->ArgNames({"patches", "reach", "forces"})
    ->ArgsProduct({{2, 4}, {1}, {0, 1}})
    ->ArgsProduct({{6, 8}, {2}, {0, 1}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
