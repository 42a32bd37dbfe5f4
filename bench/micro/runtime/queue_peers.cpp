// SPDX-License-Identifier: BSD-3-Clause
//
// The queue between threads, many producers and one consumer, compared with a deque behind a mutex
// and with moodycamel::ConcurrentQueue (plain, and with its tokens and bulk removal), in turns.
// Prints JSON. "rate" is in million items per second of wall time, from the common start to the
// last item. "flow" says whether producers wait for the consumer ("window": at most as many items
// in flight as the runtime's ring holds) or not ("flood"). "pair_ns" is one push and one pop by one
// thread alone.
//
// Usage: queue_peers
#include <array>
#include <atomic>
#include <barrier>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "peer_runs.hpp"
#include "runtime/threads/envelope.hpp"
#include "transport/ticket_queue.hpp"
#ifdef FG_HAVE_CONCURRENTQUEUE
#include <concurrentqueue.h>
#endif

namespace {

using namespace fg;
using namespace fg::bench;

constexpr std::array<int, 4> producer_counts{1, 2, 4, 8};
constexpr std::int64_t items = 2'000'000;
constexpr int pairs = 2'000'000;
constexpr std::size_t ring = 512;  // as in the runtime's scheduler
constexpr std::size_t batch = 64;  // as in the runtime's scheduler

/// The size of what travels between PEs.
struct Item {
  std::int64_t producer;
  std::int64_t number;
  std::array<std::byte, sizeof(Parcel) - 16> rest;
};
static_assert(sizeof(Item) == sizeof(Parcel));

// Each queue is made for a number of producers. `Producer(queue).push(item)` adds an item;
// `drain(take)` passes on the items that it finds, about a batch if the queue lets it choose, and
// returns their number.
class Ticket {
 public:
  static constexpr const char* name = "finegrain";
  explicit Ticket(int producers) : queue_(ring, static_cast<std::size_t>(producers)) {}
  struct Producer {
    explicit Producer(Ticket& owner) : queue(owner.queue_) {}
    void push(const Item& item) { queue.push(item); }
    TicketQueue<Item>& queue;
  };
  template <class Take>
  std::size_t drain(Take&& take) {
    return queue_.drain(batch, take);
  }

 private:
  TicketQueue<Item> queue_;
};

/// The consumer takes all items with one lock, the best use of a mutex for it.
class Locked {
 public:
  static constexpr const char* name = "mutex+deque";
  explicit Locked(int) {}
  struct Producer {
    explicit Producer(Locked& owner) : queue(owner) {}
    void push(const Item& item) {
      const std::lock_guard lock(queue.mutex_);
      queue.items_.push_back(item);
    }
    Locked& queue;
  };
  template <class Take>
  std::size_t drain(Take&& take) {
    {
      const std::lock_guard lock(mutex_);
      items_.swap(draining_);
    }
    for (const Item& item : draining_) take(item);
    const std::size_t taken = draining_.size();
    draining_.clear();
    return taken;
  }

 private:
  alignas(64) std::mutex mutex_;
  std::deque<Item> items_;
  alignas(64) std::deque<Item> draining_;
};

#ifdef FG_HAVE_CONCURRENTQUEUE
using Moodycamel = moodycamel::ConcurrentQueue<Item>;

class MoodycamelPlain {
 public:
  static constexpr const char* name = "moodycamel";
  explicit MoodycamelPlain(int) : queue_(ring) {}
  struct Producer {
    explicit Producer(MoodycamelPlain& owner) : queue(owner.queue_) {}
    void push(const Item& item) {
      if (!queue.enqueue(item)) std::abort();
    }
    Moodycamel& queue;
  };
  template <class Take>
  std::size_t drain(Take&& take) {
    std::size_t taken = 0;
    Item item;
    for (; taken < batch && queue_.try_dequeue(item); ++taken) take(item);
    return taken;
  }

 private:
  Moodycamel queue_;
};

class MoodycamelTokens {
 public:
  static constexpr const char* name = "moodycamel, tokens";
  explicit MoodycamelTokens(int producers)
      : queue_(ring, static_cast<std::size_t>(producers), 0), token_(queue_) {}
  struct Producer {
    explicit Producer(MoodycamelTokens& owner) : queue(owner.queue_), token(queue) {}
    void push(const Item& item) {
      if (!queue.enqueue(token, item)) std::abort();
    }
    Moodycamel& queue;
    moodycamel::ProducerToken token;
  };
  template <class Take>
  std::size_t drain(Take&& take) {
    const std::size_t taken = queue_.try_dequeue_bulk(token_, found_.begin(), batch);
    for (std::size_t i = 0; i < taken; ++i) take(found_[i]);
    return taken;
  }

 private:
  Moodycamel queue_;
  moodycamel::ConsumerToken token_;
  std::array<Item, batch> found_;
};
#endif

enum class Flow { window, flood };

/// Number of items of one producer that the consumer has seen.
struct alignas(64) Seen {
  std::atomic<std::int64_t> count{0};
};

template <class Queue>
double rate(int producers, Flow flow) {
  const int threads = producers + 1;
  const std::int64_t each = items / producers;
  const std::int64_t window = flow == Flow::flood ? each : std::int64_t{ring} / producers;
  Queue queue(producers);
  std::vector<Seen> seen(static_cast<std::size_t>(producers));
  std::barrier<> gate(threads);
  std::vector<double> begins(static_cast<std::size_t>(threads));  // the consumer may be the last
  double end = 0;
  {
    std::vector<std::jthread> workers;
    for (int p = 0; p < producers; ++p)
      workers.emplace_back([&, p] {
        if (threads <= available_cores()) pin_to_core(p + 1);
        typename Queue::Producer producer(queue);
        const std::atomic<std::int64_t>& counted = seen[static_cast<std::size_t>(p)].count;
        gate.arrive_and_wait();
        begins[static_cast<std::size_t>(p) + 1] = wall_ns();
        std::int64_t allowed = window;
        for (std::int64_t i = 0; i < each; ++i) {
          while (i == allowed) {
            allowed = counted.load(std::memory_order_relaxed) + window;
            if (i == allowed) wait_a_little(threads);
          }
          producer.push({p, i, {}});
        }
      });
    workers.emplace_back([&] {
      if (threads <= available_cores()) pin_to_core(0);
      std::vector<std::int64_t> got(static_cast<std::size_t>(producers));
      std::int64_t sum = 0;
      const auto take = [&](const Item& item) {
        ++got[static_cast<std::size_t>(item.producer)];
        sum += item.number;
      };
      gate.arrive_and_wait();
      begins[0] = wall_ns();
      for (std::int64_t left = each * producers; left > 0;) {
        const std::size_t taken = queue.drain(take);
        if (taken == 0) {
          wait_a_little(threads);
          continue;
        }
        left -= static_cast<std::int64_t>(taken);
        if (flow == Flow::window)
          for (std::size_t p = 0; p < got.size(); ++p)
            if (got[p] != seen[p].count.load(std::memory_order_relaxed))
              seen[p].count.store(got[p], std::memory_order_relaxed);
      }
      end = wall_ns();
      if (sum != producers * (each * (each - 1) / 2)) std::abort();  // lost or duplicated
    });
  }
  const double begin = *std::min_element(begins.begin(), begins.end());
  return 1e3 * static_cast<double>(each * producers) / (end - begin);
}

/// One thread alone; the flow does not matter.
template <class Queue>
double pair(int, Flow) {
  double each = 0;
  std::jthread([&] {
    pin_to_core(0);
    Queue queue(1);
    typename Queue::Producer producer(queue);
    std::int64_t sum = 0;
    const auto take = [&](const Item& item) { sum += item.number; };
    const auto go = [&](int count) {
      for (int i = 0; i < count; ++i) {
        producer.push({0, i, {}});
        if (queue.drain(take) != 1) std::abort();
      }
    };
    go(10000);
    const double start = wall_ns();
    go(pairs);
    each = (wall_ns() - start) / pairs;
    if (sum == 0) std::abort();
  }).join();
  return each;
}

struct Case {
  const char* peer;
  Flow flow;
  int producers;  // 0 for the uncontended pair
  double (*run)(int, Flow);
  std::vector<double> runs{}, hand_over{};
};

template <class... Queues>
std::vector<Case> cases_of() {
  std::vector<Case> cases;
  (cases.push_back({Queues::name, Flow::window, 0, pair<Queues>}), ...);
  for (const Flow flow : {Flow::window, Flow::flood})
    for (const int producers : producer_counts)
      (cases.push_back({Queues::name, flow, producers, rate<Queues>}), ...);
  return cases;
}

}  // namespace

int main() {
#ifdef FG_HAVE_CONCURRENTQUEUE
  std::vector<Case> cases = cases_of<Ticket, Locked, MoodycamelPlain, MoodycamelTokens>();
  const char* const left_out = "";
#else
  std::vector<Case> cases = cases_of<Ticket, Locked>();
  const char* const left_out = "\"moodycamel: its header was missing when this was built\"";
#endif
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (Case& c : cases) {
      c.hand_over.push_back(hand_over_ns());
      c.runs.push_back(c.run(c.producers, c.flow));
    }
  std::printf("{\n  \"benchmark\": \"queue\",\n");
  print_build();
  std::printf("  \"item_bytes\": %zu,\n  \"left_out\": [%s],\n  \"entries\": [\n", sizeof(Item),
              left_out);
  for (const Case& c : cases) {
    std::printf("    {\"peer\": \"%s\", ", c.peer);
    if (c.producers != 0)
      std::printf("\"producers\": %d, \"flow\": \"%s\", ", c.producers,
                  c.flow == Flow::window ? "window" : "flood");
    print_figure(c.producers == 0 ? "pair_ns" : "rate", c.runs);
    std::printf(", ");
    print_figure("hand_over_ns", c.hand_over);
    std::printf("}%s\n", &c == &cases.back() ? "" : ",");
  }
  std::printf("  ]\n}\n");
  return EXIT_SUCCESS;
}
