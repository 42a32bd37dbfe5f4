// SPDX-License-Identifier: BSD-3-Clause
//
// A program beside a run: frames that come back whole, and words for one that does not do its part.
// `cat` is a program that answers every frame with the same frame.
#include "processes/companion.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "support/expect_refused.hpp"

namespace fg {
namespace {

using std::chrono::microseconds;

/// The next frame; the test's own time limit ends a wait for nothing.
CompanionFrame await(Companion& companion) {
  for (;;)
    if (auto frame = companion.receive(microseconds(1000))) return *frame;
}

std::vector<std::string> shell(const std::string& script) {
  return {"sh", "-c", script};
}

TEST(Companion, AnswersWholeFramesInTheirOrder) {
  Companion companion("repeats", {"cat"});
  // More than a socket takes at once.
  std::vector<std::byte> large(3'000'001);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::byte>(i % 251);
  companion.send(3, 1, large);
  companion.send(4, 2, {});
  const CompanionFrame first = await(companion), second = await(companion);
  EXPECT_EQ(first.kind, 3U);
  EXPECT_EQ(first.number, 1U);
  EXPECT_TRUE(first.bytes == large);
  EXPECT_EQ(second.kind, 4U);
  EXPECT_EQ(second.number, 2U);
  EXPECT_TRUE(second.bytes.empty());
  EXPECT_FALSE(companion.receive(microseconds(0)));
}

TEST(Companion, HasOneThreadAndTheRestOfTheEnvironment) {
  Companion companion("looks", shell("echo $OMP_NUM_THREADS $PATH >&2; cat"));
  companion.send(1, 0, {});
  await(companion);
  const char* const path = std::getenv("PATH");
  const std::string said = companion.trouble("nothing").parts().value;
  EXPECT_EQ(said, std::string("its last lines: 1 ") + (path ? path : "")) << said;
}

TEST(Companion, HasAllCoresAlsoIfItsThreadHasOne) {
  cpu_set_t all, after;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "one core";
  std::string said;
  std::thread([&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int core = 0; CPU_COUNT(&one) == 0; ++core)
      if (CPU_ISSET(core, &all)) CPU_SET(core, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    Companion companion("looks", shell("unset OMP_NUM_THREADS; nproc >&2; cat"));
    ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
    EXPECT_TRUE(CPU_EQUAL(&after, &one));
    companion.send(1, 0, {});
    await(companion);
    said = companion.trouble("nothing").parts().value;
  }).join();
  EXPECT_EQ(said, "its last lines: " + std::to_string(CPU_COUNT(&all)));
}

TEST(Companion, ThatEndsIsNamedWithItsLastLines) {
  Companion companion("finds", shell("echo no such library >&2; exit 3"));
  test::expect_refused<ResourceError>([&] { await(companion); },
                                      "that finds has ended with status 3");
  EXPECT_EQ(companion.trouble("x").parts().value, "its last lines: no such library");
  EXPECT_EQ(companion.trouble("x").parts().where, "sh -c echo no such library >&2; exit 3");
}

TEST(Companion, ThatIsKilledIsNamedWithTheSignal) {
  Companion companion("finds", {"cat"});
  ASSERT_EQ(kill(companion.process(), SIGKILL), 0);
  companion.send(1, 0, {});
  test::expect_refused<ResourceError>([&] { await(companion); }, "has ended by signal 9");
}

TEST(Companion, ThatSaysSomethingElseIsRefused) {
  Companion talks("finds", shell("echo hello; cat"));
  test::expect_refused<ResourceError>([&] { await(talks); }, "answers something else");
  Companion other("finds",
                  shell("printf 'finegrn\\n\\002\\000\\000\\000'; head -c 20 /dev/zero; cat"));
  test::expect_refused<ResourceError>([&] { await(other); }, "speaks version 2, not 1");
}

TEST(Companion, ThatCannotBeStartedIsNamed) {
  test::expect_refused<ResourceError>([] { Companion("finds", {"/no/such/program"}); },
                                      "that finds cannot be started");
}

}  // namespace
}  // namespace fg
