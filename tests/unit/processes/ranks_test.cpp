// SPDX-License-Identifier: BSD-3-Clause
//
// Which processes know about an error: an error of one process must reach those that wait for it.
#include "processes/ranks.hpp"

#include <gtest/gtest.h>

#include <new>

namespace fg {
namespace {

/// A network that fails at its first use, seen by the first of two processes.
class BrokenTransport final : public Transport {
 public:
  int rank() const noexcept override { return 0; }
  int processes() const noexcept override { return 2; }
  int processes_here() const noexcept override { return 2; }
  int rank_here() const noexcept override { return 0; }
  std::string description() const override { return "broken"; }
  void send(int, const PacketWords&, std::span<const std::int32_t>, Ref<const Message>,
            bool) override {}
  bool progress(PacketSink&) override { throw ResourceError({.what = "the network is gone"}); }
  std::size_t pending() const noexcept override { return 0; }
  void wait(PacketSink&, double) override {}
  double seconds() const override { return 0; }
  void settle(PacketSink&) override {}
  std::vector<std::byte> broadcast(std::vector<std::byte> bytes) override { return bytes; }
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
    return {2, std::vector<std::byte>(bytes.begin(), bytes.end())};
  }
  std::shared_ptr<const SharedMemory> share(std::span<const std::size_t>) override {
    return nullptr;
  }
  void end_all(int) noexcept override {}
};

class Thrower : public Chare<Thrower, 1> {
 public:
  void go() { throw NumericsError({.what = "diverged"}); }
};

const std::exception_ptr input = std::make_exception_ptr(InputError({.what = "bad"}));
const std::exception_ptr numerics = std::make_exception_ptr(NumericsError({.what = "diverged"}));
const std::exception_ptr memory = std::make_exception_ptr(std::bad_alloc());

TEST(KnownErrors, OutsideOfARunOnlyAnErrorOfTheInputIsEverywhere) {
  EXPECT_EQ(who_knows(nullptr, input), Known::everywhere);
  EXPECT_EQ(who_knows(nullptr, numerics), Known::alone);
  EXPECT_EQ(who_knows(nullptr, memory), Known::alone);
  const Runtime idle;
  EXPECT_EQ(who_knows(&idle, input), Known::everywhere);
  EXPECT_EQ(who_knows(&idle, numerics), Known::alone);
}

TEST(KnownErrors, WhatEndedARunIsEverywhere) {
  Runtime runtime;
  const auto array = runtime.create_array<Thrower>({1}, [](const auto&) { return 0; });
  array.at_ordinal(0).send<&Thrower::go>();
  EXPECT_THROW(runtime.run(), NumericsError);
  for (const auto& error : {input, numerics, memory})
    EXPECT_EQ(who_knows(&runtime, error), Known::everywhere);
}

TEST(KnownErrors, WithoutANetworkTheOthersAreCutOffAsWell) {
  BrokenTransport transport;
  Runtime runtime({.transport = &transport});
  EXPECT_THROW(runtime.run(), ResourceError);
  ASSERT_TRUE(runtime.cut_off());
  EXPECT_EQ(who_knows(&runtime, numerics), Known::cut_off);
  EXPECT_EQ(who_knows(&runtime, memory), Known::alone);
}

TEST(KnownErrors, AnErrorThatIsAloneSaysOfWhichProcess) {
  const BrokenTransport transport;
  try {
    throw_known(&transport, nullptr, numerics);
  } catch (const LoneError& error) {
    EXPECT_EQ(error.parts().what, "diverged");
    EXPECT_EQ(error.parts().where, "process 0");
  }
  EXPECT_THROW(throw_known(&transport, nullptr, numerics), LoneError);
  EXPECT_THROW(throw_known(&transport, nullptr, input), InputError);
  EXPECT_THROW(throw_known(nullptr, nullptr, memory), std::bad_alloc);
}

}  // namespace
}  // namespace fg
