// SPDX-License-Identifier: BSD-3-Clause
//
// Checkpoints in memory: one object in each process. It writes the atoms of the patches of its own
// process and of another one, whose partner it is, into a file of the memory file system (Zheng,
// Shi, Kale, FTC-Charm++, IEEE Cluster 2004). No object waits for it. The conductor gets a
// message for every record, and begins a new checkpoint only when the last one is complete in all
// processes.
#pragma once

#include "classical/atom_messages.hpp"
#include "classical/conductor.hpp"
#include "processes/memory_plan.hpp"
#include "records/memory_file.hpp"

namespace fg::classical {

/// The atoms of one patch. Trailing: AtomRecord [atoms].
struct KeepMessage : Message {
  std::int64_t step;
  std::int32_t patch;
  std::int32_t atoms;
  KeptBath bath;
};

class Keeper : public Chare<Keeper, 1> {
 public:
  Keeper(const MemoryPlan& plan, Array<Conductor> conductor)
      : file_(plan.folder, index()[0], plan.job_digest), conductor_(conductor) {}

  void keep(Ref<const KeepMessage> message);

 private:
  MemoryFile file_;
  Array<Conductor> conductor_;
  bool failed_ = false;
};

}  // namespace fg::classical
