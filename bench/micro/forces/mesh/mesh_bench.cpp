// SPDX-License-Identifier: BSD-3-Clause
//
// The reciprocal sum of a system the size of DHFR, phase by phase on one core: 23,559 atoms as
// rigid waters in a cube of 62.23 angstrom, mesh 64^3, 5 x 5 x 5 patches, 4 x 4 pencils. Each
// figure is one phase of one step for the whole system. Steps through the runtime: `MeshStep`.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "base/units.hpp"
#include "fft/pencils/pencil_lines.hpp"
#include "forces/mesh/charge_lines.hpp"
#include "support/classical/mesh_machine.hpp"

namespace fg {
namespace {

constexpr double edge = 62.23 / units::bohr_in_angstrom;
constexpr std::array<int, 3> patch_shape{5, 5, 5};
constexpr double reach = 2.0 / units::bohr_in_angstrom;

MeshSettings settings_of(int order) {
  return {.box = {{edge, edge, edge}},
          .mesh = {64, 64, 64},
          .order = order,
          .alpha = 0.35 * units::bohr_in_angstrom};
}

/// Atoms of a molecule are next to each other; molecules are in the order of small cells.
const test::Charges& waters() {
  static const test::Charges all = [] {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    const double bond = 0.9572 / units::bohr_in_angstrom;
    test::Charges result;
    // 10 slabs of cells half a patch wide, so that runs of atoms are compact.
    for (int cell = 0; cell < 1000; ++cell)
      for (int k = 0; k < 8 && result.positions.size() < 23559; ++k) {
        const auto place = [&](int c) { return (c + 0.5 + 0.5 * unit(random)) * edge / 10; };
        const Vec3 oxygen{place(cell / 100), place(cell / 10 % 10), place(cell % 10)};
        for (double charge : {-0.834, 0.417, 0.417}) {
          Vec3 bond_vector{unit(random), unit(random), unit(random)};
          bond_vector *= charge < 0 ? 0 : bond / norm(bond_vector);
          Vec3 position = oxygen + bond_vector;
          for (int a = 0; a < 3; ++a) position[a] = std::clamp(position[a], 0.0, edge * 0.999999);
          result.positions.push_back(position);
          result.charges.push_back(charge);
        }
      }
    return result;
  }();
  return all;
}

/// All work of a step except the messages.
template <class Real>
struct Bench {
  struct Patch {
    test::PatchContents<Real> contents;
    SplineAtoms<Real> atoms{};
    fft::GridBox frame, box;
    SplineTable<Real> table;
    AlignedVector<Real> grid;
    PotentialRows<Real> potential;
    std::vector<Real> forces;
    std::vector<std::pair<int, AlignedVector<Real>>> blocks;  // pencil, values

    GridView<Real> view() {
      GridView<Real> v{grid.data(), {}, {}};
      for (int a = 0; a < 3; ++a) v.low[a] = box.low[a] - frame.low[a], v.size[a] = box.size(a);
      return v;
    }
  };

  explicit Bench(int order, int a = 4, int b = 4)
      : division{PatchGrid(settings_of(order).box, patch_shape),
                 settings_of(order),
                 {{64, 64, 64}, {a, b}},
                 reach} {
    for (int p = 0; p < division.patches.size(); ++p) {
      const auto index = division.patches.unflat(p);
      auto& patch = patches.emplace_back(Patch{.contents = {division.patches, index, waters()},
                                               .frame = frame_of(division, index)});
      patch.table.resize(order, patch.contents.block.clusters);
      patch.grid.reserve(patch.frame.volume() + grid_tail);
      patch.forces.resize(24 * patch.contents.block.clusters);
    }
    for (auto& patch : patches) {
      const Vec3 centre = division.patches.centre(division.patches.unflat(&patch - patches.data()));
      patch.atoms = {
          patch.contents.positions.data(), patch.contents.block.charge.data(), {}, {}, {}};
      for (int axis = 0; axis < 3; ++axis) {
        const double density = 64 / edge;
        patch.atoms.density[axis] = static_cast<Real>(density);
        patch.atoms.centre[axis] =
            static_cast<Real>(centre[axis] * density - patch.frame.low[axis]);
        patch.atoms.room[axis] = patch.frame.size(axis);
      }
    }
    const MeshClient<Real> client{std::make_shared<MeshSetup<Real>>(
        MeshSetup<Real>{.division = division, .constants = {}, .patches = {}, .deposits = {}})};
    for (int i = 0; i < a; ++i)
      for (int j = 0; j < b; ++j) {
        const fft::PencilIndex index{i, j};
        charges.emplace_back(client, index);
        z.emplace_back(division.pencils, index);
        y.emplace_back(division.pencils, index);
        x.emplace_back(division.pencils, index);
        waves.emplace_back(client, index);
      }
    std::size_t room = 0;
    for (int k = 0; k < std::max(a, b); ++k)
      for (int l = 0; l < std::max(a, b); ++l)
        room = std::max({room, fft::zy_piece(division.pencils, k % a, l % b, k % b),
                         fft::yx_piece(division.pencils, k % b, l % a, k % a)});
    pieces.resize(charges.size() * most_partners() * room);
    for (std::size_t k = 0; k < charges.size() * most_partners(); ++k)
      places.push_back(pieces.data() + k * room);
    splines();
    for (auto& patch : patches)
      for (std::size_t p = 0; p < charges.size(); ++p)
        if (const auto points = charges[p].points_of(patch.box))
          patch.blocks.emplace_back(p, AlignedVector<Real>(points));
  }

  void splines() {
    for (auto& patch : patches) {
      const auto touched = make_splines(patch.atoms, patch.table);
      for (int a = 0; a < 3; ++a) {
        patch.box.low[a] = patch.frame.low[a] + touched.low[a];
        patch.box.high[a] = patch.frame.low[a] + touched.high[a];
      }
    }
  }
  void spread() {
    for (auto& patch : patches) {
      std::fill_n(patch.grid.data(), patch.box.volume() + grid_tail, Real(0));
      spread_charges(patch.table, patch.view());
    }
  }
  void gather() {
    for (auto& patch : patches) {
      const auto v = patch.view();
      patch.potential.set({v.values, v.low, v.size});
      gather_forces(patch.table, patch.potential, patch.forces.data());
    }
  }
  void add() {
    for (auto& patch : patches)
      for (auto& [pencil, block] : patch.blocks)
        charges[pencil].add_block(patch.box, patch.grid.data());
  }
  /// For spreaders of other processes.
  void copy_potential() {
    for (auto& patch : patches)
      for (auto& [pencil, block] : patch.blocks)
        charges[pencil].copy_block(patch.box, block.data());
  }
  void transform_z() {
    for (std::size_t p = 0; p < z.size(); ++p)
      z[p].forward([&](int i, int j, auto* line) { charges[p].read_pair(i, j, line); }, of_z(p));
    for (std::size_t p = 0; p < z.size(); ++p)
      z[p].backward(fixed(of_z(p)),
                    [&](const auto* line, int i, int j) { charges[p].write_pair(line, i, j); });
  }
  void transform_y() {
    for (std::size_t p = 0; p < y.size(); ++p) y[p].forward(fixed(of_z(p)), of_x(p));
    for (std::size_t p = 0; p < y.size(); ++p) y[p].backward(fixed(of_x(p)), of_z(p));
  }
  void transform_x() {
    for (std::size_t p = 0; p < x.size(); ++p) {
      x[p].forward(fixed(of_x(p)));
      x[p].backward(of_x(p));
    }
  }
  void convolution() {
    for (std::size_t p = 0; p < x.size(); ++p) waves[p].convolve(x[p].waves());
  }

  /// Pieces of pencil p: room for the largest ones. Which pencil wrote them does not matter
  /// here.
  fft::Pieces<Real> of_z(std::size_t p) { return of(p, division.pencils.grid()[1]); }
  fft::Pieces<Real> of_x(std::size_t p) { return of(p, division.pencils.grid()[0]); }
  fft::Pieces<Real> of(std::size_t p, int partners) {
    return std::span(places).subspan(p * most_partners(), static_cast<std::size_t>(partners));
  }
  static fft::ConstPieces<Real> fixed(fft::Pieces<Real> pieces) {
    return {pieces.data(), pieces.size()};
  }
  std::size_t most_partners() const {
    return static_cast<std::size_t>(
        std::max(division.pencils.grid()[0], division.pencils.grid()[1]));
  }

  MeshDivision division;
  std::vector<Patch> patches;
  std::vector<MeshCharges<Real>> charges;
  std::vector<fft::ZPencilLines<Real>> z;
  std::vector<fft::YPencilLines<Real>> y;
  std::vector<fft::XPencilLines<Real>> x;
  std::vector<MeshWaves<Real>> waves;
  AlignedVector<std::complex<Real>> pieces;
  std::vector<std::complex<Real>*> places;
};

template <class Real, void (Bench<Real>::*phase)()>
void by_order(benchmark::State& state) {
  Bench<Real> bench(static_cast<int>(state.range(0)));
  bench.spread();
  for (auto _ : state) (bench.*phase)();
}

template <class Real, void (Bench<Real>::*phase)()>
void by_pencils(benchmark::State& state) {
  Bench<Real> bench(4, static_cast<int>(state.range(0)), static_cast<int>(state.range(0)));
  for (auto _ : state) (bench.*phase)();
}

#define FG_BY_ORDER(Real, phase)                 \
  BENCHMARK(by_order<Real, &Bench<Real>::phase>) \
      ->Name(#phase "/" #Real "/order")          \
      ->Arg(4)                                   \
      ->Arg(5)                                   \
      ->Arg(6)                                   \
      ->Arg(8)                                   \
      ->Unit(benchmark::kMicrosecond)
#define FG_BY_PENCILS(Real, phase)                 \
  BENCHMARK(by_pencils<Real, &Bench<Real>::phase>) \
      ->Name(#phase "/" #Real "/pencils")          \
      ->Arg(1)                                     \
      ->Arg(2)                                     \
      ->Arg(4)                                     \
      ->Unit(benchmark::kMicrosecond)

FG_BY_ORDER(float, splines);
FG_BY_ORDER(float, spread);
FG_BY_ORDER(float, gather);
FG_BY_ORDER(float, add);
FG_BY_ORDER(float, copy_potential);
FG_BY_PENCILS(float, transform_z);
FG_BY_PENCILS(float, transform_y);
FG_BY_PENCILS(float, transform_x);
FG_BY_PENCILS(float, convolution);
FG_BY_ORDER(double, spread);
FG_BY_ORDER(double, gather);
FG_BY_PENCILS(double, transform_z);

/// Whole steps with messages on one PE: the time of a run of 50 steps minus that of one of 10.
void mesh_step(benchmark::State& state) {
  const int pencils = static_cast<int>(state.range(0));
  test::MeshRun run{.settings = settings_of(4),
                    .patches = patch_shape,
                    .pencils = {pencils, pencils},
                    .reach = reach,
                    .energies = false};
  for (auto _ : state) {
    run.steps = 10;
    const double start = test::run_mesh<float>(run, waters()).profile.wall_seconds;
    run.steps = 110;
    const double end = test::run_mesh<float>(run, waters()).profile.wall_seconds;
    state.SetIterationTime((end - start) / 100);
  }
}
BENCHMARK(mesh_step)
    ->Name("MeshStep/float/pencils")
    ->Arg(1)
    ->Arg(2)
    ->Arg(4)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(1);

}  // namespace
}  // namespace fg

BENCHMARK_MAIN();
