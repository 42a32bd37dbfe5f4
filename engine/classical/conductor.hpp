// SPDX-License-Identifier: BSD-3-Clause
//
// The one object that acts for all atoms. It gathers frames, sums momentum, and decides before each
// rebuild whether a checkpoint is due there. In a normal step no object waits for it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "classical/bath.hpp"
#include "classical/job/schedule.hpp"
#include "processes/keeper.hpp"
#include "processes/memory_turns.hpp"
#include "records/trajectory/output_queue.hpp"

namespace fg::classical {

/// Sends to the patches, independent of their precision.
struct PatchVoice {
  std::function<void(std::int64_t step, Ref<const PlanMessage> plan)> announce_plan;
  std::function<void(std::int64_t step, const Vec3& drift)> announce_drift;
};

/// The limits for which the pair lists are made.
struct ListLimits {
  double temperature = 0;   // k_B T [hartree]; 0: no limit
  double displacement = 0;  // of an atom between two rebuilds [bohr]; 0: no limit
  int degrees_of_freedom = 0;
};

struct ConductorSetup {
  const System* system = nullptr;
  int patches = 0;
  ListLimits lists;
  OutputQueue* output = nullptr;
  PatchVoice voice;
  std::int64_t memory_checkpoint_steps = 0;  // steps between two checkpoints in memory; 0: none
  int memory_copies = 1;                     // number of processes that keep each patch
};

class Conductor : public Chare<Conductor, 1> {
 public:
  explicit Conductor(ConductorSetup setup)
      : setup_(std::move(setup)),
        bath_(*setup_.system),
        memory_(setup_.memory_checkpoint_steps,
                std::int64_t{setup_.patches} * setup_.memory_copies) {}

  /// Called before a run.
  void begin(const Schedule& schedule, const BathState& bath);

  /// A patch has reached the rebuild of this step.
  void stands_at(Ref<const StandingMessage> message);
  void momentum(Ref<const MomentumMessage> message);
  void frame(Ref<const FrameMessage> message);

  /// The sums of an energy step, in the order of steps. Called by the ledger, on the same PE.
  void energies(EnergyTotals totals, std::span<const MoleculeCentre> centres);

  /// One copy of one patch is in memory.
  void kept(std::int64_t step);
  void not_kept(Ref<const KeepFailureMessage> message);

  /// A patch has ended its life just before the rebuild of a step, until objects have moved.
  void pauses(std::int64_t step);
  /// Whether all patches pause; resets this. Called after a stretch of steps.
  bool take_pause() noexcept { return std::exchange(paused_, 0) == setup_.patches; }

  /// Whether the frame that ends the run has been gathered. Called after the run.
  bool finished() const noexcept { return finished_; }
  /// The frame with which the run stopped to be continued. The reason is that its box needs another
  /// division, or that another volume is to be tried. None if it has ended.
  std::optional<Frame> take_break() noexcept { return std::exchange(break_, {}); }
  /// The energies of a schedule that weighs.
  const EnergyTotals& weighed() const noexcept { return weighed_; }

 private:
  struct Arrivals {
    std::int64_t step = 0;
    int patches = 0;
    std::array<std::int64_t, 3> momentum{};
    std::int64_t kinetic_energy = 0;
    double displacement = 0;
  };
  struct OpenFrame {
    Frame frame;
    int patches = 0;
    int atoms = 0;
  };

  /// Announces what happens at the next rebuild, if all patches stand and the baths are known
  /// there.
  void announce_if_ready();
  /// Warns, once in a run, if the atoms move more than the pair lists allow for.
  void watch_lists(const Arrivals& all);
  bool memory_due(std::int64_t step) const noexcept;
  Arrivals& arrivals_of(std::vector<Arrivals>& open, std::int64_t step);

  ConductorSetup setup_;
  Schedule schedule_;
  std::vector<Arrivals> rebuilds_;
  std::vector<Arrivals> momenta_;
  std::vector<OpenFrame> frames_;
  std::int64_t stops_at_ = -1;
  std::int64_t breaks_at_ = -1;  // the same, to be continued
  std::optional<Frame> break_;
  EnergyTotals weighed_;
  bool finished_ = false;
  int paused_ = 0;  // patches
  Bath bath_;
  BathState start_;             // of the run
  std::int64_t stand_at_ = -1;  // the rebuild that all patches have reached; -1: announced
  MemoryTurns memory_;
  bool lists_outrun_ = false;
};

}  // namespace fg::classical
