// SPDX-License-Identifier: BSD-3-Clause
//
// What a kind of run knows of the states that its processes keep in memory. It turns the records of
// a state into a checkpoint on disk. memory_checkpoint.hpp calls it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace fg {

/// What is on disk, and what a state needs to be used instead.
struct RescueNeeds {
  std::int64_t step = -1;   // of the checkpoint on disk; -1: of the time before the first step
  std::string name;         // the same in words: "step 20"
  std::int64_t usable = 0;  // the results reach far enough for states up to this step
  std::string missing;      // what is missing in them for the next one
  std::int64_t whole = 0;   // the amounts of all records of a state
  std::string unit;         // of these amounts: "atoms"
};

class MemoryRescue {
 public:
  virtual ~MemoryRescue() = default;

  // In all processes.

  /// Records of other jobs are not read.
  virtual std::string job_digest() const = 0;
  /// How much of a state a record has.
  virtual std::int64_t amount(std::span<const std::byte> record) const = 0;

  // In process 0, in this order.

  /// Throws InputError if the checkpoint on disk is damaged or of another job.
  virtual RescueNeeds look() = 0;
  /// The records of a whole state follow.
  virtual void begin(std::int64_t step) = 0;
  /// Each record once, with rising numbers.
  virtual void take(std::int64_t number, std::span<const std::byte> record) = 0;
  /// Replaces the checkpoint on disk.
  virtual void finish() = 0;
};

}  // namespace fg
