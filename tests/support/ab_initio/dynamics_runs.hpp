// SPDX-License-Identifier: BSD-3-Clause
//
// Dynamics of jobs in one process: their steps and what they end with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ab_initio/assembly.hpp"

namespace fg::test {

/// Objects of a job, which may be changed between two runs.
class DynamicsRun {
 public:
  explicit DynamicsRun(ab_initio::Job of, int pes = 1, const std::string& map = "block")
      : job(std::move(of)),
        assembly_(
            ab_initio::make_assembly(job, {.pes = pes, .map = map, .pin = false}, progress_)) {}

  ab_initio::Job job;
  std::vector<ab_initio::DynamicsStep> steps;  // of all runs
  ab_initio::GroundState end;

  void begin() {
    run([this] { return assembly_->run_dynamics(); });
  }
  void go_on() {
    run([this] { return assembly_->continue_dynamics(); });
  }

 private:
  /// Also of a run that fails, the steps are taken.
  template <class Work>
  void run(const Work& work) {
    try {
      end = work();
    } catch (...) {
      take();
      throw;
    }
    take();
  }

  void take() {
    for (const ab_initio::ProgressReport& one : progress_.take(std::chrono::milliseconds(0)))
      if (const auto* step = std::get_if<ab_initio::DynamicsStep>(&one)) steps.push_back(*step);
  }

  ab_initio::ProgressQueue progress_;
  std::unique_ptr<ab_initio::Assembly> assembly_;
};

inline std::vector<ab_initio::DynamicsStep> steps_of(const ab_initio::Job& job, int pes = 1) {
  DynamicsRun run(job, pes);
  run.begin();
  return run.steps;
}

/// The largest distance of the conserved energy from that of the beginning.
inline double wandering(const std::vector<ab_initio::DynamicsStep>& steps) {
  double most = 0;
  for (const auto& one : steps)
    most = std::max(most, std::abs(one.conserved() - steps.front().conserved()));
  return most;
}

/// The largest kinetic energy of the ions.
inline double fastest(const std::vector<ab_initio::DynamicsStep>& steps) {
  double most = 0;
  for (const auto& one : steps) most = std::max(most, one.ion_kinetic);
  return most;
}

inline void expect_same_bits_on_any_pes_and_maps(const ab_initio::Job& job) {
  DynamicsRun one(job);
  one.begin();
  for (const int pes : {2, 4, 8})
    for (const char* map : {"block", "hashed"}) {
      DynamicsRun other(job, pes, map);
      other.begin();
      EXPECT_EQ(other.end.digest, one.end.digest) << pes << " " << map;
      ASSERT_EQ(other.steps.size(), one.steps.size());
      for (std::size_t i = 0; i < one.steps.size(); ++i)
        EXPECT_EQ(other.steps[i].conserved(), one.steps[i].conserved());
    }
}

}  // namespace fg::test
