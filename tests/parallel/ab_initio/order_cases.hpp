// SPDX-License-Identifier: BSD-3-Clause
//
// One small job of each kind of ab initio run, and a text that has all that a run of it puts out.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ab_initio/assembly.hpp"
#include "electrons/waves/nearest_image.hpp"
#include "support/ab_initio/cells_of_jobs.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "support/ab_initio/placements.hpp"
#include "support/random_orders.hpp"

namespace fg::test {

struct AbInitioOrderCase {
  const char* name;
  std::function<ab_initio::Job()> job;
};

inline ab_initio::Job short_search(ab_initio::Job job, const ab_initio::DivisionSettings& division,
                                   ab_initio::StartKind start = ab_initio::StartKind::atomic) {
  job.division = division;
  job.ground_state.start = start;
  job.ground_state.iterations = 4;
  job.writes_density = true;
  return job;
}

inline ab_initio::Job by_splines(ab_initio::Job job) {
  job.nonlocal.method = job.local.method = ab_initio::IonMethod::splines;
  return job;
}

/// Three steps from orbitals that are near the ground state.
inline ab_initio::Job in_motion(
    ab_initio::Job job, ab_initio::DynamicsKind kind, const ab_initio::DivisionSettings& division,
    ab_initio::Orthonormality how = ab_initio::Orthonormality::constrained) {
  const bool moves = kind == ab_initio::DynamicsKind::car_parrinello;
  job.division = division;
  job.ground_state.start = ab_initio::StartKind::atomic;
  job.ground_state.tolerance = moves ? 0.05 : 5e-3;
  for (std::size_t i = 0; i < job.positions.size(); ++i)
    job.velocities.push_back(Vec3{1e-4, -2e-4, 5e-5} * (static_cast<double>(i % 3) - 1));
  job.dynamics = {.kind = kind,
                  .timestep = moves ? 5.0 : 20.0,
                  .steps = 3,
                  .seed = 3,
                  .orthonormality = how,
                  .fictitious_mass = 400,
                  .mass_cutoff = 1.5,
                  .constraint_tolerance = 1e-12,
                  .reset_above = 1e-6,
                  .predictor_order = 1,
                  .trajectory_steps = 1};
  return job;
}

inline std::vector<AbInitioOrderCase> ab_initio_order_cases() {
  using enum ab_initio::DynamicsKind;
  using ab_initio::Job;
  using ab_initio::Orthonormality;
  return {
      {"GroundState", [] { return short_search(gth_job("PBE"), {2, 2, 4}); }},
      {"GroupsAndTiles",
       [] { return short_search(gth_job(), {1, 1, 2, 5, 1}, ab_initio::StartKind::random); }},
      {"ChunksAndPieces",
       [] {
         return short_search(gth_job("PBE"), {1, 2, 6, 2, 2, 2, 3}, ab_initio::StartKind::random);
       }},
      {"Spins", [] { return short_search(spin_job("PBE"), {2, 2, 4, 2, 2}); }},
      {"Splines", [] { return short_search(by_splines(gth_job("PBE")), {2, 1, 3}); }},
      {"SpinsBySplinesInPieces",
       [] { return short_search(by_splines(spin_job("PBE")), {3, 3, 6, 2, 0, 2, 4}); }},
      {"EmptyOrbitals",
       [] {
         Job job = short_search(spin_job("PBE"), {2, 2, 4, 1, 0, 2, 3});
         job.electrons.empty_up = 2;
         job.electrons.empty_down = 3;
         return job;
       }},
      {"Isolated",
       [] {
         Job job =
             PlacementCase{.name = "", .isolated = true, .division = {2, 2, 4, 1, 0, 2, 5}}.job();
         job.ground_state.iterations = 2;
         return job;
       }},
      {"CarParrinello", [] { return in_motion(gth_job(), car_parrinello, {2, 2, 4}); }},
      {"FreeOrbitals",
       [] { return in_motion(spin_job(), car_parrinello, {1, 1, 2, 3, 3}, Orthonormality::free); }},
      {"CarParrinelloBySplines",
       [] { return in_motion(by_splines(gth_job("PBE")), car_parrinello, {3, 3, 6}); }},
      {"ChainsOfIonsAndOrbitals",
       [] {
         Job job = in_motion(gth_job(), car_parrinello, {2, 2, 4, 2, 2});
         job.dynamics.ion_bath = {.kind = ab_initio::IonBathKind::nose_hoover,
                                  .temperature = 0.001,
                                  .time_constant = 500,
                                  .chain_length = 3};
         job.dynamics.electron_bath = {.kind = ab_initio::ElectronBathKind::nose_hoover,
                                       .kinetic = 2e-3,
                                       .time_constant = 60,
                                       .chain_length = 3};
         return job;
       }},
      {"BornOppenheimer", [] { return in_motion(gth_job(), born_oppenheimer, {2, 2, 4}); }},
      {"BornOppenheimerOfSpins",
       [] { return in_motion(spin_job("PBE"), born_oppenheimer, {1, 1, 2, 3, 3}); }},
      {"KeptDistances",
       [] {
         Job job = in_motion(gth_job(), car_parrinello, {2, 2, 4});
         job.velocities.clear();
         const electrons::NearestImage nearest(job.cell);
         for (int h = 1; h < 5; ++h)
           job.dynamics.distances.push_back(
               {0, h,
                norm(nearest(job.positions[static_cast<std::size_t>(h)] - job.positions[0]))});
         return job;
       }},
      {"MovingCell",
       [] {
         Job job =
             in_motion(with_long_tables(spin_job("PBE")), car_parrinello, {2, 2, 4, 1, 0, 1, 3});
         job.dynamics.cell = {.moves = MovingCell::full, .pressure = 1e-4, .mass = 8000};
         job.dynamics.ion_bath = {
             .kind = ab_initio::IonBathKind::langevin, .temperature = 0.001, .time_constant = 500};
         return job;
       }},
  };
}

class AbInitioOrderedRun {
 public:
  explicit AbInitioOrderedRun(const AbInitioOrderCase& what) : job_(what.job()) {}

  bool moves() const { return job_.dynamics.kind != ab_initio::DynamicsKind::none; }

  /// All energies, forces and steps; in process 0.
  std::string digest_of(MachineOptions machine, const RandomOrder& order) const {
    machine.pes = order.pes;
    machine.map = order.map;
    machine.pin = false;
    ab_initio::ProgressQueue progress;
    progress.written_before = std::numeric_limits<std::int64_t>::max();  // nothing is on a disk
    const auto assembly = ab_initio::make_assembly(job_, machine, progress);
    if (machine.transport && machine.transport->rank() != 0) {
      assembly->serve();
      return {};
    }
    std::string text;
    add(text, moves() ? assembly->run_dynamics() : assembly->find_ground_state());
    for (const auto& one : progress.take(std::chrono::milliseconds(0)))
      if (const auto* step = std::get_if<ab_initio::DynamicsStep>(&one)) {
        text += "step ";
        add(text, {step->conserved(), step->fictitious_kinetic, step->deviation, step->pressure});
        add(text, step->constraint_forces);
        for (const auto* vectors : {&step->positions, &step->velocities, &step->forces})
          add(text, *vectors);
      }
    return text;
  }

 private:
  static void add(std::string& text, std::span<const double> values) {
    for (const double value : values)
      text += std::to_string(std::bit_cast<std::uint64_t>(value)) + " ";
    text += "\n";
  }
  static void add(std::string& text, std::initializer_list<double> values) {
    add(text, std::span(values.begin(), values.size()));
  }
  static void add(std::string& text, const std::vector<Vec3>& vectors) {
    for (const Vec3& v : vectors) add(text, {v.x, v.y, v.z});
  }
  static void add(std::string& text, const ab_initio::GroundState& state) {
    text += state.digest + "\n";
    for (const auto& [name, value] : state.energies.terms()) add(text, {value});
    add(text, state.forces);
    add(text, state.stress);
    add(text, state.eigenvalues);
    add(text, state.density);
    add(text, state.spin_density);
    if (state.empty) add(text, state.empty->energies);
    for (const auto& one : state.history) add(text, {one.energy, one.residual});
  }

  ab_initio::Job job_;
};

}  // namespace fg::test
