// SPDX-License-Identifier: BSD-3-Clause
//
// Forces of the mesh on every n-th step. The objects go the way of a plain program in double
// precision, in which the scheme is written as in its source: a half kick of n steps by the mesh,
// n steps of velocity Verlet by all other forces, and a half kick again (Tuckerman, Berne, Martyna,
// J. Chem. Phys. 97, 1990 (1992)). Units: Hartree atomic units.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/units.hpp"
#include "classical/evaluate.hpp"
#include "classical/machinery.hpp"
#include "forces/bonded/bonded_workset.hpp"
#include "support/classical/frames.hpp"
#include "support/classical/water_job.hpp"
#include "support/references/forces/pair_reference.hpp"
#include "support/references/forces/pme_reference.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

Job job_with(int every, bool sites = false) {
  Job job = water_job(
      {.precision = Precision::double_precision, .sites = sites, .long_range_interval = every});
  job.settings.rebuild_interval = 12;
  job.settings.prune_interval = 4;
  // No pair comes within the cutoff unseen.
  job.settings.list_cutoff = job.settings.inner_list_cutoff = 9 / units::bohr_in_angstrom;
  job.dynamics.com_interval = 0;
  job.dynamics.constraint_tolerance = 1e-13;
  return job;
}

/// All atoms in plain arrays. Constraints by cycles over them (SHAKE and RATTLE).
class PlainProgram {
 public:
  PlainProgram(const System& system, const State& start)
      : system_(system),
        job_(system.job()),
        index_(job_.terms, system.atoms()),
        bonded_(job_.terms, index_, {0, 0, 0}, {1, 1, 1}),
        ids_(start.position.size()),
        position(start.position),
        velocity(start.velocity) {
    std::iota(ids_.begin(), ids_.end(), 0);
    const BlockPart everything{.patch = {0, 0, 0}, .ids = ids_};
    bonded_.rebuild({&everything, 1}, job_.box);
  }

  void run(std::int64_t steps) {
    const int n = job_.dynamics.long_range_interval;
    const double dt = job_.dynamics.timestep;
    auto slow = mesh_forces();
    auto fast = other_forces();
    for (std::int64_t step = 0; step < steps; step += n) {
      kick(slow, 0.5 * n * dt);
      for (int inner = 0; inner < n; ++inner) {
        kick(fast, 0.5 * dt);
        drift(dt);
        fast = other_forces();
        kick(fast, 0.5 * dt);
        project();
      }
      slow = mesh_forces();
      kick(slow, 0.5 * n * dt);
      project();
    }
  }

 private:
  std::vector<Vec3> mesh_forces() const {
    const auto& s = job_.settings;
    return reference::pme({.box = job_.box,
                           .mesh = {s.mesh.x, s.mesh.y, s.mesh.z},
                           .order = s.spline_order,
                           .alpha = s.ewald_coefficient},
                          position, job_.atoms.charge)
        .forces;
  }
  std::vector<Vec3> other_forces() {
    std::vector<Vec3> forces(position.size());
    const auto& s = job_.settings;
    const PairSettings pairs{.cutoff = s.cutoff,
                             .switch_distance = s.switch_distance,
                             .switching = s.switching,
                             .coulomb = Coulomb::ewald,
                             .ewald_coefficient = s.ewald_coefficient};
    pair_reference(pairs, system_.parameters(), system_.exclusions(), job_.box, position, forces);
    bonded_.add_forces_and_sums(position, forces);
    return forces;
  }
  void kick(const std::vector<Vec3>& forces, double time) {
    for (std::size_t i = 0; i < forces.size(); ++i)
      velocity[i] += forces[i] * (time / job_.atoms.mass[i]);
  }
  void drift(double time) {
    const std::vector<Vec3> before = position;
    for (std::size_t i = 0; i < position.size(); ++i) position[i] += velocity[i] * time;
    cycle([&](int a, int b, double share_a, double share_b, double length) {
      const Vec3 bond = position[a] - position[b], old = before[a] - before[b];
      const double wrong = length * length - dot(bond, bond);
      const double pull = wrong / (2 * (share_a + share_b) * dot(bond, old));
      position[a] += old * (pull * share_a), position[b] -= old * (pull * share_b);
      velocity[a] += old * (pull * share_a / time), velocity[b] -= old * (pull * share_b / time);
      return std::abs(wrong) / (length * length);
    });
  }
  void project() {
    cycle([&](int a, int b, double share_a, double share_b, double length) {
      const Vec3 bond = position[a] - position[b], rate = velocity[a] - velocity[b];
      const double pull = -dot(bond, rate) / ((share_a + share_b) * length * length);
      velocity[a] += bond * (pull * share_a), velocity[b] -= bond * (pull * share_b);
      return std::abs(pull * (share_a + share_b)) * job_.dynamics.timestep;
    });
  }
  template <class Correct>
  void cycle(const Correct& correct) {
    for (int round = 0; round < 1000; ++round) {
      double worst = 0;
      for (const Constraint& c : job_.topology.constraints)
        worst = std::max(
            worst, correct(c.atoms[0], c.atoms[1],
                           1 / job_.atoms.mass[static_cast<std::size_t>(c.atoms[0])],
                           1 / job_.atoms.mass[static_cast<std::size_t>(c.atoms[1])], c.distance));
      if (worst < 1e-15) return;
    }
  }

  const System& system_;
  const Job& job_;
  TermIndex index_;
  BondedWorkset bonded_;
  std::vector<std::int32_t> ids_;

 public:
  std::vector<Vec3> position, velocity;
};

Frame by_objects(const System& system, std::int64_t steps, const State& start) {
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = 1, .pin = false}, output);
  machinery->run(Schedule(system.job().settings, system.job().dynamics, 0, steps), start);
  return last_frame(output, FramePurpose::last);
}

double farthest(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, norm(a[i] - b[i]));
  return most;
}

/// The whole way of each atom.
std::vector<Vec3> unwrapped(const Frame& frame, const Box& box) {
  std::vector<Vec3> place = frame.position;
  for (std::size_t i = 0; i < place.size(); ++i) place[i] += box.position(frame.image[i]);
  return place;
}

class Impulses : public ::testing::TestWithParam<int> {};

/// Sums of forces are rounded at 4e-12, and the polynomial of the screened Coulomb force is exact
/// to about 1e-9 of it (forces/pair/ewald_fit.hpp): that moves a hydrogen, of 1837, by some 1e-9 in
/// the 500 atomic units of twelve steps. Another scheme is farther by four orders.
TEST_P(Impulses, GoTheWayOfAPlainProgram) {
  const Job job = job_with(GetParam());
  const System system(job);
  State start = state_of_job(job);
  prepare_for_dynamics(system, start);
  constexpr std::int64_t steps = 24;
  PlainProgram plain(system, start);
  plain.run(steps);
  const Frame frame = by_objects(system, steps, start);
  EXPECT_LT(farthest(unwrapped(frame, job.box), plain.position), 2e-8);
  const double time = job.dynamics.timestep;
  EXPECT_LT(farthest(frame.velocity, plain.velocity) * time, 2e-8);

  Job other = job_with(GetParam() == 1 ? 2 : 1);
  const System other_system(other);
  const Frame beside = by_objects(other_system, steps, start);
  EXPECT_GT(farthest(unwrapped(beside, job.box), plain.position), 1e-5);
}

/// A run of no steps: there the forces are those of the potential, whatever the interval.
TEST_P(Impulses, LeaveTheForcesThatAreReported) {
  const Job job = job_with(GetParam()), once = job_with(1);
  const auto evaluated = [](const Job& of) {
    const System system(of);
    OutputQueue output;
    const auto machinery = make_machinery(system, {.pes = 1, .pin = false}, output);
    return energy_result(system, evaluate(*machinery, output, system, state_of_job(of)));
  };
  const EnergyResult here = evaluated(job), there = evaluated(once);
  EXPECT_EQ(here.forces, there.forces);
  EXPECT_EQ(here.virial, there.virial);
}

/// The rows of a run begin with those of its start, whose pressure has each force once, also of
/// those that go from a site to its parents.
TEST_P(Impulses, LeaveThePressure) {
  const auto first_row = [](Job job) {
    job.dynamics.energy_interval = 12;
    const System system(job);
    State start = state_of_job(job);
    prepare_for_dynamics(system, start);
    OutputQueue output;
    const auto machinery = make_machinery(system, {.pes = 2, .pin = false}, output);
    machinery->run(Schedule(job.settings, job.dynamics, 0, 12), start);
    for (auto& item : output.take(std::chrono::milliseconds(0)))
      if (const auto* totals = std::get_if<EnergyTotals>(&item); totals && totals->step == 0)
        return *totals;
    ADD_FAILURE() << "no row";
    return EnergyTotals{};
  };
  const EnergyTotals here = first_row(job_with(GetParam(), true)),
                     there = first_row(job_with(1, true));
  EXPECT_EQ(here.terms, there.terms);
  EXPECT_EQ(here.virial, there.virial);
  EXPECT_EQ(here.inner_virial, there.inner_virial);
  EXPECT_EQ(here.motion, there.motion);
}

INSTANTIATE_TEST_SUITE_P(Intervals, Impulses, ::testing::Values(1, 2, 3, 4));

/// The root mean square of the total energy about its mean, for the same time.
double wandering(int every, double femtoseconds, double time) {
  Job job = job_with(every);
  // What is cut off must not be what wanders.
  constexpr double angstrom = 1 / units::bohr_in_angstrom;
  job.settings.switch_distance = 5.5 * angstrom;
  job.settings.ewald_coefficient = 0.65 / angstrom;
  job.settings.mesh = {48, 48, 48};
  job.settings.spline_order = 8;
  job.dynamics.timestep = femtoseconds / units::time_in_fs;
  job.dynamics.energy_interval = 12;
  const System system(job);
  State start = state_of_job(job);
  prepare_for_dynamics(system, start);
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = 2, .pin = false}, output);
  const auto steps = static_cast<std::int64_t>(std::lround(time / femtoseconds / 12)) * 12;
  machinery->run(Schedule(job.settings, job.dynamics, 0, steps), start);
  const PotentialTerms potential(system);
  std::vector<double> energies;
  for (auto& item : output.take(std::chrono::milliseconds(0)))
    if (const auto* totals = std::get_if<EnergyTotals>(&item))
      energies.push_back(sum(potential.of(*totals)) + totals->terms[energy_term("kinetic")]);
  const double mean = sum(energies) / static_cast<double>(energies.size());
  double squares = 0;
  for (const double energy : energies) squares += (energy - mean) * (energy - mean);
  return std::sqrt(squares / static_cast<double>(energies.size()));
}

/// Half the step gives a quarter of the error.
TEST(ImpulsesConserve, TheEnergyToSecondOrderInTheStep) {
  for (const int every : {2, 4}) {
    const double coarse = wandering(every, 1.0, 300), fine = wandering(every, 0.5, 300);
    EXPECT_GT(coarse / fine, 3) << every << " " << coarse;
    EXPECT_LT(coarse / fine, 5) << every << " " << coarse;
  }
}

}  // namespace
}  // namespace fg::test
