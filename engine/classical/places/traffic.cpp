// SPDX-License-Identifier: BSD-3-Clause
#include "classical/places/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

#include "classical/division/mesh_division.hpp"
#include "fft/pencils/pencil_lines.hpp"
#include "forces/bonded/bonded_compute.hpp"
#include "forces/bonded/term_assignment.hpp"
#include "forces/mesh/create_mesh.hpp"
#include "forces/pair/pair_compute.hpp"
#include "particles/cluster_order.hpp"

namespace fg::classical {

namespace {

enum Phase : std::uint8_t {
  positions_out,
  pair_forces,
  bonded_positions,
  bonded_forces,
  charges,
  potentials,
  transposes,
  mesh_forces
};

/// Adds up messages by pairs of processes.
class Sums {
 public:
  /// Between processes.
  void add(Phase phase, int from, int to, double bytes, double messages = 1) {
    if (from != to) ways_[phase].push_back({from, to, messages, bytes});
  }

  StepTraffic take() {
    for (auto& ways : ways_) merge(ways);
    return std::move(ways_);
  }

 private:
  static void merge(std::vector<Way>& ways) {
    std::ranges::stable_sort(ways, [](const Way& a, const Way& b) {
      return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    });
    std::size_t kept = 0;
    for (const Way& way : ways) {
      if (kept > 0 && ways[kept - 1].from == way.from && ways[kept - 1].to == way.to) {
        ways[kept - 1].messages += way.messages;
        ways[kept - 1].bytes += way.bytes;
      } else {
        ways[kept++] = way;
      }
    }
    ways.resize(kept);
  }

  StepTraffic ways_;
};

/// Calls visit(patch, process) for each process with pair computes that need the positions of a
/// patch.
template <class Visit>
void for_each_listener(const PatchGrid& grid, int pair_computes,
                       std::span<const int> process_of_pair, Visit&& visit) {
  const HalfShellRuns runs(pair_computes);
  std::vector<int> listening;
  for (int p = 0; p < grid.size(); ++p) {
    listening.clear();
    for (const auto& [x, y, z, run] : PairCompute<float>::listeners(grid, runs, grid.unflat(p)))
      listening.push_back(
          process_of_pair[static_cast<std::size_t>(grid.flat({x, y, z}) * pair_computes + run)]);
    std::ranges::sort(listening);
    listening.erase(std::unique(listening.begin(), listening.end()), listening.end());
    for (const int process : listening) visit(p, process);
  }
}

std::vector<int> processes_of(const FirstPlaces& places, std::string_view array,
                              const topology::PeLayout& layout) {
  std::vector<int> processes;
  for (const int pe : places.pes_of(array)) processes.push_back(layout.process_of(pe));
  return processes;
}

double real_bytes(const System& system) {
  return system.job().settings.precision == Precision::double_precision ? sizeof(double)
                                                                        : sizeof(float);
}

/// Numbers in messages with all atoms of a patch.
double numbers_of(const WorkEstimate& work, std::size_t patch) {
  const auto atoms = static_cast<double>(work.patches[patch].counts[of_patch_atom]);
  return std::ceil(atoms / cluster_size) * cluster_numbers;
}

void add_pairs(Sums& sums, const System& system, const PatchGrid& grid, const WorkEstimate& work,
               const std::vector<int>& patches, const std::vector<int>& pairs) {
  for_each_listener(grid, system.job().settings.pair_computes, pairs, [&](int p, int process) {
    const auto here = static_cast<std::size_t>(p);
    const double numbers = numbers_of(work, here);
    sums.add(positions_out, patches[here], process,
             sizeof(PositionsMessage<float>) + numbers * real_bytes(system));
    // Computes of the patch's own process answer it directly.
    sums.add(pair_forces, process, patches[here],
             sizeof(SummedForcesMessage) + numbers * sizeof(std::int64_t));
  });
}

/// The patch of each atom.
std::vector<int> patches_of_atoms(const System& system, const PatchGrid& grid,
                                  std::span<const Vec3> positions) {
  std::vector<int> patches(positions.size());
  const auto& fragments = system.fragments();
  for (int f = 0; f < fragments.size(); ++f) {
    const auto atoms = fragments.atoms(f);
    const int patch = grid.flat(grid.place(positions[static_cast<std::size_t>(atoms[0])]).patch);
    for (const auto atom : atoms) patches[static_cast<std::size_t>(atom)] = patch;
  }
  return patches;
}

/// The patch that computes a term of these two patches and others between them: the lower one along
/// each axis, as forces/bonded/term_assignment.hpp has it.
int lower_of(const PatchGrid& grid, int one, int other) {
  PatchIndex a = grid.unflat(one);
  const PatchIndex b = grid.unflat(other);
  for (int axis = 0; axis < 3; ++axis) {
    const int n = grid.shape()[axis];
    if (n == 2)
      a[axis] = std::min(a[axis], b[axis]);
    else if ((b[axis] + 1) % n == a[axis])
      a[axis] = b[axis];
  }
  return grid.flat(a);
}

void add_bonded(Sums& sums, const System& system, const PatchGrid& grid,
                std::span<const Vec3> positions, const std::vector<int>& patches,
                const std::vector<int>& computes) {
  const std::vector<int> patch_of = patches_of_atoms(system, grid, positions);
  std::vector<double> sent(static_cast<std::size_t>(grid.size()));  // atoms of a patch
  for (std::size_t i = 0; i < patch_of.size(); ++i)
    if (system.terms().bonded(static_cast<int>(i))) ++sent[static_cast<std::size_t>(patch_of[i])];
  // The atoms that computes need: compute, atom.
  std::vector<std::pair<int, int>> needs;
  BondedTerms::for_each_kind([&]<class Term>() {
    for (int first = 0; first < system.atoms(); ++first)
      for (const auto term : system.terms().of<Term>().of_atom(first)) {
        const auto& atoms = system.job().terms.of<Term>()[term].atoms;
        int compute = patch_of[static_cast<std::size_t>(first)];
        for (const auto atom : atoms)
          compute = lower_of(grid, compute, patch_of[static_cast<std::size_t>(atom)]);
        for (const auto atom : atoms) needs.emplace_back(compute, static_cast<int>(atom));
      }
  });
  std::ranges::sort(needs, {}, [&](const auto& need) {
    return std::tuple(need.first, patch_of[static_cast<std::size_t>(need.second)], need.second);
  });
  needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  for (std::size_t i = 0; i < needs.size();) {
    const int compute = needs[i].first;
    const auto patch =
        static_cast<std::size_t>(patch_of[static_cast<std::size_t>(needs[i].second)]);
    std::size_t end = i;
    while (end < needs.size() && needs[end].first == compute &&
           patch_of[static_cast<std::size_t>(needs[end].second)] == static_cast<int>(patch))
      ++end;
    const int at = computes[static_cast<std::size_t>(compute)];
    const auto trailing = [](double atoms) {
      return static_cast<double>(
          BondedForcesMessage::trailing_bytes(static_cast<std::size_t>(atoms)));
    };
    sums.add(bonded_positions, patches[patch], at,
             sizeof(BondedPositionsMessage) + sent[patch] * sizeof(Vec3));
    sums.add(bonded_forces, at, patches[patch],
             sizeof(BondedForcesMessage) + trailing(static_cast<double>(end - i)));
    i = end;
  }
}

void add_mesh(Sums& sums, const System& system, const PatchGrid& grid, const WorkEstimate& work,
              const std::vector<int>& patches, const FirstPlaces& places,
              const topology::PeLayout& layout) {
  const double rounds = 1.0 / static_cast<double>(system.job().dynamics.long_range_interval);
  const MeshDivision division = mesh_division(system, grid);
  const fft::PencilGeometry& pencils = division.pencils;
  const double real = real_bytes(system);
  const auto [columns, rows] = pencils.grid();
  const auto at = [&, rows = rows](const std::vector<int>& processes, int i, int j) {
    return processes[static_cast<std::size_t>(i * rows + j)];
  };
  const auto spreaders = processes_of(places, MeshSpreader<float>::array_name, layout);
  const auto z = processes_of(places, ZPencil<float>::array_name, layout);
  const auto y = processes_of(places, YPencil<float>::array_name, layout);
  const auto x = processes_of(places, XPencil<float>::array_name, layout);
  for (int p = 0; p < grid.size(); ++p) {
    const int spreader = spreaders[static_cast<std::size_t>(p)];
    const int patch = patches[static_cast<std::size_t>(p)];
    const double numbers = numbers_of(work, static_cast<std::size_t>(p)) * real;
    sums.add(positions_out, patch, spreader, rounds * (sizeof(PositionsMessage<float>) + numbers),
             rounds);
    sums.add(mesh_forces, spreader, patch, rounds * (sizeof(ClusterForcesMessage<float>) + numbers),
             rounds);
    const fft::GridBox frame = frame_of(division, grid.unflat(p));
    for (const auto& [i, j] : pencils_of(division, grid.unflat(p))) {
      const int across = fft::overlap(frame.range(0), pencils.mesh()[0], pencils.x_part(i));
      const int along = fft::overlap(frame.range(1), pencils.mesh()[1], pencils.y_part_of_z(j));
      const double points = real * across * along * frame.size(2);
      sums.add(charges, spreader, at(z, i, j),
               rounds * (sizeof(ChargeBlockMessage<float>) + points), rounds);
      sums.add(potentials, at(z, i, j), spreader,
               rounds * (sizeof(PotentialBlockMessage<float>) + points), rounds);
    }
  }
  const auto both_ways = [&](int one, int other, std::size_t numbers) {
    const double bytes = rounds * 2 * real * static_cast<double>(numbers);
    sums.add(transposes, one, other, bytes, rounds);
    sums.add(transposes, other, one, bytes, rounds);
  };
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j) {
      for (int k = 0; k < rows; ++k)
        both_ways(at(z, i, j), at(y, i, k), fft::zy_piece(pencils, i, j, k));
      for (int k = 0; k < columns; ++k)
        both_ways(at(y, i, j), at(x, k, j), fft::yx_piece(pencils, j, i, k));
    }
}

}  // namespace

StepTraffic traffic_of_step(const System& system, const PatchGrid& grid,
                            std::span<const Vec3> positions, const WorkEstimate& work,
                            const FirstPlaces& places, const topology::PeLayout& layout) {
  Sums sums;
  const auto patches = processes_of(places, patches_array, layout);
  add_pairs(sums, system, grid, work, patches,
            processes_of(places, PairCompute<float>::array_name, layout));
  add_bonded(sums, system, grid, positions, patches,
             processes_of(places, BondedCompute<float>::array_name, layout));
  if (!work.z_pencils.empty()) add_mesh(sums, system, grid, work, patches, places, layout);
  return sums.take();
}

std::int64_t position_sends(const PatchGrid& grid, int pair_computes,
                            std::span<const int> process_of_patch,
                            std::span<const int> process_of_pair) {
  std::int64_t sends = 0;
  for_each_listener(grid, pair_computes, process_of_pair, [&](int p, int process) {
    sends += process != process_of_patch[static_cast<std::size_t>(p)];
  });
  return sends;
}

namespace {

/// The pencils along one axis with points that the charges of each patch can touch.
template <class PartOf>
std::vector<std::vector<int>> touched(int patches, int points, int order, int pencils,
                                      const PartOf& part_of) {
  std::vector<std::vector<int>> all(static_cast<std::size_t>(patches));
  for (int p = 0; p < patches; ++p) {
    const auto edge = [&](int patch) {
      return static_cast<int>(std::int64_t{points} * patch / patches);
    };
    const fft::Range range{edge(p), edge(p + 1) + order};
    for (int i = 0; i < pencils; ++i)
      if (fft::overlap(range, points, part_of(i)) > 0)
        all[static_cast<std::size_t>(p)].push_back(i);
  }
  return all;
}

}  // namespace

std::int64_t charge_sends(const PatchGrid& grid, const JobSettings& settings,
                          std::span<const int> process_of_spreader,
                          std::span<const int> process_of_z_pencil) {
  const Int3& mesh = settings.mesh;
  const fft::PencilGeometry pencils({mesh.x, mesh.y, mesh.z},
                                    {settings.pencil_grid[0], settings.pencil_grid[1]});
  const auto [columns, rows] = pencils.grid();
  const auto& shape = grid.shape();
  const auto along_x = touched(shape[0], mesh.x, settings.spline_order, columns,
                               [&](int i) { return pencils.x_part(i); });
  const auto along_y = touched(shape[1], mesh.y, settings.spline_order, rows,
                               [&](int j) { return pencils.y_part_of_z(j); });
  std::int64_t sends = 0;
  for (int p = 0; p < grid.size(); ++p) {
    const PatchIndex patch = grid.unflat(p);
    for (const int i : along_x[static_cast<std::size_t>(patch[0])])
      for (const int j : along_y[static_cast<std::size_t>(patch[1])])
        sends += process_of_z_pencil[static_cast<std::size_t>(i * rows + j)] !=
                 process_of_spreader[static_cast<std::size_t>(p)];
  }
  return sends;
}

}  // namespace fg::classical
