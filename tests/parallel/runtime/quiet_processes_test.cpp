// SPDX-License-Identifier: BSD-3-Clause
//
// Runs of several processes whose quiet is announced. A token goes round all elements; after some
// rounds the first element says that the end may come, and sends the token on its last round.
#include <gtest/gtest.h>

#include <cstdint>

#include "parallel/runtime/processes.hpp"
#include "runtime/runtime.hpp"

namespace fg::test {
namespace {

constexpr int elements = 7, rounds = 40;

class Runner : public Chare<Runner, 1> {
 public:
  void take(std::int64_t round) {
    ++taken;
    const bool is_first = ordinal() == 0, announces = is_first && round == rounds;
    if (announces) runtime().expect_quiet();
    const std::int64_t next = round + (is_first ? 1 : 0);
    if (next <= rounds + 1)
      array().at_ordinal((ordinal() + 1) % array().size()).send<&Runner::take>(next);
  }

  std::int64_t taken = 0;
};

std::int64_t taken_of(const Array<Runner>& runners) {
  std::int64_t mine = 0;
  for (int i = 0; i < runners.size(); ++i)
    if (runners.here_at(i)) mine += runners.object_at(i).taken;
  return added_up({mine})[0];
}

TEST(QuietProcesses, ARunEndsSoonAfterItsEndIsAnnouncedAndLosesNoMessage) {
  for (const auto& [pes, communication] : modes) {
    Runtime runtime(options(pes, communication));
    const std::array<int, 1> shape{elements};
    const auto runners =
        runtime.create_array<Runner>(shape, round_robin_map<1>(shape, runtime.pes()));
    for (int run = 1; run <= 3; ++run) {
      if (runtime.process() == 0) runners[{0}].send<&Runner::take>(std::int64_t{0});
      runtime.run_until_quiescent(Runtime::Quiet::as_announced);
      const std::int64_t all = taken_of(runners);
      // Rounds 0 to `rounds` are whole; the last message, of the round after, reaches element 0.
      if (transport().rank() == 0) {
        EXPECT_EQ(all, run * (elements * (rounds + 1) + 1));
      }
    }
  }
}

TEST(QuietProcesses, ARunEndsEvenIfItsEndIsNeverAnnounced) {
  Runtime runtime(options(1));
  const std::array<int, 1> shape{elements};
  const auto runners =
      runtime.create_array<Runner>(shape, round_robin_map<1>(shape, runtime.pes()));
  if (runtime.process() == 0) runners[{0}].send<&Runner::take>(std::int64_t{rounds + 1});
  runtime.run_until_quiescent(Runtime::Quiet::as_announced);
  const std::int64_t all = taken_of(runners);
  if (transport().rank() == 0) {
    EXPECT_EQ(all, 1);
  }
}

}  // namespace
}  // namespace fg::test
