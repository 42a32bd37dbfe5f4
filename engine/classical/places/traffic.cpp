// SPDX-License-Identifier: BSD-3-Clause
#include "classical/places/traffic.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "fft/grid_box.hpp"
#include "fft/pencil_geometry.hpp"
#include "forces/mesh/charge_sums.hpp"

namespace fg::classical {

namespace {

/// Messages of all phases.
class Sums {
 public:
  /// Between processes.
  void add(TrafficPhase phase, int from, int to, double bytes, double messages) {
    ways_[phase].add(from, to, bytes, messages);
  }

  StepTraffic take() {
    StepTraffic all;
    for (std::size_t phase = 0; phase < all.size(); ++phase) all[phase] = ways_[phase].take();
    return all;
  }

 private:
  std::array<WaySums, phases_of_traffic.size()> ways_;
};

/// Calls visit(patch, process) for each process with pair computes that need the positions of a
/// patch.
template <class Visit>
void for_each_listener(const PatchGrid& grid, const PairDivision& pairs,
                       std::span<const int> process_of_pair, Visit&& visit) {
  std::vector<int> listening;
  for (int p = 0; p < grid.size(); ++p) {
    listening.clear();
    for (const auto& element : pairs.listeners(grid.unflat(p)))
      listening.push_back(process_of_pair[static_cast<std::size_t>(pairs.number(element))]);
    std::ranges::sort(listening);
    listening.erase(std::unique(listening.begin(), listening.end()), listening.end());
    for (const int process : listening) visit(p, process);
  }
}

/// The processes of the objects of an array.
std::vector<int> processes_of(const FirstPlaces& places, StepArray array,
                              const topology::PeLayout& layout) {
  std::vector<int> processes;
  for (const int pe : places.pes_of(name_of(array))) processes.push_back(layout.process_of(pe));
  return processes;
}

}  // namespace

StepTraffic traffic_of_step(const System& system, const PatchGrid& grid, const StepAtoms& atoms,
                            const WorkEstimate& work, const FirstPlaces& places,
                            const topology::PeLayout& layout) {
  const JobDynamics& dynamics = system.job().dynamics;
  const double mesh_rounds = 1.0 / dynamics.long_range_interval,
               pair_rounds = 1.0 / dynamics.pair_interval;
  std::array<std::vector<int>, step_arrays> processes;
  for (std::size_t i = 0; i < step_arrays; ++i)
    if (const auto array = static_cast<StepArray>(i); places.has(name_of(array)))
      processes[i] = processes_of(places, array, layout);
  const auto process = [&](StepArray array, int number) {
    return processes[static_cast<std::size_t>(array)][static_cast<std::size_t>(number)];
  };
  Sums sums;
  std::vector<std::pair<int, int>> others;  // process, object
  std::vector<int> these;
  for_each_message(system, grid, atoms, work, [&](const StepMessage& message) {
    const int one = process(message.collected ? message.to : message.from, message.one);
    others.clear();
    for (const int other : message.others)
      others.emplace_back(process(message.collected ? message.from : message.to, other), other);
    std::ranges::sort(others);
    const double rounds = message.of_mesh() ? mesh_rounds : message.of_pairs() ? pair_rounds : 1;
    for (auto next = others.begin(); next != others.end();) {
      const int other = next->first;
      these.clear();
      for (; next != others.end() && next->first == other; ++next) these.push_back(next->second);
      if (other == one) continue;
      const auto add = [&](std::span<const int> objects) {
        sums.add(message.phase, message.collected ? other : one, message.collected ? one : other,
                 rounds * message.bytes_with(objects), rounds);
      };
      if (these.size() >= message.fewest)
        add(these);
      else
        for (const int& object : these) add({&object, 1});
    }
  });
  return sums.take();
}

std::int64_t position_sends(const PatchGrid& grid, const PairDivision& pairs,
                            std::span<const int> process_of_patch,
                            std::span<const int> process_of_pair) {
  std::int64_t sends = 0;
  for_each_listener(grid, pairs, process_of_pair, [&](int p, int process) {
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
  std::vector<std::pair<int, int>> sums;  // pencil, process
  for (int p = 0; p < grid.size(); ++p) {
    const PatchIndex patch = grid.unflat(p);
    const int process = process_of_spreader[static_cast<std::size_t>(p)];
    for (const int i : along_x[static_cast<std::size_t>(patch[0])])
      for (const int j : along_y[static_cast<std::size_t>(patch[1])])
        if (const int pencil = i * rows + j;
            process_of_z_pencil[static_cast<std::size_t>(pencil)] != process)
          sums.emplace_back(pencil, process);
  }
  std::ranges::sort(sums);
  std::int64_t sends = 0;
  for (auto next = sums.begin(); next != sums.end();) {
    const auto end = std::find_if(next, sums.end(), [&](const auto& sum) { return sum != *next; });
    sends += end - next < ChargeSums::fewest ? end - next : 1;
    next = end;
  }
  return sends;
}

}  // namespace fg::classical
