// SPDX-License-Identifier: BSD-3-Clause
//
// The thermostat and the barostat of the whole system. They turn the sums of a step into what all
// patches do at a later rebuild. In process 0, part of the conductor. Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "classical/atom_messages.hpp"
#include "classical/division/box_division.hpp"
#include "classical/job/molecules.hpp"
#include "classical/job/schedule.hpp"
#include "motion/barostat.hpp"
#include "motion/velocity_rescaling.hpp"
#include "records/job/job_motion.hpp"
#include "records/trajectory/output_queue.hpp"

namespace fg::classical {

/// Tells the schedule when the baths of a job need sums.
void measure_for_baths(Schedule& schedule, const Job& job);

class Bath {
 public:
  explicit Bath(const System& system);

  /// Called before a run.
  void begin(const Schedule& schedule, const BathState& start);

  /// The sums of an energy step; steps come in ascending order. Fills in what `totals` has of the
  /// box and the baths. `centres` are those of the molecules of several fragments.
  void take(EnergyTotals& totals, std::span<const MoleculeCentre> centres = {});

  /// Whether the state at a coupling step is known.
  bool knows(std::int64_t step) const noexcept { return latest().step >= step; }
  struct Decision {
    std::int64_t step = 0;  // of the scaling
    Scaling scaling;
    BathState state;  // after it
  };
  const Decision& latest() const noexcept { return decisions_.back(); }
  /// The centres of the molecules of several fragments at the step of the latest decision, before
  /// it.
  std::span<const MoleculeCentre> centres() const noexcept { return centres_; }

 private:
  void decide(std::int64_t step, const EnergyTotals& totals, const BathState& present,
              std::span<const MoleculeCentre> centres);
  void scale_box(const EnergyTotals& totals, Decision& next) const;
  void move_on(std::span<const MoleculeCentre> centres, std::int64_t steps);
  static void settle_work(const PressureSample& after, BathState& state) noexcept;

  std::unique_ptr<const Barostat> barostat_;
  VelocityRescaling thermostat_;
  const JobSettings& settings_;  // of the system's job
  const MoleculeTable& molecules_;
  double timestep_;
  double lag_;  // of the velocities behind the positions
  BoxDivisions divisions_;
  Schedule schedule_;
  std::vector<Decision> decisions_;  // the present one, and the next one if it is known
  std::vector<MoleculeCentre> centres_;
  PressureSample sum_;  // of the samples for the next decision
  int samples_ = 0;
};

}  // namespace fg::classical
