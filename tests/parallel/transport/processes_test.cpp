// SPDX-License-Identifier: BSD-3-Clause
//
// The transport between processes, started by mpiexec on several of them: packets of every size
// arrive whole and once, a burst waits at its sender, and collective operations give the same
// result everywhere. Every process runs every test.
#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>

#include "transport/host_memory.hpp"
#include "transport/mpi/mpi_communicator.hpp"

namespace fg {
namespace {

struct Bytes : Message {
  std::int32_t seed;
  std::int64_t size;
};

const bool apart = std::getenv("FG_TEST_APART") != nullptr;

Transport& transport() {
  static const std::unique_ptr<Transport> all = make_mpi_transport({.share_memory = !apart});
  return *all;
}

std::uint8_t byte_of(std::int32_t seed, std::size_t i) {
  return static_cast<std::uint8_t>(static_cast<std::uint32_t>(seed) * 2654435761u + i * 40503u);
}

Ref<const Message> message_of(std::int32_t seed, std::size_t size) {
  auto message = make_message<Bytes>(size);
  message->seed = seed;
  message->size = static_cast<std::int64_t>(size);
  auto* const data = message->trailing<std::uint8_t>();
  for (std::size_t i = 0; i < size; ++i) data[i] = byte_of(seed, i);
  return message;
}

/// Counts the packets that arrive and checks that they are whole.
class Counter final : public PacketSink {
 public:
  void receive(int from, const PacketWords& words, std::span<const std::int32_t> list,
               Ref<const Message> message) override {
    ++packets;
    EXPECT_TRUE(seen.emplace(from, words.payload).second) << "twice";
    EXPECT_EQ(words.step, static_cast<std::int64_t>(words.payload) * 3 - 7);
    EXPECT_EQ(list.size(), static_cast<std::size_t>(words.entry));
    for (std::size_t i = 0; i < list.size(); ++i)
      EXPECT_EQ(list[i], words.entry - static_cast<std::int32_t>(i));
    if (words.array < 0) {
      EXPECT_FALSE(message);
      return;
    }
    ASSERT_TRUE(message);
    const auto& bytes = static_cast<const Bytes&>(*message);
    ASSERT_EQ(bytes.size, words.array);
    ASSERT_EQ(bytes.trailing_bytes(), static_cast<std::size_t>(words.array));
    const auto* const data = bytes.trailing<std::uint8_t>();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < bytes.trailing_bytes(); ++i)
      wrong += data[i] != byte_of(bytes.seed, i) ? 1 : 0;
    EXPECT_EQ(wrong, 0u);
  }
  bool full() const noexcept override { return closed; }

  std::size_t packets = 0;
  std::set<std::pair<int, std::uint64_t>> seen;
  bool closed = false;
};

void send(int to, std::uint64_t number, std::int32_t list_size, std::int64_t message_size,
          bool urgent = false) {
  std::vector<std::int32_t> list(static_cast<std::size_t>(list_size));
  for (std::int32_t i = 0; i < list_size; ++i) list[static_cast<std::size_t>(i)] = list_size - i;
  transport().send(to,
                   {.entry = list_size,
                    .array = static_cast<std::int32_t>(message_size),
                    .step = static_cast<std::int64_t>(number) * 3 - 7,
                    .payload = number},
                   list,
                   message_size < 0 ? Ref<const Message>()
                                    : message_of(static_cast<std::int32_t>(number),
                                                 static_cast<std::size_t>(message_size)),
                   urgent);
}

void run_until(Counter& counter, std::size_t packets) {
  while (counter.packets < packets || transport().pending() > 0)
    if (!transport().progress(counter)) sched_yield();
}

/// Not run with one process, which has no receiver.
class SeveralProcesses : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_GT(transport().processes(), 1); }
};

TEST_F(SeveralProcesses, PacketsOfEverySizeArriveWholeAndOnce) {
  const std::int64_t sizes[] = {-1, 0, 1, 7, 64, 1000, 8000, 8191, 8192, 8193, 100000, 3000000};
  Counter counter;
  std::uint64_t number = 0;
  for (const std::int64_t size : sizes)
    for (const std::int32_t list : {0, 1, 500}) {
      ++number;
      for (int to = 0; to < transport().processes(); ++to)
        if (to != transport().rank()) send(to, number, list, size);
    }
  run_until(counter, number * static_cast<std::size_t>(transport().processes() - 1));
  transport().settle(counter);
  EXPECT_FALSE(transport().progress(counter));
  // No process sends for the next test before all have finished the checks.
  transport().gather({});
  transport().broadcast({});
}

/// With shared memory a message of 100 kB is read where its sender wrote it, and its memory goes
/// back.
TEST_F(SeveralProcesses, LargeMessagesOfAHostAreNotCopied) {
  class Keeper final : public PacketSink {
   public:
    void receive(int, const PacketWords&, std::span<const std::int32_t>,
                 Ref<const Message> message) override {
      ++packets;
      in_place += HostMemory::contains(message.get()) ? 1 : 0;
      EXPECT_EQ(message->trailing<std::uint8_t>()[99999],
                byte_of(static_cast<const Bytes&>(*message).seed, 99999));
    }
    int packets = 0, in_place = 0;
  } keeper;
  constexpr int rounds = 200;
  const int next = (transport().rank() + 1) % transport().processes();
  Pool::attach();
  std::size_t before = 0;
  for (int round = 0; round < rounds; ++round) {
    if (round == rounds / 2) before = Pool::reserved_bytes();
    transport().send(next, {.step = round}, {}, message_of(round, 100000));
    while (keeper.packets <= round || transport().pending() > 0)
      if (!transport().progress(keeper)) sched_yield();
  }
  EXPECT_LT(Pool::reserved_bytes() - before, std::size_t{rounds / 4 * 100000});
  Pool::detach();
  transport().settle(keeper);
  const bool shared = !apart && HostMemory::possible;
  EXPECT_EQ(HostMemory::installed() != nullptr, shared && transport().processes_here() > 1);
  if (transport().processes_here() == transport().processes()) {
    EXPECT_EQ(keeper.in_place, shared ? rounds : 0);
  }
}

TEST_F(SeveralProcesses, AllProcessesSendToAllAtOnce) {
  constexpr std::uint64_t each = 5000;
  Counter counter;
  for (std::uint64_t number = 1; number <= each; ++number)
    for (int to = 0; to < transport().processes(); ++to)
      if (to != transport().rank())
        send(to, number, static_cast<std::int32_t>(number % 5),
             static_cast<std::int64_t>(number % 997));
  run_until(counter, each * static_cast<std::size_t>(transport().processes() - 1));
  transport().settle(counter);
}

/// A receiver that takes nothing in holds at most one window of packets. The rest waits at the
/// sender, many small ones to a packet.
TEST_F(SeveralProcesses, ABurstWaitsAtItsSender) {
  constexpr std::uint64_t burst = 1000000;
  const int last = transport().processes() - 1;
  Counter counter;
  counter.closed = transport().rank() == last;
  std::size_t packets = 0;
  if (transport().rank() == 0) {
    for (std::uint64_t number = 1; number <= burst; ++number) send(last, number, 0, -1);
    packets = transport().pending();
    EXPECT_LT(packets, burst / 50);
    EXPECT_LT(Pool::reserved_bytes(), burst * 200);
  }
  for (int i = 0; i < 2000; ++i) transport().progress(counter);
  EXPECT_EQ(counter.packets, 0u);
  if (transport().rank() == 0) {
    EXPECT_GT(transport().pending(), packets - 100);
  }
  transport().broadcast({});  // no process continues before all have finished the checks
  counter.closed = false;
  run_until(counter, transport().rank() == last ? burst : 0);
  transport().settle(counter);
}

/// Urgent packets overtake those that wait for room, and do not delay those that already have room.
TEST_F(SeveralProcesses, UrgentOnesDoNotBlockOthers) {
  constexpr std::uint64_t burst = 100000;
  const int next = (transport().rank() + 1) % transport().processes();
  Counter counter;
  for (std::uint64_t number = 1; number <= burst; ++number) {
    send(next, number, 0, static_cast<std::int64_t>(number % 7 * 150), number / 500 % 2 == 1);
    counter.closed = number / 3000 % 2 == 0;
    if (number % 40 == 0) transport().progress(counter);
  }
  counter.closed = false;
  run_until(counter, burst);
  transport().settle(counter);
}

TEST_F(SeveralProcesses, AnswersCanBeSentFromWithinReceive) {
  class Bouncer final : public PacketSink {
   public:
    void receive(int from, const PacketWords& words, std::span<const std::int32_t>,
                 Ref<const Message> message) override {
      ++packets;
      if (words.step > 0) transport().send(from, {.step = words.step - 1}, {}, std::move(message));
    }
    std::int64_t packets = 0;
  } bouncer;
  // odd: the process that begins receives as many as it sends
  constexpr std::int64_t bounces = 2001;
  const int partner = transport().rank() ^ 1;
  if (partner < transport().processes()) {
    transport().send(partner, {.step = bounces}, {}, message_of(5, 300));
    while (bouncer.packets < bounces + 1 || transport().pending() > 0)
      if (!transport().progress(bouncer)) sched_yield();
  }
  transport().settle(bouncer);
}

/// Even and odd processes form two groups, each with its own transport beside the common one.
TEST(Processes, OnACommunicatorOfTheCallers) {
  const int rank = transport().rank();
  MPI_Comm some = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &some);
  {
    const auto mine = make_mpi_transport(some);
    EXPECT_EQ(mine->rank(), rank / 2);
    EXPECT_EQ(mine->processes(), (transport().processes() + 1 - rank % 2) / 2);
    Counter counter;
    for (int to = 0; to < mine->processes(); ++to)
      if (to != mine->rank()) mine->send(to, {.array = -1, .step = -4, .payload = 1}, {}, nullptr);
    mine->settle(counter);
    EXPECT_EQ(counter.packets, static_cast<std::size_t>(mine->processes() - 1));
  }
  MPI_Comm_free(&some);
}

/// What a process writes for another is visible when a packet that was sent afterwards has arrived.
/// A second piece of memory can be allocated beside the first, and released memory can be used
/// again.
TEST(Processes, OfAHostShareMemory) {
  const auto processes = static_cast<std::size_t>(transport().processes());
  const int rank = transport().rank();
  const auto length = [](int from, int to) {
    return static_cast<std::size_t>(1000 * from + 77 * to + 5);
  };
  std::vector<std::shared_ptr<const SharedMemory>> held;
  for (int time = 0; time < 6; ++time) {
    std::vector<std::size_t> bytes;
    for (int to = 0; to < transport().processes(); ++to) bytes.push_back(length(rank, to));
    if (held.size() == 2) held.erase(held.begin());
    held.push_back(transport().share(bytes));
    ASSERT_EQ(held.back() != nullptr, transport().processes_here() > 1 && !apart);
    if (!held.back()) continue;
    Counter counter;
    for (int to = 0; to < transport().processes(); ++to) {
      if (to == rank) continue;
      std::byte* const there = held.back()->to(to);
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(there) % 64, 0u);
      std::memset(there, 16 * rank + to + time, length(rank, to));
      send(to, 1, 0, -1);
    }
    run_until(counter, processes - 1);
    for (const auto& memory : held)
      for (int from = 0; from < transport().processes(); ++from) {
        const int expected = 16 * from + rank + time - (memory == held.back() ? 0 : 1);
        if (from == rank) continue;
        const std::byte* const here = memory->from(from);
        for (std::size_t i = 0; i < length(from, rank); ++i)
          ASSERT_EQ(here[i], static_cast<std::byte>(expected)) << from << " " << i;
      }
    transport().settle(counter);
  }
  const auto alone = make_mpi_transport({.share_memory = false});
  EXPECT_EQ(alone->share(std::vector<std::size_t>(processes, 8)), nullptr);
}

TEST(Processes, CollectiveOperationsGiveTheSameEverywhere) {
  std::vector<std::byte> bytes;
  if (transport().rank() == 0) bytes.assign(100000, std::byte{42});
  EXPECT_EQ(transport().broadcast(bytes), std::vector<std::byte>(100000, std::byte{42}));
  const std::vector<std::byte> mine(static_cast<std::size_t>(transport().rank()) * 10,
                                    static_cast<std::byte>(transport().rank()));
  const auto all = transport().gather(mine);
  ASSERT_EQ(all.size(), transport().rank() == 0 ? transport().processes() : 0);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    EXPECT_EQ(all[rank], std::vector<std::byte>(rank * 10, static_cast<std::byte>(rank)));
  EXPECT_GE(transport().processes_here(), 1);
  EXPECT_FALSE(transport().description().empty());
}

}  // namespace
}  // namespace fg
