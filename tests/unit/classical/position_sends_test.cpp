// SPDX-License-Identifier: BSD-3-Clause
//
// The messages with positions that the first places of objects cost, in uniform space: beside rows
// of whole patches, a bisection of whole patches and Hilbert's curve, each patch with its computes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "classical/places/first_places.hpp"
#include "classical/places/traffic.hpp"
#include "forces/pair/pair_compute.hpp"
#include "particles/assignment/half_shell_pairs.hpp"
#include "topology/placement/patch_bisection.hpp"
#include "topology/placement/patch_rows.hpp"

namespace fg::classical {
namespace {

constexpr std::array<std::string_view, 4> names{"patches", "pairs", "bonded", "spreaders"};

/// All patches have the same work, as in water.
struct UniformSpace {
  explicit UniformSpace(std::array<int, 3> shape, int pair_computes)
      : grid(Box{.edge = {20.0 * shape[0], 20.0 * shape[1], 20.0 * shape[2]}}, shape) {
    settings.pair_computes = pair_computes;
    const PairRuns runs(HalfShell(), pair_computes);
    const auto patches = static_cast<std::size_t>(grid.size());
    const auto atoms = [](std::int64_t n) {
      ObjectWork work;
      work.counts[of_patch_atom] = n;
      return work;
    };
    work.patches.assign(patches, atoms(200));
    work.spreaders.assign(patches, atoms(100));
    work.bonded.assign(patches, atoms(1));
    for (std::size_t p = 0; p < patches; ++p)
      for (int run = 0; run < pair_computes; ++run) {
        double cost = 0;
        for (const auto& direction : runs.run(run)) cost += PairRuns::cost(direction, {1, 1, 1});
        ObjectWork pairs;
        pairs.counts[of_pair] = static_cast<std::int64_t>(20000 * cost);
        work.pairs.push_back(pairs);
      }
  }

  std::int64_t sends(const std::vector<int>& patches, const std::vector<int>& pairs) const {
    return position_sends(grid, division(), patches, pairs);
  }
  HalfShellPairs division() const { return {grid, PairRuns(HalfShell(), settings.pair_computes)}; }

  std::int64_t sends_of_first_places(int processes) const {
    const FirstPlaces places(work, grid, division(), settings, ArrayMaps("cost", names),
                             {.processes = processes, .pes_a_process = 1});
    return sends(places.pes_of("patches"), places.pes_of("pairs"));
  }
  double imbalance(int processes) const {
    return FirstPlaces(work, grid, division(), settings, ArrayMaps("cost", names),
                       {.processes = processes, .pes_a_process = 1})
        .imbalance();
  }

  /// Whole patches in places of `way`, each with its computes.
  template <class Way>
  std::int64_t sends_of(const Way& way, int processes) const {
    const std::vector<std::int64_t> loads(static_cast<std::size_t>(grid.size()), 1);
    std::vector<topology::PePlace> pes;
    pes.reserve(static_cast<std::size_t>(processes));
    for (int process = 0; process < processes; ++process)
      pes.push_back({.host = process, .process = process});
    topology::Coordinates mesh(processes, 1);
    for (int host = 0; host < processes; ++host) mesh.of(host)[0] = host;
    const std::vector<int> patches = way(grid.shape(), loads, pes, mesh);
    std::vector<int> pairs;
    for (const int process : patches)
      pairs.insert(pairs.end(), static_cast<std::size_t>(settings.pair_computes), process);
    return sends(patches, pairs);
  }

  PatchGrid grid;
  JobSettings settings;
  WorkEstimate work;
};

TEST(PositionSends, AreAtMostATwentiethMoreThanTheBestOfThreeOrders) {
  for (const int side : {6, 8, 12})
    for (const int processes : {4, 16, 27, 64, 128, 512}) {
      const UniformSpace space({side, side, side}, 3);
      if (processes > space.grid.size()) continue;
      const auto row =
          space.sends_of([](const auto&... of) { return topology::row_patches(of...); }, processes);
      const auto bisection = space.sends_of(
          [](const auto&... of) { return topology::bisected_patches(of...); }, processes);
      const auto hilbert = space.sends_of(
          [](const auto&... of) { return topology::hilbert_patches(of...); }, processes);
      const auto best = std::min({row, bisection, hilbert});
      const auto ours = space.sends_of_first_places(processes);
      EXPECT_LE(static_cast<double>(ours), 1.05 * static_cast<double>(best))
          << side << "^3 patches on " << processes << " processes";
      EXPECT_LE(space.imbalance(processes), 1.1);
    }
}

/// Launchers deal processes out to hosts in blocks or in turn. Between hosts the same is sent.
TEST(PositionSends, ProcessesOfAHostAreTogetherInAnyOrderOfRanks) {
  const UniformSpace space({6, 6, 6}, 3);
  const auto between_hosts = [&](const std::vector<int>& hosts) {
    const FirstPlaces places(
        space.work, space.grid, space.division(), space.settings, ArrayMaps("cost", names),
        {.processes = static_cast<int>(hosts.size()), .pes_a_process = 1, .hosts = hosts});
    const auto hosts_of = [&](std::vector<int> pes) {
      for (int& pe : pes) pe = hosts[static_cast<std::size_t>(pe)];
      return pes;
    };
    return space.sends(hosts_of(places.pes_of("patches")), hosts_of(places.pes_of("pairs")));
  };
  const auto in_blocks = between_hosts({0, 0, 0, 0, 1, 1, 1, 1});
  EXPECT_EQ(between_hosts({0, 1, 0, 1, 0, 1, 0, 1}), in_blocks);
  EXPECT_EQ(between_hosts({7, 7, 3, 3, 7, 7, 3, 3}), in_blocks);
  EXPECT_LT(in_blocks, space.sends_of_first_places(8));
}

}  // namespace
}  // namespace fg::classical
