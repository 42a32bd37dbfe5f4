// SPDX-License-Identifier: BSD-3-Clause
//
// Results on their way from the chares to the writer thread, and requests in the other direction.
// Chares never use a file, so a slow disk delays no step.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/vec3.hpp"
#include "base/virial.hpp"
#include "forces/ports.hpp"
#include "motion/bath_state.hpp"

namespace fg {

/// The energies of one step, summed over all objects [hartree].
struct EnergyTotals {
  std::int64_t step = 0;
  std::array<double, energy_term_count> terms{};  // by energy_term(name)
  Virial virial{};
  Virial motion{};        // as in EnergyDeposit
  Virial inner_virial{};  // as in EnergyDeposit
  std::int64_t heat = 0;  // as in EnergyDeposit

  Box box;
  double dispersion = 0;  // energy, and the same on each diagonal component of the virial
  double bath = 0;        // what makes the total energy the conserved one
};

enum class FramePurpose : std::int32_t { trajectory, checkpoint, last };

/// All atoms at one step, in the input's order.
struct Frame {
  std::int64_t step = 0;
  FramePurpose purpose = FramePurpose::trajectory;
  std::vector<Vec3> position, velocity, force;
  std::vector<Int3> image;
  BathState bath;
};

using Output = std::variant<EnergyTotals, Frame>;

class OutputQueue {
 public:
  void push(Output output) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(output));
    }
    ready_.notify_one();
  }

  /// Returns everything that has arrived, after waiting for at most `patience`; returns at once
  /// after finish().
  std::deque<Output> take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    ready_.wait_for(lock, patience, [this] { return !waiting_.empty() || finished_; });
    return std::exchange(waiting_, {});
  }

  void finish() {
    {
      const std::lock_guard lock(mutex_);
      finished_ = true;
    }
    ready_.notify_one();
  }
  bool finished() const {
    const std::lock_guard lock(mutex_);
    return finished_ && waiting_.empty();
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

 private:
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Output> waiting_;
  std::vector<std::string> warnings_;
  bool finished_ = false;
};

}  // namespace fg
