// SPDX-License-Identifier: BSD-3-Clause
//
// The messages that are counted from the places of objects, beside those that processes send in a
// step. Started by mpiexec.
#include "classical/places/traffic.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "classical/assembly.hpp"
#include "forces/bonded/bonded_compute.hpp"
#include "forces/mesh/create_mesh.hpp"
#include "forces/pair/pair_compute.hpp"
#include "processes/hosts.hpp"
#include "support/classical/frames.hpp"
#include "support/classical/water_job.hpp"
#include "support/mpi_transport.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

/// Counts what this process sends, by entry and receiver.
class CountingTransport final : public Transport {
 public:
  explicit CountingTransport(Transport& inner) : inner_(inner) {}

  int rank() const noexcept override { return inner_.rank(); }
  int processes() const noexcept override { return inner_.processes(); }
  int processes_here() const noexcept override { return inner_.processes_here(); }
  int rank_here() const noexcept override { return inner_.rank_here(); }
  std::string description() const override { return inner_.description(); }
  void send(int to, const PacketWords& words, std::span<const std::int32_t> list,
            Ref<const Message> message, bool urgent) override {
    {
      const std::lock_guard lock(mutex_);
      ++sent[{words.entry, to}];
    }
    inner_.send(to, words, list, std::move(message), urgent);
  }
  bool progress(PacketSink& sink) override { return inner_.progress(sink); }
  std::size_t pending() const noexcept override { return inner_.pending(); }
  bool single_threaded() const noexcept override { return inner_.single_threaded(); }
  void wait(PacketSink& sink, double at_most) override { inner_.wait(sink, at_most); }
  double seconds() const override { return inner_.seconds(); }
  void settle(PacketSink& sink) override { inner_.settle(sink); }
  std::vector<std::byte> broadcast(std::vector<std::byte> bytes) override {
    return inner_.broadcast(std::move(bytes));
  }
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
    return inner_.gather(bytes);
  }
  std::shared_ptr<const SharedMemory> share(std::span<const std::size_t> bytes) override {
    return inner_.share(bytes);
  }
  void end_all(int exit_status) noexcept override { inner_.end_all(exit_status); }

  std::map<std::pair<int, int>, int> sent;

 private:
  Transport& inner_;
  std::mutex mutex_;
};

std::map<std::pair<int, int>, int> sent_in(const System& system, const State& start,
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
  return counting.sent;
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
  for (const auto& [way, count] : sent_in(system, start, few)) sent[way] -= count;

  const topology::PeLayout layout = layout_of_pes(&transport(), 1);
  const PatchGrid& grid = system.grid();
  const WorkEstimate work = estimate_work(system, grid, start.position, ForceParts::all);
  const FirstPlaces places(work, grid, job.settings, ArrayMaps("cost", names_of_arrays()), layout);
  const StepTraffic traffic = traffic_of_step(system, grid, start.position, work, places, layout);
  std::map<std::string_view, std::vector<int>> entries{
      {"positions",
       {EntryOf<&PairCompute<float>::positions>::info.id,
        EntryOf<&MeshSpreader<float>::positions>::info.id}},
      {"pair forces", {EntryOf<&PatchPort<float>::summed_forces>::info.id}},
      {"bonded positions", {EntryOf<&BondedCompute<float>::positions>::info.id}},
      {"bonded forces", {EntryOf<&PatchPort<float>::bonded_forces>::info.id}},
      {"charges", {EntryOf<&ZPencil<float>::points>::info.id}},
      {"potentials", {EntryOf<&MeshSpreader<float>::potential>::info.id}},
      {"mesh forces", {EntryOf<&PatchPort<float>::mesh_forces>::info.id}}};
  int all = 0;
  for (std::size_t phase = 0; phase < phases_of_traffic.size(); ++phase) {
    const auto found = entries.find(phases_of_traffic[phase]);
    if (found == entries.end()) continue;  // pieces of transposes are in shared memory
    for (int to = 0; to < layout.processes; ++to) {
      int seen = 0;
      for (const int entry : found->second) seen += sent[{entry, to}];
      double counted = 0;
      for (const Way& way : traffic[phase])
        if (way.from == transport().rank() && way.to == to) counted = way.messages;
      EXPECT_EQ(seen, counted * (many - few)) << found->first << " to " << to;
      all += seen;
    }
  }
  EXPECT_GT(all, 0);
}

}  // namespace
}  // namespace fg::test
