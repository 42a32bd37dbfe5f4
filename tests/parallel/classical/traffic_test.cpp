// SPDX-License-Identifier: BSD-3-Clause
//
// The messages that are counted from the places of objects, beside those that processes send in a
// step. Started by mpiexec.
#include "classical/places/traffic.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "classical/assembly.hpp"
#include "classical/job/pair_settings.hpp"
#include "forces/bonded/bonded_compute.hpp"
#include "forces/mesh/create_mesh.hpp"
#include "forces/pair/pair_gate.hpp"
#include "support/classical/frames.hpp"
#include "support/classical/water_job.hpp"
#include "support/counting_transport.hpp"
#include "support/mpi_transport.hpp"
#include "transport/hosts.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

/// By entry and receiver.
std::map<std::pair<int, int>, CountingTransport::Count> sent_in(const System& system,
                                                                const State& start,
                                                                std::int64_t steps) {
  CountingTransport counting(transport());
  OutputQueue output;
  const auto machinery = make_machinery(
      system, {.pes = 1, .transport = &counting, .pin = false, .profile = false}, output);
  if (transport().rank() != 0) {
    machinery->serve();
  } else {
    machinery->run(Schedule(system.job().settings, system.job().dynamics, 0, steps), start);
  }
  std::map<std::pair<int, int>, CountingTransport::Count> sent;
  for (const auto& [packets, count] : counting.sent) {
    auto& all = sent[{packets.id, packets.to}];
    all.messages += count.messages;
    all.bytes += count.bytes;
  }
  return sent;
}

/// Steps without a rebuild, energies or frames: the difference of two runs.
TEST(SeveralProcesses, SendInAStepWhatIsCounted) {
  Job job = water_job({.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3, .slab = true});
  job.settings.rebuild_interval = 20;
  job.dynamics.energy_interval = 20;
  job.dynamics.trajectory_interval = 0;
  job.dynamics.steps = 19;
  const System system(job);
  State start = state_of_job(job);
  prepare_for_dynamics(system, start);
  constexpr std::int64_t few = 4, many = 14;
  auto sent = sent_in(system, start, many);
  for (const auto& [way, count] : sent_in(system, start, few)) {
    sent[way].messages -= count.messages;
    sent[way].bytes -= count.bytes;
  }

  const topology::PeLayout layout = {.processes = transport().processes(),
                                     .pes_a_process = 1,
                                     .hosts = numbers_of_hosts(hosts_of_processes(&transport()))};
  const PatchGrid& grid = system.grid();
  const WorkEstimate work = estimate_work(system, grid, start.position, ForceParts::all);
  const FirstPlaces places(work, grid, *pair_division(system, grid), job.settings,
                           ArrayMaps("cost", names_of_arrays()), layout);
  const StepTraffic traffic =
      traffic_of_step(system, grid, StepAtoms(system, grid, start.position), work, places, layout);
  std::map<std::string_view, std::vector<int>> entries{
      {"positions",
       {EntryOf<&PairGate<float>::positions>::info.id,
        EntryOf<&MeshSpreader<float>::positions>::info.id}},
      {"pair forces", {EntryOf<&PatchPort<float>::pair_forces>::info.id}},
      {"bonded positions", {EntryOf<&BondedCompute<float>::positions>::info.id}},
      {"bonded forces", {EntryOf<&PatchPort<float>::bonded_forces>::info.id}},
      {"charges", {EntryOf<&ZPencil<float>::points>::info.id}},
      {"potentials",
       {EntryOf<&ChargeCollector<float>::potential>::info.id,
        EntryOf<&MeshSpreader<float>::potential>::info.id}},
      {"mesh forces", {EntryOf<&PatchPort<float>::mesh_forces>::info.id}}};
  int all = 0;
  for (std::size_t phase = 0; phase < phases_of_traffic.size(); ++phase) {
    const auto found = entries.find(phases_of_traffic[phase]);
    if (found == entries.end()) continue;  // pieces of transposes are in shared memory
    for (int to = 0; to < layout.processes; ++to) {
      CountingTransport::Count seen;
      for (const int entry : found->second) {
        seen.messages += sent[{entry, to}].messages;
        seen.bytes += sent[{entry, to}].bytes;
      }
      Way counted;
      for (const Way& way : traffic[phase])
        if (way.from == transport().rank() && way.to == to) counted = way;
      const double steps = many - few;
      EXPECT_EQ(seen.messages, counted.messages * steps) << found->first << " to " << to;
      // Atoms move, and with them the points that they touch: blocks have a layer more or less
      // along each axis.
      const double few_points = 64 * sizeof(float) * counted.messages;
      if (phase == charges || phase == potentials)
        EXPECT_NEAR(static_cast<double>(seen.bytes), counted.bytes * steps,
                    (0.2 * counted.bytes + few_points) * steps)
            << found->first << " to " << to;
      all += seen.messages;
    }
  }
  EXPECT_GT(all, 0);
}

}  // namespace
}  // namespace fg::test
