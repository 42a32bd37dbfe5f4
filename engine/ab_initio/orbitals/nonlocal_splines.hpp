// SPDX-License-Identifier: BSD-3-Clause
//
// What the objects of the nonlocal part by splines share. It is the grid of the splines in parts,
// the channels of projectors, and the number of their transforms. The parts of the grid have the
// waves of the parts of orbitals. Each channel of each pair of orbitals of a block is one transform
// there and one back. Transforms are numbered channel by channel.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/ions/ion_tables.hpp"
#include "ab_initio/ions/spline_costs.hpp"
#include "electrons/splines/ion_splines.hpp"
#include "electrons/splines/spline_waves.hpp"

namespace fg::ab_initio {

class NonlocalSplines {
 public:
  /// Transforms of a part that may be on their way at the same time, for the sake of memory.
  static constexpr int most_started = 2;

  /// Job, basis and tables must outlive it. Throws InputError if the grid does not hold the waves,
  /// or has fewer points than the order of the splines.
  NonlocalSplines(const Job& job, const Basis& basis, const IonTables& tables);

  /// Makes a part whose objects are in this process, with its waves, which must outlive it. Called
  /// before the first run, and in another cell. Its ions have no positions.
  void make_part(int part, const electrons::PlaneWaves& waves);
  /// Called by one object for each part in each process.
  void place(int part, std::span<const Vec3> positions) {
    ions_[static_cast<std::size_t>(part)]->place(waves(part).lattice(), positions);
  }

  const std::shared_ptr<const fft::SpherePlan>& plan() const noexcept { return plan_; }
  const std::vector<electrons::SplineChannel>& channels() const noexcept { return channels_; }
  const electrons::ProjectorCoupling& coupling() const noexcept { return coupling_; }
  const SplineCosts& costs() const noexcept { return costs_; }
  const electrons::SplineWaves& waves(int part) const noexcept {
    return *waves_[static_cast<std::size_t>(part)];
  }
  const electrons::IonSplines& ions(int part) const noexcept {
    return *ions_[static_cast<std::size_t>(part)];
  }

  /// The transforms of a block, in one direction.
  int transforms(int block) const noexcept {
    return static_cast<int>(channels_.size()) * basis_->pairs(block);
  }
  /// The channel and the first orbital of transform k of a block.
  const electrons::SplineChannel& channel(int block, int k) const noexcept {
    return channels_[static_cast<std::size_t>(k / basis_->pairs(block))];
  }
  int orbital(int block, int k) const noexcept { return 2 * (k % basis_->pairs(block)); }

  /// Calls use(ion, row of all projectors) for the ions of a channel.
  template <class Use>
  void for_each_ion(const electrons::SplineChannel& channel, const Use& use) const {
    for (std::size_t ion = 0; ion < job_->species_of.size(); ++ion)
      if (job_->species_of[ion] == channel.kind) use(ion, coupling_.first(ion) + channel.row);
  }

 private:
  const Job* job_;
  const Basis* basis_;
  const IonTables* tables_;
  std::shared_ptr<const fft::SpherePlan> plan_;
  std::vector<electrons::SplineChannel> channels_;
  electrons::ProjectorCoupling coupling_;
  SplineCosts costs_;
  std::vector<std::unique_ptr<const electrons::SplineWaves>> waves_;
  std::vector<std::unique_ptr<electrons::IonSplines>> ions_;
};

}  // namespace fg::ab_initio
