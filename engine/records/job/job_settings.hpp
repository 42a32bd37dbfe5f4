// SPDX-License-Identifier: BSD-3-Clause
//
// The settings of a classical job: attributes of /settings and /dynamics. The function keys() lists
// them in the order in which the digest of the job has them. So a new key that counts must be at
// the end, and count only where it is not the default. Units: Hartree atomic units.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

#include "base/bits.hpp"
#include "forces/mesh/mesh_settings.hpp"
#include "forces/pair/pair_settings.hpp"
#include "motion/barostat.hpp"
#include "motion/integrator.hpp"
#include "particles/assignment/pair_division.hpp"
#include "records/job/job_key.hpp"

namespace fg {

enum class Electrostatics { pme, reaction_field, plain };
inline constexpr std::array<Word<Electrostatics>, 3> electrostatics_names{
    {{"pme", Electrostatics::pme},
     {"reaction-field", Electrostatics::reaction_field},
     {"plain", Electrostatics::plain}}};
inline constexpr std::array<Word<Switching>, 2> switching_names{
    {{"potential", Switching::potential}, {"force", Switching::force}}};
inline constexpr std::array<Word<InfluenceFunction>, 2> influence_names{
    {{"smooth", InfluenceFunction::smooth}, {"optimal", InfluenceFunction::optimal}}};
enum class Precision { mixed_precision, double_precision };
inline constexpr std::array<Word<Precision>, 2> precision_names{
    {{"mixed", Precision::mixed_precision}, {"double", Precision::double_precision}}};
inline constexpr std::array<Word<Bits>, 2> bits_names{
    {{"fast", Bits::fast}, {"portable", Bits::portable}}};
inline constexpr std::array<Word<PairAssignment>, 2> pairs_names{
    {{"half-shell", PairAssignment::half_shell}, {"midpoint", PairAssignment::midpoint}}};
/// Given in the job, or drawn from the temperature after minimisation.
enum class StartVelocities { given, drawn };
inline constexpr std::array<Word<StartVelocities>, 2> velocities_names{
    {{"given", StartVelocities::given}, {"drawn", StartVelocities::drawn}}};
enum class Minimisation { none, steepest_descent, l_bfgs };
inline constexpr std::array<Word<Minimisation>, 3> minimisation_names{
    {{"no", Minimisation::none},
     {"steepest-descent", Minimisation::steepest_descent},
     {"l-bfgs", Minimisation::l_bfgs}}};

struct JobSettings {
  double cutoff = 0;
  double switch_distance = 0;
  Switching switching = Switching::potential;
  Electrostatics electrostatics = Electrostatics::pme;
  double reaction_field_dielectric = 78.3;
  double ewald_coefficient = 0;
  Int3 mesh;
  int spline_order = 4;
  InfluenceFunction influence = InfluenceFunction::smooth;
  double dispersion_coefficient = 0;
  double dispersion_virial = 0;
  Precision precision = Precision::mixed_precision;
  Bits bits = Bits::fast;
  double list_cutoff = 0;
  double inner_list_cutoff = 0;
  double list_temperature = 0;
  int rebuild_interval = 20;
  int prune_interval = 4;
  Int3 patch_grid{1, 1, 1};
  Int3 reach{1, 1, 1};
  int pair_computes = 14;
  PairAssignment pairs = PairAssignment::half_shell;
  std::array<int, 2> pencil_grid{1, 1};

  static constexpr auto keys() {
    using S = JobSettings;
    constexpr auto with_mesh = [](const S& s) { return s.electrostatics == Electrostatics::pme; };
    return std::tuple{
        key("cutoff", &S::cutoff,
            {.meaning = "of Lennard-Jones and direct electrostatics",
             .unit = "bohr",
             .least = 1e-3,
             .most = 1e7}),
        key("switch_distance", &S::switch_distance,
            {.meaning = "where switching starts; 0: off", .unit = "bohr", .least = 0, .most = 1e7}),
        key("reaction_field_dielectric", &S::reaction_field_dielectric,
            {.meaning = "dielectric constant beyond the cutoff",
             .least = 1,
             .most = 1e12,
             .used =
                 [](const S& s) { return s.electrostatics == Electrostatics::reaction_field; }}),
        key("ewald_coefficient", &S::ewald_coefficient,
            {.meaning = "inverse width of the screening charges",
             .unit = "1/bohr",
             .least = 1e-6,
             .most = 1e3,
             .used = with_mesh}),
        key("dispersion_coefficient", &S::dispersion_coefficient,
            {.meaning = "energy beyond the cutoff = coefficient / volume; 0: off",
             .unit = "hartree bohr³",
             .least = -1e18,
             .most = 1e18}),
        key("list_cutoff", &S::list_cutoff,
            {.meaning = "of the pair lists", .unit = "bohr", .least = 0, .most = 1e7}),
        key("inner_list_cutoff", &S::inner_list_cutoff,
            {.meaning = "of the inner lists", .unit = "bohr", .least = 0, .most = 1e7}),
        key("dispersion_virial", &S::dispersion_virial,
            {.meaning = "each diagonal component of the virial, times volume; without it that of "
                        "the energy",
             .unit = "hartree bohr³",
             .least = -1e19,
             .most = 1e19,
             .given = Given::optional,
             .counts = [](const S& s) { return s.dispersion_virial != s.dispersion_coefficient; }}),
        key("pair_computes", &S::pair_computes,
            {.meaning = "objects for the pairs of each patch",
             .least = 1,
             .most = 14,
             .given = Given::optional,
             .counts = [](const S& s) { return s.pair_computes != S{}.pair_computes; }}),
        key("bits", &S::bits, bits_names,
            {.meaning = "last bits: of the SIMD target, or the same on each",
             .given = Given::optional,
             .digest = InDigest::mark,
             .counts = [](const S& s) { return s.bits == Bits::portable; },
             .mark = "portable"}),
        key("electrostatics", &S::electrostatics, electrostatics_names, {.meaning = "method"}),
        key("precision", &S::precision, precision_names, {.meaning = "of the forces"}),
        key("mesh", &S::mesh,
            {.meaning = "points per axis, at least the order of the splines",
             .least = 1,
             .most = 8192,
             .used = with_mesh}),
        key("spline_order", &S::spline_order, {.meaning = "of the B-splines: 4, 5, 6 or 8"}),
        key("rebuild_interval", &S::rebuild_interval,
            {.meaning = "between rebuilds of the lists", .unit = "steps", .least = 1, .most = 1e6}),
        key("prune_interval", &S::prune_interval,
            {.meaning = "between prunings of the inner lists",
             .unit = "steps",
             .least = 1,
             .most = 1e6}),
        key("patch_grid", &S::patch_grid,
            {.meaning = "patches per axis", .least = 1, .most = 1024}),
        key("reach", &S::reach,
            {.meaning = "patches with which a patch has pairs are up to that many away, per axis",
             .least = 1,
             .most = 4,
             .given = Given::optional,
             .counts = [](const S& s) { return s.reach != S{}.reach; }}),
        key("pencil_grid", &S::pencil_grid,
            {.meaning = "pencils of the mesh along z, per x and y", .least = 1, .most = 4096}),
        key("list_temperature", &S::list_temperature,
            {.meaning = "k_B T for which the lists are long enough; 0: not known",
             .unit = "hartree",
             .least = 0,
             .most = 1e6,
             .given = Given::optional,
             .digest = InDigest::nothing}),
        // It counts, before the terms: job_digest.
        key("switching", &S::switching, switching_names,
            {.meaning = "what goes smoothly to zero",
             .given = Given::optional,
             .counts = [](const S&) { return false; }}),
        key("influence_function", &S::influence, influence_names,
            {.meaning =
                 "of the mesh: that of smooth PME, or the one with the least error of forces",
             .given = Given::optional,
             .digest = InDigest::mark,
             .counts = [](const S& s) { return s.influence == InfluenceFunction::optimal; },
             .mark = "optimal influence function"}),
        key("pairs", &S::pairs, pairs_names,
            {.meaning = "the object for a pair: of a patch with one of its atoms, or of the "
                        "midpoint cell that holds their midpoint",
             .given = Given::optional,
             .digest = InDigest::mark,
             .counts = [](const S& s) { return s.pairs == PairAssignment::midpoint; },
             .mark = "pairs by midpoints"})};
  }
};

struct JobDynamics {
  IntegratorKind integrator = IntegratorKind::verlet;
  double timestep = 0;
  std::int64_t steps = 0;
  double temperature = 0;
  double final_temperature = 0;
  std::int64_t ramp_steps = 0;
  StartVelocities velocities = StartVelocities::given;
  double friction = 0;
  double thermostat_time = 0;
  BarostatKind barostat = BarostatKind::none;
  BoxCoupling coupling = BoxCoupling::isotropic;
  double pressure = 0;
  double compressibility = 0;
  double barostat_time = 0;
  double piston_period = 0;
  std::int64_t barostat_interval = 0;
  int pair_interval = 1;
  int long_range_interval = 1;
  std::uint64_t seed = 0;
  int com_interval = 0;
  int energy_interval = 0;
  int trajectory_interval = 0;
  bool trajectory_velocities = false;
  double checkpoint_seconds = 0;
  Minimisation minimise = Minimisation::none;
  double minimise_tolerance = 0;
  int minimise_steps = 0;
  double constraint_tolerance = 1e-8;

  /// Steps between two on which all forces are evaluated. The longer of the two intervals is a
  /// multiple of the other one.
  int impulse_interval() const noexcept { return std::max(pair_interval, long_range_interval); }

  /// Whether a thermostat or a barostat acts on all atoms at once.
  bool has_bath() const noexcept { return thermostat_time > 0 || barostat != BarostatKind::none; }
  /// Whether such a bath scales the box or velocities at rebuilds, from sums of the steps before.
  bool scales() const noexcept {
    return thermostat_time > 0 || (has_bath() && barostat != BarostatKind::monte_carlo);
  }

  static constexpr auto keys() {
    using D = JobDynamics;
    constexpr double most_steps = 1e15, most_interval = 1e9;
    constexpr auto bath = [](const D& d) { return d.has_bath(); };
    constexpr auto ramp = [](const D& d) { return d.ramp_steps > 0; };
    constexpr auto pressed = [](const D& d) { return d.barostat != BarostatKind::none; };
    constexpr auto measured = [](const D& d) {
      return d.barostat != BarostatKind::none && d.barostat != BarostatKind::monte_carlo;
    };
    constexpr auto tried = [](const D& d) { return d.barostat == BarostatKind::monte_carlo; };
    return std::tuple{
        key("timestep", &D::timestep,
            {.meaning = "length of a step", .unit = "au time", .least = 0, .most = 1e6}),
        key("temperature", &D::temperature,
            {.meaning = "k_B T of the bath and of velocities that are drawn",
             .unit = "hartree",
             .least = 0,
             .most = 1e3}),
        key("friction", &D::friction,
            {.meaning = "of Langevin dynamics", .unit = "1/au time", .least = 0, .most = 1e3}),
        key("minimise_tolerance", &D::minimise_tolerance,
            {.meaning = "largest force on an atom that may remain",
             .unit = "hartree/bohr",
             .least = 0,
             .most = 1e6}),
        key("constraint_tolerance", &D::constraint_tolerance,
            {.meaning = "relative error of constrained lengths", .least = 1e-15, .most = 1e-2}),
        key("thermostat_time", &D::thermostat_time,
            {.meaning = "of velocity rescaling; 0: none",
             .unit = "au time",
             .least = 0,
             .most = 1e12,
             .given = Given::optional,
             .counts = bath}),
        key("barostat", &D::barostat, barostat_names,
            {.meaning = "its kind",
             .given = Given::optional,
             .digest = InDigest::real,
             .counts = bath}),
        key("coupling", &D::coupling, coupling_names,
            {.meaning = "which edges of the box are scaled alike",
             .with = "barostat",
             .digest = InDigest::real,
             .counts = bath}),
        key("pressure", &D::pressure,
            {.meaning = "of the bath",
             .unit = "hartree/bohr³",
             .least = -1,
             .most = 1,
             .with = "barostat",
             .used = pressed,
             .counts = bath}),
        key("compressibility", &D::compressibility,
            {.meaning = "an estimate, which sets how fast the box changes",
             .unit = "bohr³/hartree",
             .least = 1e-6,
             .most = 1e12,
             .with = "barostat",
             .used = measured,
             .counts = bath}),
        key("barostat_time", &D::barostat_time,
            {.meaning = "time constant of stochastic rescaling, or of a piston's friction",
             .unit = "au time",
             .least = 1e-6,
             .most = 1e12,
             .with = "barostat",
             .used = measured,
             .counts = bath}),
        key("piston_period", &D::piston_period,
            {.meaning = "of a piston, at least ten rebuild intervals",
             .unit = "au time",
             .least = 0,
             .most = 1e12,
             .with = "barostat",
             .used = [](const D& d) { return d.barostat == BarostatKind::langevin_piston; },
             .counts = bath}),
        key("barostat_interval", &D::barostat_interval,
            {.meaning = "between trials of a Monte Carlo barostat, a multiple of rebuild_interval",
             .unit = "steps",
             .least = 1,
             .most = most_interval,
             .given = Given::where_used,
             .used = tried,
             .counts = [](const D& d) { return d.barostat_interval > 0; }}),
        // More than 4 are beyond what the impulses allow.
        key("long_range_interval", &D::long_range_interval,
            {.meaning = "between two evaluations of the mesh",
             .unit = "steps",
             .least = 1,
             .most = 4,
             .given = Given::optional,
             .counts = [](const D& d) { return d.long_range_interval > 1; },
             .mark = "long_range_interval"}),
        key("seed", &D::seed, {.meaning = "of all random numbers"}),
        key("final_temperature", &D::final_temperature,
            {.meaning = "k_B T of the bath at the end of a ramp",
             .unit = "hartree",
             .least = 0,
             .most = 1e3,
             .with = "ramp_steps",
             .counts = ramp,
             .mark = "ramp"}),
        key("ramp_steps", &D::ramp_steps,
            {.meaning =
                 "in which the bath's temperature goes linearly to the final one; 0: no ramp",
             .unit = "steps",
             .least = 0,
             .most = most_steps,
             .given = Given::optional,
             .counts = ramp}),
        key("integrator", &D::integrator, integrator_names, {.meaning = "its kind"}),
        key("com_interval", &D::com_interval,
            {.meaning = "between removals of the total momentum; 0: never",
             .unit = "steps",
             .least = 0,
             .most = most_interval}),
        key("energy_interval", &D::energy_interval,
            {.meaning = "between rows of energies; 0: none",
             .unit = "steps",
             .least = 0,
             .most = most_interval}),
        key("minimise", &D::minimise, minimisation_names,
            {.meaning = "method of minimisation before the first step"}),
        key("minimise_steps", &D::minimise_steps,
            {.meaning = "most evaluations of a minimisation", .least = 0, .most = 1e9}),
        key("velocities", &D::velocities, velocities_names,
            {.meaning = "those of /atoms, or drawn from the temperature after minimisation"}),
        key("steps", &D::steps,
            {.meaning = "number of steps",
             .least = 0,
             .most = most_steps,
             .digest = InDigest::nothing}),
        key("trajectory_interval", &D::trajectory_interval,
            {.meaning = "between frames; 0: none",
             .unit = "steps",
             .least = 0,
             .most = most_interval,
             .digest = InDigest::nothing}),
        key("trajectory_velocities", &D::trajectory_velocities,
            {.meaning = "whether frames hold velocities, too",
             .given = Given::optional,
             .digest = InDigest::nothing}),
        key("checkpoint_seconds", &D::checkpoint_seconds,
            {.meaning = "wall-clock time between checkpoints; 0: only when stopped",
             .unit = "s",
             .least = 0,
             .most = 1e9,
             .digest = InDigest::nothing}),
        key("pair_interval", &D::pair_interval,
            {.meaning = "between two evaluations of the pair forces; with a mesh it divides "
                        "long_range_interval",
             .unit = "steps",
             .least = 1,
             .most = 4,
             .given = Given::optional,
             .counts = [](const D& d) { return d.pair_interval > 1; },
             .mark = "pair_interval"})};
  }
};

}  // namespace fg
