// SPDX-License-Identifier: BSD-3-Clause
//
// What objects of a classical job are expected to do, and how long it takes them, on one PE: JSON,
// from which bench/accuracy/work_estimate.py fits the costs of the estimate. The measured work, put
// where maps place the objects on several PEs, shows how even these places are. A round is the
// steps between two rebuilds, always the same ones. Usage: work_table JOB ROUNDS PES...
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/bits_of_run.hpp"
#include "classical/assembly.hpp"
#include "classical/division/box_division.hpp"
#include "classical/job/pair_settings.hpp"
#include "classical/places/first_places.hpp"
#include "runtime/threads/clock.hpp"

namespace {

using namespace fg;
using namespace fg::classical;

std::string list(const auto& values, const auto& text_of) {
  std::string text = "[";
  const char* comma = "";
  for (const auto& value : values) {
    text += comma;
    text += text_of(value);
    comma = ",";
  }
  return text += ']';
}

template <class T>
std::string numbers(const T& values) {
  return list(values, [](auto value) { return std::to_string(value); });
}

/// The least time of each object over several runs of the same steps: other programs may have
/// interrupted the others.
std::vector<ArrayLoads> least_loads(Assembly& objects, const Schedule& schedule, const State& state,
                                    int rounds) {
  std::vector<ArrayLoads> before = objects.loads(), least;
  for (int round = 0; round < rounds; ++round) {
    objects.run(schedule, state);
    const std::vector<ArrayLoads> after = objects.loads();
    std::vector<ArrayLoads> here = after;
    for (std::size_t a = 0; a < here.size(); ++a)
      for (std::size_t i = 0; i < here[a].ticks.size(); ++i) here[a].ticks[i] -= before[a].ticks[i];
    if (round == 0) least = here;
    for (std::size_t a = 0; a < here.size(); ++a)
      for (std::size_t i = 0; i < here[a].ticks.size(); ++i)
        least[a].ticks[i] = std::min(least[a].ticks[i], here[a].ticks[i]);
    before = after;
  }
  return least;
}

/// The measured work of the fullest PE over the average.
double imbalance(const FirstPlaces& places, const std::vector<ArrayLoads>& loads, int pes) {
  std::vector<double> sums(static_cast<std::size_t>(pes));
  double whole = 0;
  for (const ArrayLoads& load : loads) {
    const auto& of = places.pes_of(load.array);
    for (std::size_t i = 0; i < of.size(); ++i) {
      sums[static_cast<std::size_t>(of[i])] += static_cast<double>(load.ticks[i]);
      whole += static_cast<double>(load.ticks[i]);
    }
  }
  return *std::ranges::max_element(sums) * pes / whole;
}

int table(const Job& job, int rounds, const std::vector<int>& pes) {
  const BitsOfRun bits(job.settings.bits);
  const System system(job);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  OutputQueue output;
  const BoxDivision division = first_division(job);
  const auto objects = make_assembly(system, {.pes = 1}, division, job.box, state.position, output);
  const auto begin = RunClock::now();
  const auto first_tick = ticks_now();
  const std::int64_t steps = job.settings.rebuild_interval;
  const auto loads =
      least_loads(*objects, Schedule(job.settings, job.dynamics, 0, steps), state, rounds);
  const auto last_tick = ticks_now();
  const double seconds = std::chrono::duration<double>(RunClock::now() - begin).count();
  const double ps_of_tick = 1e12 * seconds / static_cast<double>(last_tick - first_tick) /
                            static_cast<double>(steps);  // of one step

  const PatchGrid grid(division.box, {division.patches.x, division.patches.y, division.patches.z});
  const auto places = [&](const char* map, int on) {
    return FirstPlaces(estimate_work(system, grid, state.position, ForceParts::all), grid,
                       *pair_division(system, grid), job.settings,
                       ArrayMaps(map, names_of_arrays()), topology::one_process(on));
  };
  std::printf(
      "{\"atoms\":%d,\"steps\":%lld,\"rounds\":%d,\"kinds\":%s,\"picoseconds\":%s,\"arrays\":{",
      job.atoms.size(), static_cast<long long>(steps), rounds,
      list(kinds_of_work, [](auto name) { return '"' + std::string(name) + '"'; }).c_str(),
      numbers(times_of_work(job.settings.precision)).c_str());
  const char* comma = "";
  const auto row = places("cost", 1);
  for (const auto& array : row.arrays()) {
    const auto load = std::ranges::find(loads, array.array, &ArrayLoads::array);
    if (load == loads.end()) continue;
    const auto measured = list(load->ticks, [&](auto ticks) {
      return std::to_string(static_cast<std::int64_t>(static_cast<double>(ticks) * ps_of_tick));
    });
    const auto counts = list(array.work, [](const auto& work) { return numbers(work.counts); });
    std::printf("%s\"%s\":{\"interval\":%lld,\"counts\":%s,\"picoseconds\":%s}", comma,
                std::string(array.array).c_str(),
                static_cast<long long>(array.work.front().interval), counts.c_str(),
                measured.c_str());
    comma = ",";
  }
  std::printf("},\"imbalance\":[");
  comma = "";
  for (const int on : pes)
    for (const char* map : {"block", "cost"}) {
      const auto begin_placing = RunClock::now();
      const FirstPlaces found = places(map, on);
      const std::chrono::duration<double> placing = RunClock::now() - begin_placing;
      std::printf(
          "%s{\"pes\":%d,\"map\":\"%s\",\"estimated\":%.4f,\"measured\":%.4f,"
          "\"placing_seconds\":%.4g}",
          comma, on, map, found.imbalance(), imbalance(found, loads, on), placing.count());
      comma = ",";
    }
  std::printf("]}\n");
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) {
    std::fprintf(stderr, "usage: work_table JOB ROUNDS PES...\n");
    return 2;
  }
  try {
    std::vector<int> pes;
    for (int i = 3; i < count; ++i) pes.push_back(std::atoi(words[i]));
    return table(load_job(words[1]), std::atoi(words[2]), pes);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
