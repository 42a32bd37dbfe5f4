// SPDX-License-Identifier: BSD-3-Clause
//
// Checkpoints in memory: one object in each process. It writes records into a file of the memory
// file system (Zheng, Shi, Kale, FTC-Charm++, IEEE Cluster 2004). The records are those of the
// objects of its own process, and of another process whose partner it is. No object waits for it.
// Whoever decides when a state is kept (memory_turns.hpp) gets an answer for every record.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "processes/memory_plan.hpp"
#include "records/hdf5/memory_file.hpp"
#include "runtime/runtime.hpp"

namespace fg {

/// A record of the state at a step. Trailing: its bytes, whose meaning the kind of run knows.
struct KeepMessage : Message {
  std::int64_t step;
  std::int64_t number;  // of the record
};

/// The reason why a process cannot keep checkpoints in memory. Trailing: char [length].
struct KeepFailureMessage : Message {
  std::int32_t process;
  std::int32_t length;
};

/// Where answers go.
struct KeeperVoice {
  std::function<void(std::int64_t step)> kept;  // one copy of one record
  std::function<void(Ref<const KeepFailureMessage> why)> not_kept;
};

class Keeper : public Chare<Keeper, 1> {
 public:
  Keeper(const MemoryPlan& plan, KeeperVoice voice)
      : file_(plan.folder, index()[0], plan.job_digest), voice_(std::move(voice)) {}

  void keep(Ref<const KeepMessage> message);

 private:
  MemoryFile file_;
  KeeperVoice voice_;
  bool failed_ = false;
};

/// The keepers of all processes.
class Keepers {
 public:
  /// None.
  Keepers() = default;
  Keepers(Runtime& runtime, const MemoryPlan& plan, const KeeperVoice& voice);

  /// Sends a record to the keeper of this process and to that of its partner.
  void keep(int process, Ref<const KeepMessage> record) const;

 private:
  Array<Keeper> all_;  // by process
  std::vector<int> partners_;
};

/// What the keeper of a process could not do, in words.
std::string warning_of(const KeepFailureMessage& failure);

}  // namespace fg
