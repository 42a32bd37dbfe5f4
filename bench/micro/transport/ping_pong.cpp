// SPDX-License-Identifier: BSD-3-Clause
//
// One way of a ping-pong between two processes: MPI's own, by MPI_Send and MPI_Recv, and a message
// of the transport, in turns. Prints the median of the repeats and their range as JSON.
// Usage: mpiexec -n 2 ping_pong_NAME
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "transport/mpi/mpi_transport.hpp"

namespace {

using namespace fg;

constexpr int repeats = 5;
constexpr std::array<int, 5> sizes{8, 256, 4096, 65536, 1048576};

/// A real program sends data that it has just written, and reads what it gets. Data that are not
/// written again, as in the usual ping-pong, are in the caches of both cores after the first turn;
/// a receiver that reads the sender's memory (single copy, as MPI does for large messages) finds
/// them in its own cache.
enum class Data { unchanged, written };

/// One word of each line of the cache.
std::uint64_t read(Data data, const void* memory, int size) {
  std::uint64_t sum = 0;
  if (data == Data::written)
    for (int at = 0; at + 8 <= size; at += 64) {
      std::uint64_t word = 0;
      std::memcpy(&word, static_cast<const char*>(memory) + at, sizeof word);
      sum += word;
    }
  return sum;
}
volatile std::uint64_t sum_of_all_read = 0;

void write(Data data, void* memory, int size, int turn) {
  if (data == Data::written) std::memset(memory, turn & 127, static_cast<std::size_t>(size));
}

struct Bytes : Message {
  std::int64_t step;
};

class Arrivals final : public PacketSink {
 public:
  void receive(int, const PacketWords&, std::span<const std::int32_t>,
               Ref<const Message> message) override {
    last = std::move(message);
    ++count;
  }
  Ref<const Message> last;
  int count = 0;
};

double now() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double raw(int rank, int size, int turns, Data data) {
  std::vector<char> out(static_cast<std::size_t>(size)), in(out.size());
  const double start = now();
  for (int i = 0; i < turns; ++i) {
    write(data, out.data(), size, i);
    if (rank == 0) MPI_Send(out.data(), size, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(in.data(), size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum_of_all_read = sum_of_all_read + read(data, in.data(), size);
    if (rank == 1) MPI_Send(out.data(), size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
  return (now() - start) / (2.0 * turns);
}

double ours(Transport& transport, int size, int turns, Data data) {
  const int rank = transport.rank();
  Arrivals arrivals;
  Ref<Bytes> message = make_message<Bytes>(static_cast<std::size_t>(size));
  const auto await = [&](int count) {
    while (arrivals.count < count) transport.progress(arrivals);
  };
  const double start = now();
  for (int i = 0; i < turns; ++i) {
    if (data == Data::written) message = make_message<Bytes>(static_cast<std::size_t>(size));
    write(data, message->trailing<char>(), size, i);
    if (rank == 0) transport.send(1, {.step = i}, {}, message);
    await(i + 1);
    sum_of_all_read = sum_of_all_read + read(data, arrivals.last->trailing<char>(), size);
    if (rank == 1) transport.send(0, {.step = i}, {}, message);
  }
  const double each = (now() - start) / (2.0 * turns);
  while (transport.pending() > 0) transport.progress(arrivals);
  return each;
}

struct Spread {
  double median, least, most;
};
Spread spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.front(), values.back()};
}

}  // namespace

int main() {
  const auto transport = make_mpi_transport();
  if (transport->processes() != 2) {
    std::fprintf(stderr, "ping_pong: start it by mpiexec -n 2\n");
    return EXIT_FAILURE;
  }
  const int rank = transport->rank();
  Pool::attach();  // as the thread of a PE does
  Arrivals nothing;
  if (rank == 0) std::printf("{\n  \"mpi\": \"%s\"", transport->description().c_str());
  for (const Data data : {Data::unchanged, Data::written}) {
    if (rank == 0)
      std::printf(",\n  \"%s\": [\n", data == Data::written ? "one_way_written_ns" : "one_way_ns");
    for (const int size : sizes) {
      const int turns = size > 100000 ? 200 : size > 10000 ? 2000 : 20000;
      std::vector<double> theirs, own;
      for (int repeat = 0; repeat < repeats; ++repeat) {
        transport->settle(nothing);
        theirs.push_back(raw(rank, size, turns, data));
        transport->settle(nothing);
        own.push_back(ours(*transport, size, turns, data));
      }
      if (rank != 0) continue;
      const Spread a = spread(theirs), b = spread(own);
      std::printf(
          "    {\"bytes\": %d, \"mpi\": %.0f, \"mpi_range\": [%.0f, %.0f], \"transport\": %.0f, "
          "\"transport_range\": [%.0f, %.0f], \"added\": %.0f, \"ratio\": %.3f}%s\n",
          size, a.median, a.least, a.most, b.median, b.least, b.most, b.median - a.median,
          b.median / a.median, size == sizes.back() ? "" : ",");
    }
    if (rank == 0) std::printf("  ]");
  }
  if (rank == 0) std::printf("\n}\n");
  Pool::detach();
  return EXIT_SUCCESS;
}
