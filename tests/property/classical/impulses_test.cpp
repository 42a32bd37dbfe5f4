// SPDX-License-Identifier: BSD-3-Clause
//
// Pair forces on every k-th step, and forces of the mesh on every n-th. The objects go the way of a
// plain program in double precision, in which the scheme is written as in its source: a half kick
// of n steps by the mesh, n steps by all other forces, and a half kick again. Of these, every k are
// a half kick by the pairs, velocity Verlet by bonded terms and restraints, and a half kick again
// (Tuckerman, Berne, Martyna, J. Chem. Phys. 97, 1990 (1992)). Units: Hartree atomic units.
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

/// Steps between two evaluations.
struct Levels {
  int pairs, mesh;
};

Job job_with(const Levels& levels, bool sites = false) {
  Job job = water_job({.precision = Precision::double_precision,
                       .sites = sites,
                       .restraints = true,
                       .pair_interval = levels.pairs,
                       .long_range_interval = levels.mesh});
  job.settings.rebuild_interval = 12;
  job.settings.prune_interval = levels.pairs == 3 ? 6 : 4;
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
    const int n = job_.dynamics.long_range_interval, k = job_.dynamics.pair_interval;
    const double dt = job_.dynamics.timestep;
    auto slow = mesh_forces();
    auto middle = pair_forces();
    auto fast = other_forces();
    for (std::int64_t step = 0; step < steps; step += n) {
      kick(slow, 0.5 * n * dt);
      for (int pairs = 0; pairs < n; pairs += k) {
        kick(middle, 0.5 * k * dt);
        for (int inner = 0; inner < k; ++inner) {
          kick(fast, 0.5 * dt);
          drift(dt);
          fast = other_forces();
          kick(fast, 0.5 * dt);
          project();
        }
        middle = pair_forces();
        kick(middle, 0.5 * k * dt);
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
  std::vector<Vec3> pair_forces() const {
    std::vector<Vec3> forces(position.size());
    const auto& s = job_.settings;
    const PairSettings pairs{.cutoff = s.cutoff,
                             .switch_distance = s.switch_distance,
                             .switching = s.switching,
                             .coulomb = Coulomb::ewald,
                             .ewald_coefficient = s.ewald_coefficient};
    pair_reference(pairs, system_.parameters(), system_.exclusions(), job_.box, position, forces);
    return forces;
  }
  std::vector<Vec3> other_forces() {
    std::vector<Vec3> forces(position.size());
    for (const PositionRestraint& restraint : job_.restraints) {
      const auto i = static_cast<std::size_t>(restraint.atom);
      const Vec3 away = job_.box.nearest_image(position[i] - restraint.reference);
      for (int axis = 0; axis < 3; ++axis)
        forces[i][axis] -= restraint.stiffness[axis] * away[axis];
    }
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

class Impulses : public ::testing::TestWithParam<Levels> {};

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

  for (const Levels& other : {Levels{1, 1}, Levels{1, 2}, Levels{2, 2}}) {
    if (other.pairs == GetParam().pairs && other.mesh == GetParam().mesh) continue;
    const Job other_job = job_with(other);
    const System other_system(other_job);
    const Frame beside = by_objects(other_system, steps, start);
    EXPECT_GT(farthest(unwrapped(beside, job.box), plain.position), 1e-5);
  }
}

/// A run of no steps: there the forces are those of the potential, whatever the interval.
TEST_P(Impulses, LeaveTheForcesThatAreReported) {
  const Job job = job_with(GetParam()), once = job_with({1, 1});
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
                     there = first_row(job_with({1, 1}, true));
  EXPECT_EQ(here.terms, there.terms);
  EXPECT_EQ(here.virial, there.virial);
  EXPECT_EQ(here.inner_virial, there.inner_virial);
  EXPECT_EQ(here.motion, there.motion);
}

INSTANTIATE_TEST_SUITE_P(Intervals, Impulses,
                         ::testing::Values(Levels{1, 1}, Levels{1, 2}, Levels{1, 3}, Levels{1, 4},
                                           Levels{2, 2}, Levels{2, 4}, Levels{3, 3}, Levels{4, 4}),
                         [](const auto& info) {
                           return "Pairs" + std::to_string(info.param.pairs) + "Mesh" +
                                  std::to_string(info.param.mesh);
                         });

/// What is cut off must not be what wanders.
void cut_smoothly(Job& job) {
  constexpr double angstrom = 1 / units::bohr_in_angstrom;
  job.settings.switch_distance = 5.5 * angstrom;
  job.settings.ewald_coefficient = 0.65 / angstrom;
  job.settings.mesh = {48, 48, 48};
  job.settings.spline_order = 8;
  job.restraints.clear();
}

/// The total energy on every twelfth step.
std::vector<double> total_energies(Job job, std::int64_t steps) {
  job.dynamics.energy_interval = 12;
  const System system(job);
  State start = state_of_job(job);
  prepare_for_dynamics(system, start);
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = 2, .pin = false}, output);
  machinery->run(Schedule(job.settings, job.dynamics, 0, steps), start);
  const PotentialTerms potential(system);
  std::vector<double> energies;
  for (auto& item : output.take(std::chrono::milliseconds(0)))
    if (const auto* totals = std::get_if<EnergyTotals>(&item))
      energies.push_back(sum(potential.of(*totals)) + totals->terms[energy_term("kinetic")]);
  return energies;
}

/// The root mean square of the total energy about its mean, for the same time.
double wandering(const Levels& levels, double femtoseconds, double time) {
  Job job = job_with(levels);
  cut_smoothly(job);
  job.dynamics.timestep = femtoseconds / units::time_in_fs;
  const auto steps = static_cast<std::int64_t>(std::lround(time / femtoseconds / 12)) * 12;
  const std::vector<double> energies = total_energies(job, steps);
  const double mean = sum(energies) / static_cast<double>(energies.size());
  double squares = 0;
  for (const double energy : energies) squares += (energy - mean) * (energy - mean);
  return std::sqrt(squares / static_cast<double>(energies.size()));
}

/// Half the step gives a quarter of the error.
TEST(ImpulsesConserve, TheEnergyToSecondOrderInTheStep) {
  for (const Levels& levels : {Levels{1, 2}, Levels{1, 4}, Levels{2, 4}}) {
    const double coarse = wandering(levels, 1.0, 300), fine = wandering(levels, 0.5, 300);
    EXPECT_GT(coarse / fine, 3) << levels.pairs << " " << levels.mesh << " " << coarse;
    EXPECT_LT(coarse / fine, 5) << levels.pairs << " " << levels.mesh << " " << coarse;
  }
}

/// Nothing is held; bonds and angles as stiff as those of SPC/Fw (Wu, Tepper, Voth, J. Chem. Phys.
/// 124, 024503 (2006)).
void set_free(Job& job) {
  constexpr double kcal_per_mol = 4.184 / units::hartree_in_kj_per_mol;
  constexpr double angstrom = 1 / units::bohr_in_angstrom;
  for (const Water& water : job.topology.waters) {
    const auto& [o, h1, h2] = water.atoms;
    for (const auto h : {h1, h2})
      job.terms.of<HarmonicBond>().push_back(
          {{o, h}, water.r_oh, 1059.162 * kcal_per_mol / (angstrom * angstrom)});
    job.terms.of<HarmonicAngle>().push_back(
        {{h1, o, h2}, 2 * std::asin(water.r_hh / (2 * water.r_oh)), 75.9 * kcal_per_mol});
  }
  job.topology.waters.clear();
  job.topology.constraints.clear();
  std::iota(job.atoms.fragment.begin(), job.atoms.fragment.end(), 0);
}

/// The drift of the total energy, kJ/mol/ps for each atom, after the start from a lattice.
double drift_of(const Job& job) {
  std::vector<double> energies = total_energies(job, 1800);
  energies.erase(energies.begin(), energies.begin() + 50);
  const auto n = static_cast<double>(energies.size());
  const double mean = sum(energies) / n;
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < energies.size(); ++i) {
    const double time = static_cast<double>(i) - (n - 1) / 2;
    products += time * (energies[i] - mean);
    squares += time * time;
  }
  const double row_in_ps = 12 * job.dynamics.timestep * units::time_in_ps;
  return products / squares / row_in_ps * units::hartree_in_kj_per_mol /
         static_cast<double>(job.atoms.size());
}

TEST(ImpulsesConserve, TheEnergyOfFlexibleWaterOnThreeLevels) {
  for (const Levels& levels : {Levels{1, 1}, Levels{1, 4}, Levels{2, 2}, Levels{2, 4}}) {
    Job job = job_with(levels);
    job.settings.precision = Precision::mixed_precision;
    job.settings.switch_distance = 5.5 / units::bohr_in_angstrom;
    job.settings.spline_order = 6;
    job.restraints.clear();
    set_free(job);
    // All have 0.003 to 0.006, also with all forces on every step: the noise of so short a run. The
    // limit would heat the water by less than 1 K in a picosecond.
    EXPECT_LT(std::abs(drift_of(job)), 0.02) << levels.pairs << " " << levels.mesh;
  }
}

}  // namespace
}  // namespace fg::test
