// SPDX-License-Identifier: BSD-3-Clause
//
// Property of patches placed on machines of any number of dimensions, with holes, hosts that have
// several processes, and ranks dealt out in any order: every patch has a PE that exists, every PE
// has a patch if there are enough, no PE has much more than its share, and the numbers that hosts
// and processes have do not matter.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "topology/placement/patch_places.hpp"
#include "topology/placement/torus_mesh.hpp"

namespace fg::topology {
namespace {

using Random = std::mt19937;

int below(Random& random, int limit) {
  return static_cast<int>(random() % static_cast<unsigned>(limit));
}

/// Hosts at different places of a torus, in any order. Up to as many as it has places.
TorusMesh some_hosts(Random& random, int hosts) {
  const int dimensions = 1 + below(random, 6);
  std::vector<int> lengths;
  int places = 1;
  for (int d = 0; d < dimensions; ++d) {
    const int rest = (hosts + places - 1) / places;
    lengths.push_back(d + 1 == dimensions ? rest + below(random, rest + 1) : 1 + below(random, 8));
    places *= lengths.back();
  }
  std::vector<int> all(static_cast<std::size_t>(places));
  std::iota(all.begin(), all.end(), 0);
  std::ranges::shuffle(all, random);
  Coordinates nodes(hosts, dimensions);
  for (int host = 0; host < hosts; ++host) {
    int rest = all[static_cast<std::size_t>(host)];
    for (std::size_t d = 0; d < lengths.size(); rest /= lengths[d], ++d)
      nodes.of(host)[d] = rest % lengths[d];
  }
  std::vector<bool> wraps;
  wraps.reserve(lengths.size());
  for (int d = 0; d < dimensions; ++d) wraps.push_back(below(random, 3) > 0);
  return mesh_from_torus(nodes, lengths, wraps);
}

struct Job {
  TorusMesh mesh;
  std::vector<PePlace> pes;
  std::array<int, 3> sides{};
  std::vector<std::int64_t> loads;
};

Job some_job(Random& random, int ranks) {
  Job job;
  const int processes = 1 + below(random, 3), hosts = (ranks + processes - 1) / processes;
  job.mesh = some_hosts(random, hosts);
  const bool dealt = below(random, 2) == 0;
  for (int rank = 0; rank < ranks; ++rank)
    job.pes.push_back({.host = dealt ? rank % hosts : rank / processes, .process = rank});
  for (int& side : job.sides) side = 1 + below(random, ranks > 1000 ? 25 : 9);
  for (int patch = 0; patch < job.sides[0] * job.sides[1] * job.sides[2]; ++patch)
    job.loads.push_back(100 + below(random, 100));
  return job;
}

std::vector<PatchPlaces> ways(const Job& job, std::span<const PePlace> pes,
                              const Coordinates& mesh) {
  return patch_candidates(job.sides, job.loads, pes, mesh);
}

void expect_shares(const Job& job, const PatchPlaces& places) {
  ASSERT_EQ(places.pe_of.size(), job.loads.size());
  std::vector<int> patches(job.pes.size());
  std::vector<std::int64_t> work(job.pes.size());
  for (std::size_t patch = 0; patch < places.pe_of.size(); ++patch) {
    const auto pe = static_cast<std::size_t>(places.pe_of[patch]);
    ++patches.at(pe);
    work[pe] += job.loads[patch];
  }
  const bool enough = job.loads.size() >= job.pes.size();
  EXPECT_TRUE(enough ? *std::ranges::min_element(patches) >= 1
                     : *std::ranges::max_element(patches) == 1)
      << places.way;
  // A cut is off by half a patch at most, and each further cut divides by two what the ones before
  // were off: by one patch together. Cuts at planes are off by a twentieth, at up to nine levels.
  const std::int64_t whole = std::accumulate(job.loads.begin(), job.loads.end(), std::int64_t{0});
  const auto even = static_cast<double>(whole) / static_cast<double>(job.pes.size());
  if (enough) {
    EXPECT_LE(static_cast<double>(*std::ranges::max_element(work)), 1.6 * even + 200) << places.way;
  }
}

class Placement : public ::testing::TestWithParam<int> {};

TEST_P(Placement, GivesEveryPeItsShare) {
  Random random(static_cast<unsigned>(GetParam()));
  for (int round = 0; round < (GetParam() > 1000 ? 1 : 4); ++round) {
    const Job job = some_job(random, GetParam());
    for (const PatchPlaces& places : ways(job, job.pes, job.mesh.nodes)) expect_shares(job, places);
  }
}

TEST_P(Placement, DoesNotDependOnNumbersOfHosts) {
  Random random(static_cast<unsigned>(100 + GetParam()));
  const Job job = some_job(random, std::min(GetParam(), 2000));
  const int hosts = job.mesh.nodes.nodes();
  std::vector<int> number(static_cast<std::size_t>(hosts));
  std::iota(number.begin(), number.end(), 0);
  std::ranges::shuffle(number, random);
  Coordinates mesh(hosts, job.mesh.nodes.dimensions());
  for (int host = 0; host < hosts; ++host)
    std::ranges::copy(job.mesh.nodes.of(host),
                      mesh.of(number[static_cast<std::size_t>(host)]).begin());
  std::vector<PePlace> pes = job.pes;
  for (PePlace& pe : pes) {
    pe.host = number[static_cast<std::size_t>(pe.host)];
    pe.process = 100000 - pe.process;
  }
  const auto before = ways(job, job.pes, job.mesh.nodes), after = ways(job, pes, mesh);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].pe_of, after[i].pe_of) << before[i].way;
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Placement, ::testing::Values(1, 2, 5, 13, 64, 300, 10000));

}  // namespace
}  // namespace fg::topology
