// SPDX-License-Identifier: BSD-3-Clause
//
// A job: everything that the engine needs for one classical calculation, read from one HDF5 file
// that Python wrote, and checked before anything starts. Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bits.hpp"
#include "base/box.hpp"
#include "forces/pair/pair_settings.hpp"
#include "forces/restraints/position_restraint.hpp"
#include "forces/terms/terms.hpp"
#include "motion/barostat.hpp"
#include "motion/integrator.hpp"
#include "particles/atom_parameters.hpp"
#include "particles/topology.hpp"
#include "records/job/job_file.hpp"

namespace fg {

enum class Electrostatics { pme, reaction_field, plain };
enum class Precision { mixed_precision, double_precision };
/// Given in the job, or drawn from the temperature after minimisation.
enum class StartVelocities { given, drawn };
enum class Minimisation { none, steepest_descent, l_bfgs };

/// One entry per atom, in the input's order.
struct JobAtoms {
  std::vector<Vec3> position;  // [bohr], fragments whole
  std::vector<Vec3> velocity;  // [bohr per au time]
  std::vector<double> mass;    // [electron mass], zero for virtual sites only
  std::vector<double> charge;  // [e]
  std::vector<double> sigma;   // of a pair of equal atoms, as epsilon
  std::vector<double> epsilon;
  std::vector<std::int32_t> fragment;  // the same number for atoms that move together; any numbers
  std::vector<std::int32_t> residue;   // index into JobResidues
  std::vector<std::string> name;
  std::vector<std::string> element;

  int size() const noexcept { return static_cast<int>(mass.size()); }
};

struct JobResidues {
  std::vector<std::string> name;
  std::vector<std::string> chain;
  std::vector<std::int32_t> number;
};

struct JobSettings {
  double cutoff = 0;
  double switch_distance = 0;  // 0: off
  Switching switching = Switching::potential;
  Electrostatics electrostatics = Electrostatics::pme;
  double reaction_field_dielectric = 78.3;
  double ewald_coefficient = 0;  // [1/bohr]
  Int3 mesh;
  int spline_order = 4;
  double dispersion_coefficient = 0;  // energy = coefficient / volume; 0: off
  double dispersion_virial = 0;       // each diagonal component of the virial, times volume
  Precision precision = Precision::mixed_precision;
  Bits bits = Bits::fast;
  double list_cutoff = 0;
  double inner_list_cutoff = 0;
  double list_temperature = 0;  // k_B T for which the lists are wide enough; 0: unknown
  int rebuild_interval = 20;
  int prune_interval = 4;
  Int3 patch_grid{1, 1, 1};
  int pair_computes = 14;  // of each patch
  int pencil_grid[2] = {1, 1};
};

struct JobDynamics {
  IntegratorKind integrator = IntegratorKind::verlet;
  double timestep = 0;
  std::int64_t steps = 0;
  double temperature = 0;        // k_B T, of the bath and of velocities that are drawn
  double final_temperature = 0;  // of a ramp of the bath, that ends after ramp_steps
  std::int64_t ramp_steps = 0;   // 0: the bath's temperature is constant
  StartVelocities velocities = StartVelocities::given;
  double friction = 0;
  double thermostat_time = 0;  // of velocity rescaling; 0: none
  BarostatKind barostat = BarostatKind::none;
  BoxCoupling coupling = BoxCoupling::isotropic;
  double pressure = 0;
  double compressibility = 0;
  double barostat_time = 0;
  double piston_period = 0;
  std::int64_t barostat_interval = 0;  // steps between trials of a Monte Carlo barostat
  int long_range_interval = 1;         // steps between two evaluations of the mesh
  std::uint64_t seed = 0;
  int com_interval = 0;
  int energy_interval = 0;
  int trajectory_interval = 0;
  bool trajectory_velocities = false;
  double checkpoint_seconds = 0;
  Minimisation minimise = Minimisation::none;
  double minimise_tolerance = 0;  // largest force on an atom
  int minimise_steps = 0;
  double constraint_tolerance = 1e-8;

  /// Whether a thermostat or a barostat acts on all atoms at once.
  bool has_bath() const noexcept { return thermostat_time > 0 || barostat != BarostatKind::none; }
  /// Whether such a bath scales the box or velocities at rebuilds, from sums of the steps before.
  bool scales() const noexcept {
    return thermostat_time > 0 || (has_bath() && barostat != BarostatKind::monte_carlo);
  }
};

struct Job {
  std::string path;
  std::string title;
  std::string input_text;
  std::string finegrain_version;
  double memory = 0;  ///< bytes that a run takes, roughly; 0 if the job does not give it
  Box box;
  JobAtoms atoms;
  JobResidues residues;
  LennardJonesTypes lennard_jones_types;
  /// Pairs of atoms that viewers connect, one after the other: bonds without Urey-Bradley terms,
  /// and sites with a parent.
  std::vector<std::int32_t> connectivity;
  BondedTerms terms;
  std::vector<PositionRestraint> restraints;
  Topology topology;
  JobSettings settings;
  JobDynamics dynamics;
};

/// The kind of such jobs, as their files name it.
inline constexpr std::string_view classical_kind = "classical";

/// Reads and checks a job file; an InputError names the file, the place in it and the remedy.
Job load_job(const std::string& path);
Job read_job(const JobFile& file);

/// The checks of load_job beyond the form of the file; also for jobs made in memory.
void check_job(const Job& job);

/// Refuses a number of steps that does not end where the mesh is evaluated; `where` gave the
/// number.
void check_steps(const JobDynamics& dynamics, const std::string& where);

/// SHA-256 (hex) of everything that decides the trajectory: without the title, the number of steps
/// and the output intervals, so that a stopped run can be continued for longer.
std::string job_digest(const Job& job);

/// "atom 17 (H1 of HOH 5, chain B)"; users count atoms from 1.
std::string describe_atom(const Job& job, int atom);

}  // namespace fg
