// SPDX-License-Identifier: BSD-3-Clause
//
// Checkpoints of a dynamics in memory. When one is due the run pauses, as for one on disk. Then an
// object on each PE sends copies of the orbitals of its process to two keepers
// (processes/keeper.hpp). One is in this process, and one in its partner. Nothing is gathered in
// one process. The run continues after that.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ab_initio/checkpoints/kept_tables.hpp"
#include "ab_initio/orbitals/search_state.hpp"
#include "ab_initio/orders/dynamics_state.hpp"
#include "ab_initio/results/progress_queue.hpp"
#include "base/bytes.hpp"
#include "processes/keeper.hpp"
#include "processes/memory_turns.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct MemoryCopiesSetup {
  const Job* job = nullptr;
  ProgressQueue* progress = nullptr;
  Array<Orbitals> orbitals;
  /// When states are kept.
  std::shared_ptr<MemoryTurns> turns;
};

/// The step whose orbitals are to be copied.
struct CopyMessage : Message {
  std::int64_t step;
  std::int32_t past;  // steps before it that are remembered
};

class OrbitalCopier final : public Chare<OrbitalCopier, 1> {
 public:
  OrbitalCopier(const MemoryCopiesSetup& setup, const Keepers* keepers);

  /// Called while all orbitals are at rest.
  void copy(Ref<const CopyMessage> message);
  /// Sent to the first one.
  void not_kept(Ref<const KeepFailureMessage> why);

 private:
  Ref<const KeepMessage> record(const Orbitals& orbitals, int ordinal, const CopyMessage& of) const;

  MemoryCopiesSetup setup_;
  const Keepers* keepers_;
  std::vector<KeptTable> tables_;  // with all steps that may be remembered
  std::size_t always_;             // tables before those
};

/// Made by all processes.
class MemoryCopies {
 public:
  MemoryCopies(Runtime& runtime, const MemoryPlan& plan, const MemoryCopiesSetup& setup,
               std::int64_t first_step);
  MemoryCopies(const MemoryCopies&) = delete;
  MemoryCopies& operator=(const MemoryCopies&) = delete;

  /// Called in process 0: the next run of the runtime, which all processes make, keeps this state.
  void send(const SearchState& search, const DynamicsState& dynamics,
            std::span<const double> energies);

 private:
  Runtime& runtime_;
  Keepers keepers_;
  Array<OrbitalCopier> copiers_;  // by PE
  ByteWriter record_;             // of process 0; its memory stays
};

}  // namespace fg::ab_initio
