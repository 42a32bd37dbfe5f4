// SPDX-License-Identifier: BSD-3-Clause
//
// Dynamics of jobs in one process: their steps and what they end with.
#pragma once

#include <chrono>
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

  void begin() { take(assembly_->run_dynamics()); }
  void go_on() { take(assembly_->continue_dynamics()); }

 private:
  void take(ab_initio::GroundState result) {
    end = std::move(result);
    for (const ab_initio::ProgressReport& one : progress_.take(std::chrono::milliseconds(0)))
      if (const auto* step = std::get_if<ab_initio::DynamicsStep>(&one)) steps.push_back(*step);
  }

  ab_initio::ProgressQueue progress_;
  std::unique_ptr<ab_initio::Assembly> assembly_;
};

}  // namespace fg::test
