// SPDX-License-Identifier: BSD-3-Clause
//
// An error in a chare reaches the caller of run() exactly once, at any place and however often it
// occurs.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "parallel/runtime/pes.hpp"
#include "runtime/runtime.hpp"

namespace fg {
namespace {

struct Load : Message {
  int number;
};

class Fragile : public Chare<Fragile, 2> {
 public:
  void pass(std::int64_t left) {
    if (left == 0) throw NumericsError({.what = "fell over", .where = std::to_string(ordinal())});
    array().at_ordinal((ordinal() + 1) % array().size()).send<&Fragile::pass>(left - 1);
  }
  void carry(Ref<const Load> m) {
    if (m->number == 50) throw std::runtime_error("not one of ours");
    array().broadcast<&Fragile::carry>(next(m->number + 1));
  }
  Task waits() {
    co_await when<&Fragile::accept>(1);
    throw InputError({.what = "of no use"});
  }
  void accept(Ref<const Load>) {}
  void halt() { runtime().stop(); }
  static Ref<Load> next(int number) {
    const Ref<Load> message = make_message<Load>(500);
    message->number = number;
    return message;
  }
};

class Errors : public testing::TestWithParam<int> {
 protected:
  Runtime rt{{.pes = GetParam(), .pin = false}};
  Array<Fragile> fragile = rt.create_array<Fragile>({3, 4}, round_robin_map<2>({3, 4}, GetParam()));
};

TEST_P(Errors, OneAmongManyMessages) {
  fragile.broadcast<&Fragile::pass>(1000);
  fragile[{1, 1}].send<&Fragile::pass>(500);
  EXPECT_THROW(rt.run(), NumericsError);
  EXPECT_THROW(rt.run(), InternalError);  // a runtime that failed does not run again
}

TEST_P(Errors, AllAtOnce) {
  fragile.broadcast<&Fragile::pass>(0);
  try {
    rt.run();
    FAIL();
  } catch (const NumericsError& error) {
    EXPECT_EQ(error.parts().what, "fell over");
  }
}

TEST_P(Errors, OfAnyTypeWithMessagesInFlight) {
  fragile[{0, 0}].send<&Fragile::carry>(Fragile::next(48));
  EXPECT_THROW(rt.run(), std::runtime_error);
}

TEST_P(Errors, InALifeWhileOthersWait) {
  fragile.broadcast<&Fragile::waits>();
  fragile[{2, 3}].send_at<&Fragile::accept>(1, Fragile::next(0));
  EXPECT_THROW(rt.run(), InputError);
}

TEST_P(Errors, DeadlockIsOne) {
  fragile.broadcast<&Fragile::waits>();
  fragile[{2, 3}].send_at<&Fragile::accept>(2, Fragile::next(0));
  try {
    rt.run();
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(error.parts().where.find("and 4 more"), std::string::npos) << error.parts().where;
  }
}

TEST_P(Errors, AnUnfinishedRuntimeCleansUp) {
  fragile.broadcast<&Fragile::waits>();
  for (int i = 0; i < 100; ++i) fragile.broadcast_at<&Fragile::accept>(2, Fragile::next(i));
  fragile[{0, 0}].send<&Fragile::halt>(Lane::low);
  rt.run();
  fragile.broadcast<&Fragile::accept>(Fragile::next(0));
}

INSTANTIATE_TEST_SUITE_P(All, Errors, all_pes(), pes_name);

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
constexpr std::size_t little = std::size_t{1} << 30;  // bytes

void limit_address_space() {
  const rlimit small{little, little};
  ::setrlimit(RLIMIT_AS, &small);
}

/// Whether a process gets no more than its limit: QEMU, which runs programs for Arm, gives more.
bool address_space_has_limits() {
  const pid_t child = ::fork();
  if (child == 0) {
    limit_address_space();
    const void* const more =
        ::mmap(nullptr, 2 * little, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::_Exit(more == MAP_FAILED ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

/// The test runs in a separate process with too little address space for that many stacks.
TEST(Error, AThreadThatCannotBeStartedIsAnErrorAndNotAHang) {
  if (!address_space_has_limits()) GTEST_SKIP() << "the address space of a process has no limit";
  const auto crowded = [] {
    limit_address_space();
    Runtime runtime({.pes = 400, .pin = false});
    try {
      runtime.run_until_quiescent();
    } catch (const ResourceError&) {
      std::_Exit(7);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(crowded(), ::testing::ExitedWithCode(7), "");
}
#endif

}  // namespace
}  // namespace fg
