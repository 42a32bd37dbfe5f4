// SPDX-License-Identifier: BSD-3-Clause
#include "transport/host_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "transport/message.hpp"

namespace fg {
namespace {

struct Numbers : Message {
  std::int64_t count;
};

template <class T>
void tell(int pipe, const T& what) {
  ASSERT_EQ(write(pipe, &what, sizeof what), static_cast<ssize_t>(sizeof what));
}
template <class T>
T hear(int pipe) {
  T what{};
  EXPECT_EQ(read(pipe, &what, sizeof what), static_cast<ssize_t>(sizeof what));
  return what;
}

/// Runs `work(place, from, to)` in two processes, with pipes between them.
template <class Work>
void run_two_processes(Work work) {
  std::array<int, 2> there{}, back{};
  ASSERT_EQ(pipe(there.data()), 0);
  ASSERT_EQ(pipe(back.data()), 0);
  std::array<pid_t, 2> processes{};
  for (int place = 0; place < 2; ++place) {
    processes[static_cast<std::size_t>(place)] = fork();
    if (processes[static_cast<std::size_t>(place)] == 0) {
      work(place, place == 0 ? back[0] : there[0], place == 0 ? there[1] : back[1]);
      std::quick_exit(::testing::Test::HasFailure() ? 1 : 0);
    }
  }
  for (const int end : {there[0], there[1], back[0], back[1]}) close(end);
  for (const pid_t process : processes) {
    int status = 0;
    ASSERT_EQ(waitpid(process, &status, 0), process);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}

TEST(HostMemory, IsNotThereAtFirst) {
  EXPECT_EQ(HostMemory::installed(), nullptr);
  const int own = 0;
  EXPECT_FALSE(HostMemory::contains(&own));
  EXPECT_FALSE(HostMemory::contains(nullptr));
}

TEST(HostMemory, AddressesThatAreInUseAreNotTaken) {
  if (!HostMemory::possible) GTEST_SKIP() << "not with the sanitizer of threads";
  const auto first = HostMemory::reserve(2, 0, 0);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(HostMemory::reserve(2, 1, 0), nullptr);
  EXPECT_NE(HostMemory::reserve(2, 1, 1), nullptr);
}

TEST(HostMemory, ASliceOfAnotherIsOnlyMappedWithItsSecret) {
  if (!HostMemory::possible) GTEST_SKIP() << "not with the sanitizer of threads";
  const auto memory = HostMemory::reserve(3, 0, 0);
  ASSERT_NE(memory, nullptr);
  const HostMemory::Handle own = memory->make_slice();
  ASSERT_GE(own.file, 0);
  EXPECT_TRUE(memory->map_slice(1, own));  // itself once more
  for (HostMemory::Handle wrong :
       {HostMemory::Handle{own.process, own.file, own.secret + 2},
        HostMemory::Handle{own.process, own.file + 1000, own.secret},
        HostMemory::Handle{0, own.file, own.secret}, HostMemory::Handle{own.process, 0, own.secret},
        HostMemory::Handle{}})
    EXPECT_FALSE(memory->map_slice(2, wrong));
}

/// A message that one process writes is read and released by the other one where it is, and its
/// memory goes back to the writer.
TEST(HostMemory, AMessageGoesByItsAddressAndItsMemoryComesBack) {
  if (!HostMemory::possible) GTEST_SKIP() << "not with the sanitizer of threads";
  run_two_processes([](int here, int from, int to) {
    auto memory = HostMemory::reserve(2, here, 0);
    ASSERT_NE(memory, nullptr);
    tell(to, memory->make_slice());
    ASSERT_TRUE(memory->map_slice(1 - here, hear<HostMemory::Handle>(from)));
    tell(to, true);
    ASSERT_TRUE(hear<bool>(from));
    HostMemory::install(std::move(memory), 7);
    EXPECT_EQ(HostMemory::installed()->group(), 7u);

    Pool::attach();
    EXPECT_FALSE(HostMemory::contains(make_message<Numbers>(100).get()))
        << "small ones are private";
    constexpr std::size_t bytes = 100000;
    const Message* last = nullptr;
    for (int round = 0; round < 500; ++round) {
      Ref<Numbers> mine = make_message<Numbers>(bytes);
      ASSERT_TRUE(HostMemory::contains(mine.get()));
      mine->count = 10 * round + here;
      std::memset(mine->trailing<char>(), round % 100 + here, bytes);
      last = mine.get();
      tell(to, reinterpret_cast<std::uintptr_t>(Ref<const Message>(std::move(mine)).detach()));
      const auto arrived =
          Ref<const Message>::adopt(reinterpret_cast<const Message*>(hear<std::uintptr_t>(from)));
      ASSERT_TRUE(arrived);
      EXPECT_NE(arrived.get(), last);
      EXPECT_EQ(arrived->trailing_bytes(), bytes);
      EXPECT_EQ(static_cast<const Numbers&>(*arrived).count, 10 * round + 1 - here);
      EXPECT_EQ(arrived->trailing<char>()[bytes - 1], round % 100 + 1 - here);
      EXPECT_TRUE(arrived->unique());
    }
    // The other one may not yet have released the last one when the next one is made.
    EXPECT_LT(HostMemory::installed()->taken(), 10 * bytes);
    Pool::detach();
    tell(to, true);
    ASSERT_TRUE(hear<bool>(from));
  });
  EXPECT_EQ(HostMemory::installed(), nullptr);
}

}  // namespace
}  // namespace fg
