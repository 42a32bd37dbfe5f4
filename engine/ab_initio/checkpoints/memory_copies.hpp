// SPDX-License-Identifier: BSD-3-Clause
//
// Checkpoints of a dynamics in memory. When one is due the run pauses, as for one on disk. Before
// it goes on, an object on each PE sends copies of orbitals of its process to the keepers of this
// process and of its partner (processes/keeper.hpp). Nothing is gathered in one process.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ab_initio/checkpoints/kept_tables.hpp"
#include "ab_initio/setup.hpp"
#include "base/bytes.hpp"
#include "processes/keeper.hpp"

namespace fg::ab_initio {

/// Whether the run shall pause at this step, for its state to be kept in memory.
bool pauses_for_memory(const Setup& setup, std::int64_t step);

/// The step whose orbitals are to be copied.
struct CopyMessage : Message {
  std::int64_t step;
  std::int32_t past;  // steps before it that are remembered
};

class OrbitalCopier final : public Chare<OrbitalCopier, 1> {
 public:
  OrbitalCopier(std::shared_ptr<const Setup> setup, const Keepers* keepers);

  /// Called while all orbitals are at rest.
  void copy(Ref<const CopyMessage> message);
  /// Sent to the first one.
  void not_kept(Ref<const KeepFailureMessage> why);

 private:
  Ref<const KeepMessage> record(const Orbitals& orbitals, int ordinal, const CopyMessage& of) const;

  std::shared_ptr<const Setup> setup_;
  const Keepers* keepers_;
  std::vector<KeptTable> tables_;  // with all steps that may be remembered
  std::size_t always_;             // tables before those
};

/// Made by all processes.
class MemoryCopies {
 public:
  MemoryCopies(Runtime& runtime, const MemoryPlan& plan, std::shared_ptr<const Setup> setup,
               std::int64_t first_step);
  MemoryCopies(const MemoryCopies&) = delete;
  MemoryCopies& operator=(const MemoryCopies&) = delete;

  /// Called in process 0: the next run of the runtime, which all processes make, keeps this state.
  void send(const SearchState& search, const DynamicsState& dynamics);

 private:
  Runtime& runtime_;
  std::shared_ptr<const Setup> setup_;
  Keepers keepers_;
  Array<OrbitalCopier> copiers_;  // by PE
  ByteWriter record_;             // of process 0; its memory stays
};

}  // namespace fg::ab_initio
