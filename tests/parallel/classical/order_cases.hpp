// SPDX-License-Identifier: BSD-3-Clause
//
// One small job of each kind of classical run, and a text that has all that a run of it puts out.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "classical/machinery.hpp"
#include "classical/minimisation.hpp"
#include "support/classical/frames.hpp"
#include "support/classical/water_job.hpp"
#include "support/random_orders.hpp"

namespace fg::test {

struct OrderCase {
  const char* name;
  WaterJobOptions options;
  bool minimises = false;
};

inline std::vector<OrderCase> order_cases() {
  return {
      {"ConstantEnergy", {}},
      {"LangevinInDouble",
       {.precision = Precision::double_precision, .integrator = IntegratorKind::langevin}},
      {"VelocityRescaling", {.rescaling = true}},
      {"StochasticRescaling",
       {.integrator = IntegratorKind::langevin,
        .restraints = true,
        .barostat = BarostatKind::stochastic_rescaling}},
      {"Piston", {.rescaling = true, .barostat = BarostatKind::langevin_piston}},
      {"VolumeTrials", {.integrator = IntegratorKind::langevin, .trials = true}},
      {"VirtualSites", {.sites = true}},
      {"Tilted", {.integrator = IntegratorKind::langevin, .sites = true, .tilted = true}},
      {"Anisotropic",
       {.sites = true,
        .tilted = true,
        .rescaling = true,
        .barostat = BarostatKind::stochastic_rescaling,
        .coupling = BoxCoupling::anisotropic}},
      {"Impulses", {.restraints = true, .long_range_interval = 2}},
      {"ImpulsesPiston",
       {.rescaling = true, .long_range_interval = 2, .barostat = BarostatKind::langevin_piston}},
      {"Levels", {.restraints = true, .pair_interval = 2, .long_range_interval = 2}},
      {"LevelsPiston",
       {.sites = true,
        .rescaling = true,
        .pair_interval = 2,
        .long_range_interval = 2,
        .barostat = BarostatKind::langevin_piston}},
      {"Compressed", {.patches = {3, 3, 3}, .pair_computes = 2, .compressed = true}},
      {"OnePatch", {.patches = {1, 1, 1}}},
      {"FlatPatches", {.patches = {1, 2, 1}, .pair_computes = 4}},
      {"Slab", {.per_axis = 12, .patches = {3, 3, 3}, .pair_computes = 3, .slab = true}},
      {"ThinPatches", {.patches = {4, 3, 4}, .reach = {2, 2, 2}, .pair_computes = 3}},
      {"Minimisation", {}, true},
  };
}

class OrderedRun {
 public:
  explicit OrderedRun(const OrderCase& what) : minimises_(what.minimises), job_(made(what)) {}

  /// Rows of energies, frames, and the state at the end; in process 0.
  std::string digest_of(MachineOptions machine, const RandomOrder& order) const {
    machine.pes = order.pes;
    machine.map = order.map;
    machine.balance = order.balancer;
    machine.balance_steps = 1;
    machine.pin = false;
    machine.profile = machine.balance != "none";
    OutputQueue output;
    output.written_before = std::numeric_limits<std::int64_t>::max();  // nothing is on a disk
    const auto machinery = classical::make_machinery(system_, machine, output);
    if (machine.transport && machine.transport->rank() != 0) {
      machinery->serve();
      return {};
    }
    classical::State state = classical::state_of_job(job_);
    std::string text;
    if (minimises_) {
      const auto found =
          classical::minimise(*machinery, output, system_, state, [](const auto&) { return true; });
      add(text, {found.energy, found.largest_force, static_cast<double>(found.evaluations)});
    }
    prepare_for_dynamics(system_, state);
    machinery->run(classical::Schedule(job_.settings, job_.dynamics, 0, steps), state);
    std::vector<std::string> items;  // rows and frames come side by side
    for (const auto& item : output.take(std::chrono::milliseconds(0)))
      items.push_back(text_of(item));
    std::sort(items.begin(), items.end());
    for (const std::string& item : items) text += item;
    return text;
  }

 private:
  static constexpr std::int64_t steps = 30;

  static Job made(const OrderCase& what) {
    Job job = water_job(what.options);
    job.dynamics.energy_interval = 10;
    job.dynamics.trajectory_interval = 10;
    job.dynamics.minimise_steps = 8;
    job.dynamics.minimise_tolerance = 1e-4;
    return job;
  }
  static void add(std::string& text, std::span<const double> values) {
    for (const double value : values)
      text += std::to_string(std::bit_cast<std::uint64_t>(value)) + " ";
  }
  static void add(std::string& text, std::initializer_list<double> values) {
    add(text, std::span(values.begin(), values.size()));
  }
  static std::string text_of(const Output& item) {
    if (const auto* const frame = std::get_if<Frame>(&item))
      return "frame " + std::to_string(frame->step) + " " + digest(*frame) + "\n";
    const auto& row = std::get<EnergyTotals>(item);
    std::string text = "row " + std::to_string(row.step) + " ";
    for (const std::span<const double> values :
         {std::span<const double>(row.terms), std::span<const double>(row.virial),
          std::span<const double>(row.motion), std::span<const double>(row.inner_virial)})
      add(text, values);
    add(text, {row.work, row.bath});
    return text + std::to_string(row.heat) + "\n";
  }

  bool minimises_;
  Job job_;
  classical::System system_{job_};
};

}  // namespace fg::test
