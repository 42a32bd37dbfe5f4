// SPDX-License-Identifier: BSD-3-Clause
//
// Taking a buffer and giving it back, by the pool and by malloc and free, in turns. Either the same
// thread gives it back, or its neighbour in a ring of threads, like a message that another PE
// reads. malloc returns memory to the system between bursts of large buffers, which costs more than
// everything else, so it is measured both with its defaults and with this switched off. After the
// figure of allocation times in Kumar et al., IPDPS 2013. Prints JSON. "cpu_ns" is the threads'
// core time per pair, without the time that they wait for each other; "wall_ns" is the time from
// the first start to the last end, times the number of cores in use, per pair.
//
// Usage: buffer_peers
#include <malloc.h>

#include <array>
#include <atomic>
#include <barrier>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

#include "peer_runs.hpp"
#include "transport/pool.hpp"

namespace {

using namespace fg;
using namespace fg::bench;

constexpr std::array<std::size_t, 3> sizes{256, 2048, 16384};
constexpr std::array<int, 5> thread_counts{1, 2, 4, 8, 16};
constexpr int burst = 64;  // buffers taken at a time, as a PE that sends a burst
constexpr int depth = 8;   // bursts in flight to the neighbour
constexpr int warm_up = 4 * depth;
constexpr int pilot = 4 * depth;
constexpr double least_ns = 60e6;            // of all threads together
constexpr double least_ns_of_thread = 12e6;  // several time slices

// The thread that takes a buffer writes its first words, and the thread that gives it back reads
// them, like the head of a message, which is where the pool keeps its own record of the block.
struct Pooled {
  static constexpr const char* name = "finegrain";
  static void prepare() {}
  static void* take(std::size_t bytes) {
    const Block block = Pool::allocate(bytes);
    return new (block.memory) Block(block);
  }
  static void give(void* buffer) {
    const Block block = *static_cast<const Block*>(buffer);
    Pool::release(block);
  }
};
struct Library {
  static constexpr const char* name = "malloc";
  static void prepare() { mallopt(M_TRIM_THRESHOLD, 128 * 1024); }  // its own default
  static void* take(std::size_t bytes) {
    void* const buffer = std::malloc(bytes);
    return new (buffer) Block{buffer, nullptr, 0};
  }
  static void give(void* buffer) {
    if (static_cast<const Block*>(buffer)->memory != buffer) std::abort();
    std::free(buffer);
  }
};
struct UntrimmedLibrary : Library {
  static constexpr const char* name = "malloc, never trimmed";
  static void prepare() { mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max()); }
};

/// Carries full bursts from one thread to another.
struct Lane {
  alignas(64) std::atomic<int> filled{0};
  alignas(64) std::atomic<int> emptied{0};
  alignas(64) std::array<std::array<void*, burst>, depth> bursts;
};

struct Times {
  double begin, end, cpu;
};

template <class Memory>
class Worker {
 public:
  Worker(Lane& in, Lane& out, std::size_t bytes, int threads)
      : in_(in), out_(out), bytes_(bytes), threads_(threads) {}

  /// Takes and gives back until both have been done for this many bursts.
  void go_on_until(int bursts) {
    while (taken_ < bursts || given_ < bursts) {
      bool moved = false;
      if (taken_ < bursts && room()) {
        auto& buffers = out_.bursts[static_cast<std::size_t>(taken_ % depth)];
        for (void*& buffer : buffers) buffer = Memory::take(bytes_);
        out_.filled.store(++taken_, std::memory_order_release);
        moved = true;
      }
      if (given_ < bursts && work()) {
        auto& buffers = in_.bursts[static_cast<std::size_t>(given_ % depth)];
        for (void* buffer : buffers) Memory::give(buffer);
        in_.emptied.store(++given_, std::memory_order_release);
        moved = true;
      }
      if (!moved) wait(bursts);
    }
  }
  double waited() const { return waited_; }

 private:
  bool room() const { return taken_ - out_.emptied.load(std::memory_order_acquire) < depth; }
  bool work() const { return in_.filled.load(std::memory_order_acquire) > given_; }
  void wait(int bursts) {
    const double start = thread_cpu_ns();
    while (!(taken_ < bursts && room()) && !(given_ < bursts && work())) wait_a_little(threads_);
    waited_ += thread_cpu_ns() - start;
  }

  Lane& in_;
  Lane& out_;
  const std::size_t bytes_;
  const int threads_;
  int taken_ = 0, given_ = 0;
  double waited_ = 0;
};

struct Measured {
  double cpu, wall;
};

/// `distance` is the number of steps along the ring that a buffer goes before it is given back.
template <class Memory>
Measured measure(std::size_t bytes, int threads, int distance, int bursts) {
  std::vector<Lane> lanes(static_cast<std::size_t>(threads));
  std::vector<Times> times(lanes.size());
  std::barrier<> gate(threads);
  {
    std::vector<std::jthread> workers;
    for (int t = 0; t < threads; ++t)
      workers.emplace_back([&, t] {
        // Neighbours on different cores, even if several threads share a core.
        pin_to_core(t % available_cores());
        Pool::attach();
        const auto from = static_cast<std::size_t>((t + threads - distance) % threads);
        const auto self = static_cast<std::size_t>(t);
        Worker<Memory> worker(lanes[from], lanes[self], bytes, threads);
        worker.go_on_until(warm_up);
        gate.arrive_and_wait();
        const double waited = worker.waited();
        const double cpu = thread_cpu_ns();
        times[self].begin = wall_ns();
        worker.go_on_until(warm_up + bursts);
        times[self].end = wall_ns();
        times[self].cpu = thread_cpu_ns() - cpu - (worker.waited() - waited);
        Pool::detach();
      });
  }
  double begin = times[0].begin, end = times[0].end, cpu = 0;
  for (const Times& t : times) {
    begin = std::min(begin, t.begin);
    end = std::max(end, t.end);
    cpu += t.cpu;
  }
  const double pairs = double{burst} * bursts * threads;
  return {cpu / pairs, (end - begin) * std::min(threads, available_cores()) / pairs};
}

/// Enough bursts for a long enough run; a short run before it estimates the number.
template <class Memory>
Measured measure_long(std::size_t bytes, int threads, int distance) {
  Memory::prepare();
  const double each = measure<Memory>(bytes, threads, distance, pilot).cpu;
  const double wanted = std::max(least_ns / threads, least_ns_of_thread) / (each * burst);
  return measure<Memory>(bytes, threads, distance, std::max(pilot, static_cast<int>(wanted)));
}

struct Case {
  const char* peer;
  int distance;
  std::size_t bytes;
  int threads;
  Measured (*run)(std::size_t, int, int);
  std::vector<double> cpu{}, wall{}, hand_over{};
};

}  // namespace

int main() {
  std::vector<Case> cases;
  const auto add = [&]<class Memory>(int distance, std::size_t bytes, int threads) {
    cases.push_back({Memory::name, distance, bytes, threads, measure_long<Memory>});
  };
  for (const int distance : {0, 1})
    for (const std::size_t bytes : sizes)
      for (const int threads : thread_counts) {
        if (distance >= threads) continue;
        add.operator()<Pooled>(distance, bytes, threads);
        add.operator()<Library>(distance, bytes, threads);
        add.operator()<UntrimmedLibrary>(distance, bytes, threads);
      }
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (Case& c : cases) {
      c.hand_over.push_back(hand_over_ns());
      const Measured measured = c.run(c.bytes, c.threads, c.distance);
      c.cpu.push_back(measured.cpu);
      c.wall.push_back(measured.wall);
    }
  std::printf("{\n  \"benchmark\": \"buffers\",\n");
  print_build();
  std::printf("  \"entries\": [\n");
  for (const Case& c : cases) {
    std::printf(
        "    {\"peer\": \"%s\", \"given_back_by\": \"%s\", \"bytes\": %zu, \"threads\": %d, ",
        c.peer, c.distance ? "neighbour" : "same thread", c.bytes, c.threads);
    print_figure("cpu_ns", c.cpu);
    std::printf(", ");
    print_figure("wall_ns", c.wall);
    std::printf(", ");
    print_figure("hand_over_ns", c.hand_over);
    std::printf("}%s\n", &c == &cases.back() ? "" : ",");
  }
  std::printf("  ]\n}\n");
  return EXIT_SUCCESS;
}
