// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/profile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "runtime/runtime.hpp"

namespace fg {
namespace {

class Worker : public Chare<Worker, 1> {
 public:
  void work(std::int64_t n) {
    static const Phase inner("inner loop");
    {
      const PhaseTimer timer(inner);
      for (std::int64_t i = 0; i < 1000; ++i) sum = sum + static_cast<double>(i ^ n);
    }
    if (n > 0) self().send<&Worker::work>(n - 1);
  }
  void tick(std::int64_t) {}
  Task life() {
    for (std::int64_t step = 0; step < 10; ++step) {
      self().send_at<&Worker::tick>(step, step);
      co_await when<&Worker::tick>(step);
    }
  }
  volatile double sum = 0;
};

const Profile::Item* find(const std::vector<Profile::Item>& items, std::string_view name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Profile::Item& item) {
    return item.name.find(name) != std::string::npos;
  });
  return found == items.end() ? nullptr : &*found;
}

Profile profile_of_a_run(Profiling profiling) {
  Runtime rt({.pes = 2, .pin = false, .profiling = profiling});
  const Array<Worker> workers = rt.create_array<Worker>({2}, round_robin_map<1>({2}, 2));
  workers.broadcast<&Worker::work>(49);
  workers[{0}].send<&Worker::life>();
  rt.run_until_quiescent();
  return rt.profile();
}

TEST(Profile, CountsAndTimesEntriesLivesAndPhases) {
  for (Profiling profiling : {Profiling::entries, Profiling::scheduling}) {
    const Profile profile = profile_of_a_run(profiling);
    const Profile::Item* const work = find(profile.entries, "Worker::work");
    const Profile::Item* const tick = find(profile.entries, "Worker::tick");
    const Profile::Item* const life = find(profile.entries, "Worker::life");
    const Profile::Item* const inner = find(profile.phases, "inner loop");
    ASSERT_TRUE(work && tick && life && inner);
    EXPECT_EQ(work->count, 100u);
    EXPECT_EQ(tick->count, 10u);
    EXPECT_EQ(life->count, 1u);
    EXPECT_EQ(inner->count, 100u);
    EXPECT_GT(life->seconds, 0);
    EXPECT_LE(inner->seconds, work->seconds);
    ASSERT_EQ(profile.pes.size(), 2u);
    std::uint64_t processed = 0;
    for (const Profile::PerPe& pe : profile.pes) {
      processed += pe.processed;
      // The parts are taken from one interval, which lies inside the run.
      EXPECT_LE(pe.busy + pe.idle + pe.scheduling + pe.sending, profile.wall_seconds);
    }
    EXPECT_EQ(processed, 111u);
    if (profiling == Profiling::scheduling) {
      EXPECT_GT(profile.pes[0].scheduling, 0);
      EXPECT_GT(profile.pes[0].sending, 0);
    }
  }
}

TEST(Profile, OffCostsNothingAndTellsCountsOnly) {
  const Profile profile = profile_of_a_run(Profiling::off);
  EXPECT_TRUE(profile.entries.empty());
  EXPECT_TRUE(profile.phases.empty());
  EXPECT_EQ(profile.pes[0].processed + profile.pes[1].processed, 111u);
}

TEST(Profile, PhasesAreInternedByName) {
  const Phase a("one name"), b("another name"), c("one name");
  EXPECT_EQ(a.id(), c.id());
  EXPECT_NE(a.id(), b.id());
}

}  // namespace
}  // namespace fg
