// SPDX-License-Identifier: BSD-3-Clause
//
// The course of a run: first the search for the ground state, then the dynamics of the job. In the
// pauses of a run all objects rest, and their state can be kept.
#pragma once

#include <memory>
#include <optional>

#include "ab_initio/dynamics/dynamics.hpp"
#include "ab_initio/leader/leader.hpp"
#include "ab_initio/leader/minimiser.hpp"

namespace fg::ab_initio {

class Course final : public Decider {
 public:
  /// `leader` is the chare that it is a part of.
  Course(Leader& leader, std::shared_ptr<const RunSetup> setup);

  ChareBase& chare() const noexcept { return leader_; }

  /// A run, or the next part of one that has paused.
  Task run() override;

  /// Whether the run has ended only to be kept, and the next one goes on.
  bool paused() const noexcept { return paused_; }
  /// Whether it has paused because a dynamics wants to know the empty orbitals of its ground state.
  bool wants_empty_orbitals() const noexcept { return wants_empty_; }
  /// In a dynamics, the state of the search before its first step.
  SearchState state() const;
  /// There is none before the first step of a dynamics.
  std::optional<DynamicsState> dynamics_state() const;

 private:
  Task resume();
  bool needs_gap() const noexcept;

  Leader& leader_;
  std::shared_ptr<const RunSetup> setup_;
  Minimiser minimiser_;
  std::unique_ptr<Dynamics> dynamics_;  // null: the job has none
  bool paused_ = false, wants_empty_ = false;
};

}  // namespace fg::ab_initio
