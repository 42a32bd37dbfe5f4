// SPDX-License-Identifier: BSD-3-Clause
//
// Messages per second between pairs of PEs that send to each other as fast as they can, one window
// at a time: the two ends as PEs of one process, and as processes with one PE each. Started by
// mpiexec on 2 processes; process 0 runs the threads alone while the other waits. Interleaved;
// prints JSON.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "runtime/runtime.hpp"
#include "transport/mpi/mpi_transport.hpp"

namespace fg::bench {
namespace {

constexpr int window = 64;
constexpr int turns = 3000;
constexpr int repeats = 3;

struct Small : Message {
  std::int64_t number;
};

/// The ends of the pairs, half of them in the lower half of the processes. Each answers a whole
/// window with a window.
class End : public Chare<End, 1> {
 public:
  void begin() { send_window(); }
  void take(Ref<const Small> message) {
    sum_ += message->number;
    if (++come_ % window != 0) return;
    if (come_ < std::int64_t{window} * turns) send_window();
  }

 private:
  void send_window() {
    const int all = array().size();
    const auto other = array()[{(index()[0] + all / 2) % all}];
    for (int i = 0; i < window; ++i) {
      auto message = make_message<Small>();
      message->number = i;
      other.send<&End::take>(std::move(message));
    }
  }
  std::int64_t come_ = 0, sum_ = 0;
};

/// Millions of messages per second, of all PEs together.
double rate(Transport& transport, int pes_here) {
  Runtime runtime({.pes = pes_here, .transport = &transport, .pin = false});
  const int pes = runtime.pes();
  const auto ends = runtime.create_array<End>({pes}, [](const auto& index) { return index[0]; });
  for (int i = 0; i < pes; ++i)
    if (ends.here_at(i)) ends[{i}].send<&End::begin>();
  const auto begin = std::chrono::steady_clock::now();
  runtime.run_until_quiescent();
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
  return 1.0 * pes * window * turns / taken.count();
}

}  // namespace
}  // namespace fg::bench

int main(int count, char** words) {
  using namespace fg::bench;
  const auto transport = fg::make_mpi_transport();
  const int pes = count > 1 ? std::atoi(words[1]) : 1;
  if (transport->processes() % 2 != 0 || pes < 1) {
    std::fprintf(stderr, "message_rate: mpiexec -n EVEN message_rate_NAME PES_OF_EACH\n");
    return EXIT_FAILURE;
  }
  std::vector<double> rates;
  for (int repeat = 0; repeat < repeats; ++repeat) rates.push_back(rate(*transport, pes));
  if (transport->rank() != 0) return EXIT_SUCCESS;
  std::sort(rates.begin(), rates.end());
  std::printf(
      "{\"transport\": \"%s\", \"processes\": %d, \"pes_of_each\": %d, \"window\": %d, "
      "\"million_per_second\": %.3f, \"range\": [%.3f, %.3f]}\n",
      transport->description().c_str(), transport->processes(), pes, window, rates[repeats / 2],
      rates.front(), rates.back());
  return EXIT_SUCCESS;
}
