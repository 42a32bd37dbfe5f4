// SPDX-License-Identifier: BSD-3-Clause
//
// The state of a queue of results (output_queue.hpp) that does not depend on what goes through it,
// and requests to the chares.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace fg {

class OutputSignals {
 public:
  OutputSignals() = default;
  OutputSignals(const OutputSignals&) = delete;
  OutputSignals& operator=(const OutputSignals&) = delete;

  void finish() {
    {
      const std::lock_guard lock(mutex_);
      finished_ = true;
    }
    ready_.notify_one();
  }
  bool finished() const {
    const std::lock_guard lock(mutex_);
    return finished_ && !any_;
  }

  /// Adds a warning for the user; the run continues.
  void warn(std::string warning) {
    const std::lock_guard lock(mutex_);
    warnings_.push_back(std::move(warning));
  }
  std::vector<std::string> take_warnings() {
    const std::lock_guard lock(mutex_);
    return std::exchange(warnings_, {});
  }

  std::atomic<bool> stop_wanted{false};
  std::atomic<bool> checkpoint_wanted{false};
  std::atomic<std::int64_t> step{0};  // present step of the first patch
  /// All rows and frames of steps before this one are in their files.
  std::atomic<std::int64_t> written_before{0};

 protected:
  ~OutputSignals() = default;

  mutable std::mutex mutex_;
  std::condition_variable ready_;
  bool any_ = false;  // something waits to be taken
  bool finished_ = false;

 private:
  std::vector<std::string> warnings_;
};

}  // namespace fg
