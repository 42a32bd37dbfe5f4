// SPDX-License-Identifier: BSD-3-Clause
//
// Multicasts of a long message, such as a potential, to 100 elements in each of as many processes
// as mpiexec started: the sender sends to all processes itself, or they forward along a tree, whole
// or in pieces. Then the latency of such a message that has to pass a process whose only PE is in a
// long entry, and the time of the call by which the entry lets it pass. Interleaved runs; prints
// JSON with median and range. The only argument is the size of the message in MB, 4 by default.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "runtime/runtime.hpp"
#include "transport/mpi/mpi_transport.hpp"

namespace fg::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int repeats = 5;
constexpr int rounds = 20;
constexpr int busy_rounds = 8;
constexpr double long_entry = 50e-3;  // [s], much more than the system's time slices

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void print(const char* name, std::vector<double> values, double unit) {
  std::sort(values.begin(), values.end());
  std::printf("\"%s\": {\"median\": %.3g, \"range\": [%.3g, %.3g]}", name,
              values[values.size() / 2] / unit, values.front() / unit, values.back() / unit);
}

// ----- multicasts -----

struct Potential : Message {};

class Orbital : public Chare<Orbital, 1> {
 public:
  void begin() { all.multicast<&Orbital::accept>(potential); }
  void accept(Ref<const Potential> message) {
    touched += message->trailing<char>()[static_cast<std::size_t>(ordinal())];
    heard.contribute(*this, round_++, {1});
  }
  void next(Ref<const ReductionMessage<std::int64_t>> message) {
    if (message->step + 1 < rounds) begin();
  }
  static inline std::size_t bytes = 0;
  Ref<const Potential> potential;
  Section<Orbital> all;
  Reduction<std::int64_t> heard;
  std::int64_t touched = 0;

 private:
  std::int64_t round_ = 0;
};

/// Seconds of a multicast and a reduction of one number back.
double multicast(Transport& transport, const Spread& spread) {
  Runtime runtime({.pes = 1, .transport = &transport, .pin = false});
  const int size = 100 * runtime.processes();
  const auto orbitals =
      runtime.create_array<Orbital>({size}, block_map<1>({size}, runtime.processes()));
  std::vector<std::array<int, 1>> indices;
  for (int i = 0; i < size; ++i) indices.push_back({i});
  const Section<Orbital> all(orbitals, indices, spread);
  const Reduction<std::int64_t> heard(orbitals, 1, deliver_to<&Orbital::next>(orbitals[{0}]));
  for (int i = 0; i < size; ++i) {
    if (!orbitals.here_at(i)) continue;
    orbitals.object_at(i).all = all;
    orbitals.object_at(i).heard = heard;
  }
  if (runtime.process() == 0) {
    auto potential = make_message<Potential>(Orbital::bytes);
    std::fill_n(potential->trailing<char>(), Orbital::bytes, 'v');
    orbitals.object({0}).potential = std::move(potential);
    orbitals[{0}].send<&Orbital::begin>();
  }
  const auto begin = Clock::now();
  runtime.run_until_quiescent();
  return seconds_since(begin) / rounds;
}

// ----- a process that is busy -----

enum class Manner { silent, drives, driven_by_a_thread };

struct Stamp : Message {
  Clock::rep sent;
};

/// One in each process. Element 1 works for a long time; meanwhile element 0 sends to 1, which has
/// to pass the message on to 2.
class Busy : public Chare<Busy, 1> {
 public:
  void work() {
    const auto begin = Clock::now();
    array()[{0}].send<&Busy::go>(Lane::urgent);
    drive_network();
    double value = 1;
    while (seconds_since(begin) < long_entry) {
      for (int i = 0; i < 3000; ++i) value = 0.5 * value + 1 / value;
      if (manner == Manner::drives) drive_network_if_due();
    }
    result = value;
  }
  void go() {
    auto stamp = make_message<Stamp>(200000);
    stamp->sent = Clock::now().time_since_epoch().count();
    line.multicast<&Busy::hear>(std::move(stamp), Lane::urgent);
  }
  void hear(Ref<const Stamp> stamp) {
    if (ordinal() != 2) return;
    const Clock::duration passed = Clock::now().time_since_epoch() - Clock::duration(stamp->sent);
    array()[{0}].send<&Busy::took>(std::chrono::duration<double>(passed).count());
  }
  void took(double seconds) {
    latencies.push_back(seconds);
    if (static_cast<int>(latencies.size()) < busy_rounds) array()[{1}].send<&Busy::work>();
  }
  void call_often() {
    constexpr int calls = 1000000;
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) drive_network_if_due();
    result = seconds_since(begin) / calls;
  }
  static inline Manner manner = Manner::silent;
  Section<Busy> line;
  std::vector<double> latencies;
  double result = 0;
};

struct BusyTimes {
  std::vector<double> latencies;
  double call = 0;  // seconds
};

BusyTimes busy(Transport& transport, Manner manner) {
  Runtime runtime({.pes = 1,
                   .transport = &transport,
                   .comm_threads = manner == Manner::driven_by_a_thread ? 1 : 0,
                   .pin = false});
  const auto all =
      runtime.create_array<Busy>({runtime.processes()}, [](const auto& index) { return index[0]; });
  Busy::manner = manner;
  const Section<Busy> line(all, std::vector<std::array<int, 1>>{{1}, {2}}, {.fan_out = 1});
  const int here = runtime.process();
  all.object({here}).line = line;
  if (here == 0) all[{1}].send<&Busy::work>();
  runtime.run_until_quiescent();
  if (here == 0) all[{0}].send<&Busy::call_often>();
  runtime.run_until_quiescent();
  return {all.object({here}).latencies, all.object({here}).result};
}

}  // namespace
}  // namespace fg::bench

int main(int argc, char** argv) {
  using namespace fg::bench;
  const double megabytes = argc > 1 ? std::atof(argv[1]) : 4;
  if (argc > 2 || megabytes <= 0) {
    std::fprintf(stderr, "usage: %s [MB of the message]\n", argv[0]);
    return 2;
  }
  Orbital::bytes = static_cast<std::size_t>(megabytes * 1e6);
  const auto transport = fg::make_mpi_transport();
  const bool prints = transport->rank() == 0;
  const auto whole = std::size_t{1} << 30;
  const std::pair<const char*, fg::Spread> spreads[] = {
      {"direct", {}},
      {"line", {.fan_out = 1}},
      {"line, whole", {.fan_out = 1, .piece_bytes = whole}},
      {"fan-out 2", {.fan_out = 2}},
      {"fan-out 2, whole", {.fan_out = 2, .piece_bytes = whole}}};
  std::vector<std::vector<double>> times(std::size(spreads));
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (std::size_t i = 0; i < times.size(); ++i)
      times[i].push_back(multicast(*transport, spreads[i].second));
  if (prints) {
    std::printf("{\n  \"processes\": %d, \"MB\": %g, \"transport\": \"%s\",\n  \"multicast_ms\": {",
                transport->processes(), megabytes, transport->description().c_str());
    for (std::size_t i = 0; i < times.size(); ++i) {
      std::printf("%s\n    ", i ? "," : "");
      print(spreads[i].first, times[i], 1e-3);
    }
    std::printf("\n  }");
  }
  if (transport->processes() >= 3) {
    const std::pair<const char*, Manner> manners[] = {
        {"silent", Manner::silent},
        {"drives", Manner::drives},
        {"communication thread", Manner::driven_by_a_thread}};
    BusyTimes all[std::size(manners)];
    for (int repeat = 0; repeat < repeats; ++repeat)
      for (std::size_t i = 0; i < std::size(manners); ++i) {
        const BusyTimes one = busy(*transport, manners[i].second);
        all[i].latencies.insert(all[i].latencies.end(), one.latencies.begin(), one.latencies.end());
        all[i].call = one.call;
      }
    if (prints) {
      std::printf(",\n  \"past_a_busy_process_us\": {");
      for (std::size_t i = 0; i < std::size(manners); ++i) {
        std::printf("%s\n    ", i ? "," : "");
        print(manners[i].first, all[i].latencies, 1e-6);
      }
      std::printf("\n  },\n  \"call_ns\": %.1f", all[1].call * 1e9);
    }
  }
  if (prints) std::printf("\n}\n");
}
