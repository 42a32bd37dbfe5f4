// SPDX-License-Identifier: BSD-3-Clause
//
// The schedule of sums for baths, for many combinations of intervals: by its definition, step by
// step.
#include "classical/job/schedule.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace fg::classical {
namespace {

struct Intervals {
  int rebuild, prune, energies, lag;
  bool after;
  std::int64_t first, last;
};

Schedule schedule_of(const Intervals& i, bool bath = true) {
  JobSettings settings;
  settings.rebuild_interval = i.rebuild;
  settings.prune_interval = i.prune;
  JobDynamics dynamics;
  dynamics.energy_interval = i.energies;
  dynamics.thermostat_time = bath ? 1 : 0;
  Schedule schedule(settings, dynamics, i.first, i.last);
  schedule.measure_before_coupling(i.lag, i.prune, i.after);
  return schedule;
}

/// All combinations that a job can have: runs start and end anywhere.
template <class Visit>
void for_many(Visit&& visit) {
  for (const int rebuild : {1, 2, 6, 10, 12})
    for (int prune = 1; prune <= rebuild; ++prune) {
      if (rebuild % prune != 0) continue;
      for (const int energies : {0, 1, 7, 10})
        for (const bool after : {false, true})
          for (const int lag : std::set<int>{1, std::max(1, prune / 2), prune})
            for (const std::int64_t first : {0, 3 * rebuild, 3 * rebuild + rebuild / 2})
              for (const std::int64_t more : {0, 1, rebuild - 1, rebuild, 4 * rebuild + 1}) {
                const Intervals i{rebuild, prune, energies, lag, after, first, first + more};
                SCOPED_TRACE(::testing::Message()
                             << "rebuild " << rebuild << " prune " << prune << " energies "
                             << energies << " after " << after << " lag " << lag << " first "
                             << first << " last " << i.last);
                visit(i, schedule_of(i));
                if (::testing::Test::HasFailure()) return;
              }
    }
}

/// But for the first, before which there are not all samples.
TEST(BathSchedule, CouplesOnEachRebuildAfterAWholeInterval) {
  for_many([](const Intervals& i, const Schedule& schedule) {
    for (std::int64_t step = i.first; step <= i.last; ++step)
      EXPECT_EQ(schedule.couples(step), step - i.rebuild >= i.first && step % i.rebuild == 0);
  });
}

TEST(BathSchedule, DecidesOnceBeforeEachCouplingAndNeverElse) {
  for_many([](const Intervals& i, const Schedule& schedule) {
    std::multiset<std::int64_t> decided, wanted;
    for (std::int64_t step = i.first; step <= i.last; ++step) {
      if (schedule.couples(step)) wanted.insert(step);
      if (!schedule.decides(step)) continue;
      decided.insert(schedule.next_coupling(step));
      EXPECT_EQ(schedule.next_coupling(step) - step, i.lag);
      EXPECT_TRUE(schedule.samples(step));
    }
    EXPECT_EQ(decided, wanted);
  });
}

/// Each coupling has the same number of samples, evenly spaced, none of them after its decision.
TEST(BathSchedule, SamplesEvenlyBeforeEachDecision) {
  for_many([](const Intervals& i, const Schedule& schedule) {
    int samples = 0;
    for (std::int64_t step = i.first; step <= i.last; ++step) {
      if (schedule.samples(step)) {
        EXPECT_LE(schedule.next_coupling(step), i.last);
        EXPECT_EQ((schedule.next_coupling(step) - step - i.lag) % i.prune, 0);
        ++samples;
      }
      if (!schedule.decides(step)) continue;
      EXPECT_EQ(samples, i.rebuild / i.prune);
      samples = 0;
    }
    EXPECT_EQ(samples, 0);
  });
}

TEST(BathSchedule, SumsWhateverIsSampledDecidedOrWritten) {
  for_many([](const Intervals& i, const Schedule& schedule) {
    for (std::int64_t step = i.first; step <= i.last; ++step) {
      const bool row = step == i.last || (i.energies > 0 && step % i.energies == 0);
      EXPECT_EQ(schedule.energies(step), row);
      EXPECT_EQ(schedule.virial(step),
                row || schedule.samples(step) || (i.after && step % i.rebuild == 0));
      EXPECT_EQ(schedule.kind(step).virial, schedule.virial(step));
    }
  });
}

TEST(BathSchedule, KnowsTheNextSumOfEveryStep) {
  for_many([](const Intervals& i, const Schedule& with) {
    for (const Schedule& schedule : {with, schedule_of(i, false)})
      for (std::int64_t step = i.first - 1; step <= i.last; ++step) {
        std::int64_t next = std::max(step + 1, i.first);
        while (next <= i.last && !schedule.virial(next)) ++next;
        if (step < i.first && next == i.first) continue;  // a run's first step is its caller's
        EXPECT_EQ(schedule.next_virial(step), next) << "after " << step;
      }
  });
}

/// Visits jobs whose intervals are multiples of the one between two evaluations of the mesh.
template <class Visit>
void for_many_with_impulses(Visit&& visit) {
  for (const int every : {2, 3, 4})
    for (const int rebuild : {12, 24})
      for (const int prune : {1, 2, 3, 4, 6, 12})
        for (const int energies : {0, every, 12})
          for (const bool after : {false, true})
            for (const int lag : {1, std::max(1, std::lcm(prune, every) / 2)})
              for (const std::int64_t first : {0, 3 * rebuild}) {
                JobSettings settings;
                settings.rebuild_interval = rebuild;
                settings.prune_interval = prune;
                JobDynamics dynamics;
                dynamics.energy_interval = energies;
                dynamics.thermostat_time = 1;
                dynamics.pair_interval = std::gcd(every, prune);
                dynamics.long_range_interval = every;
                Schedule schedule(settings, dynamics, first, first + 4 * rebuild + every);
                schedule.measure_before_coupling(lag, prune, after);
                SCOPED_TRACE(::testing::Message()
                             << "every " << every << " rebuild " << rebuild << " prune " << prune
                             << " energies " << energies << " lag " << lag << " first " << first);
                visit(every, rebuild, schedule);
                if (::testing::Test::HasFailure()) return;
              }
}

TEST(LongRangeSchedule, EvaluatesAllForcesWheneverSomethingIsSummedOrRebuilt) {
  for_many_with_impulses([](int every, int, const Schedule& schedule) {
    for (std::int64_t step = schedule.first(); step <= schedule.last(); ++step) {
      EXPECT_EQ(schedule.long_range(step), step % every == 0);
      const StepKind kind = schedule.kind(step);
      if (kind.virial || kind.energies || kind.rebuild) {
        EXPECT_TRUE(schedule.long_range(step));
      }
      if (kind.prune || schedule.long_range(step)) {
        EXPECT_TRUE(schedule.pairs(step));
      }
    }
  });
}

TEST(LongRangeSchedule, StillDecidesOnceBeforeEachCouplingAfterEvenSamples) {
  for_many_with_impulses([](int, int rebuild, const Schedule& schedule) {
    std::multiset<std::int64_t> decided, wanted;
    std::set<int> counts;
    int samples = 0;
    for (std::int64_t step = schedule.first(); step <= schedule.last(); ++step) {
      if (schedule.couples(step)) wanted.insert(step);
      samples += schedule.samples(step) ? 1 : 0;
      if (!schedule.decides(step)) continue;
      decided.insert(schedule.next_coupling(step));
      EXPECT_LE(schedule.next_coupling(step) - step, rebuild);
      counts.insert(samples);
      samples = 0;
    }
    EXPECT_EQ(decided, wanted);
    EXPECT_EQ(counts.size(), 1u);
  });
}

}  // namespace
}  // namespace fg::classical
