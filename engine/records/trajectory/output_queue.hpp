// SPDX-License-Identifier: BSD-3-Clause
//
// Results on their way from the chares to the writer thread, and requests in the other direction.
// Chares never use a file, so a slow disk delays no step.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

#include "base/vec3.hpp"
#include "base/virial.hpp"
#include "forces/ports.hpp"
#include "motion/bath_state.hpp"
#include "records/options/output_signals.hpp"

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
  double dispersion = 0;         // energy
  double dispersion_virial = 0;  // on each diagonal component
  double work = 0;               // of scalings of the box up to this step
  double bath = 0;               // what makes the total energy the conserved one
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

template <class Item>
class QueueOf : public OutputSignals {
 public:
  void push(Item item) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(item));
      any_ = true;
    }
    ready_.notify_one();
  }

  /// Returns everything that has arrived, after waiting for at most `patience`; returns at once
  /// after finish().
  std::deque<Item> take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    ready_.wait_for(lock, patience, [this] { return any_ || finished_; });
    any_ = false;
    return std::exchange(waiting_, {});
  }

 private:
  std::deque<Item> waiting_;
};

/// The queue of a classical run.
using OutputQueue = QueueOf<Output>;

}  // namespace fg
