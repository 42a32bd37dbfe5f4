// SPDX-License-Identifier: BSD-3-Clause
//
// The one object that speaks for all atoms: it gathers frames, sums momentum, and says before each
// rebuild whether a checkpoint is due there. Nobody waits for it in the ordinary course of a step.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "app/atom_messages.hpp"
#include "app/output_queue.hpp"
#include "app/schedule.hpp"

namespace fg::app {

/// How the conductor reaches the patches, whatever their precision.
struct PatchVoice {
  std::function<void(std::int64_t step, RebuildPlan plan)> announce_plan;
  std::function<void(std::int64_t step, const Vec3& drift)> announce_drift;
};

struct ConductorSetup {
  int patches = 0;
  int atoms = 0;
  double total_mass = 0;  // [electron mass]
  OutputQueue* output = nullptr;
  PatchVoice voice;
  std::int64_t memory_every = 0;  // steps between two checkpoints in memory; 0: none
  int memory_copies = 1;          // of each patch
};

class Conductor : public Chare<Conductor, 1> {
 public:
  explicit Conductor(ConductorSetup setup) : setup_(std::move(setup)) {}

  /// Before a run.
  void begin(const Schedule& schedule);

  /// A patch stands at the rebuild of this step.
  void stands_at(std::int64_t step);
  void momentum(Ref<const MomentumMessage> message);
  void frame(Ref<const FrameMessage> message);

  /// One copy of one patch is in memory.
  void kept(std::int64_t step);
  void not_kept(Ref<const KeepFailureMessage> message);

  /// A patch has ended its life in front of the rebuild of a step, until objects have moved.
  void pauses(std::int64_t step);
  /// Whether all patches pause; they no longer do. After a stretch.
  bool take_pause() noexcept { return std::exchange(paused_, 0) == setup_.patches; }

  /// Whether the frame that ends the run has been gathered. After the run.
  bool finished() const noexcept { return finished_; }

 private:
  struct Arrivals {
    std::int64_t step = 0;
    int patches = 0;
    std::array<std::int64_t, 3> momentum{};
  };
  struct OpenFrame {
    Frame frame;
    int patches = 0;
    int atoms = 0;
  };

  bool memory_due(std::int64_t step) const noexcept;
  Arrivals& arrivals_of(std::vector<Arrivals>& open, std::int64_t step);

  ConductorSetup setup_;
  Schedule schedule_;
  std::vector<Arrivals> rebuilds_;
  std::vector<Arrivals> momenta_;
  std::vector<OpenFrame> frames_;
  std::int64_t stops_at_ = -1;
  bool finished_ = false;
  int paused_ = 0;              // patches
  std::int64_t kept_step_ = 0;  // of the latest checkpoint in memory, or where the run began
  int copies_missing_ = 0;      // of that one
  bool memory_failed_ = false;
};

}  // namespace fg::app
